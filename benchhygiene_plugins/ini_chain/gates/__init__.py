"""One module for each way an inherited option or key changes a grade."""
