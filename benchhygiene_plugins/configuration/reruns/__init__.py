"""What runs a failed test again."""
