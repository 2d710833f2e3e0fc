"""Facts about evidence that several analyzers share: pure, and stated before anyone judges."""
