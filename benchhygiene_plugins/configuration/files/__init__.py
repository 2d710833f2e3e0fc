"""What the configuration files of a tree set."""
