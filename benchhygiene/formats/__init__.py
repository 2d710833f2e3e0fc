"""Pure functions from a report to text: nothing here reads, writes or decides."""
