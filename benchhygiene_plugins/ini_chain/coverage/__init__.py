"""What coverage.py and pytest-cov would measure, from the sources alone."""
