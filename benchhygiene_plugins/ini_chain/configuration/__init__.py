"""The config file that counts, and what its keys say."""
