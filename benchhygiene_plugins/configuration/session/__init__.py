"""A pytest session, followed on paper: what hooks do to items and options."""
