"""The tests that would run, read off their sources."""
