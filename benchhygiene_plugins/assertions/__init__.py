"""Tell which checks a test makes, and what a patch took from them."""
