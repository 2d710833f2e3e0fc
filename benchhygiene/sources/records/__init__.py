"""Records of test runs that others have made, each form in a module of its own."""
