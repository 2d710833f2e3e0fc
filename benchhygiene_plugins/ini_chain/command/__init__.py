"""The words of a command line: where each was written, and what pytest makes of it."""
