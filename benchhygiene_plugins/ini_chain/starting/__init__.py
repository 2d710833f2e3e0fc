"""What pytest does before it collects: plugins, conftests, the ways it can stop."""
