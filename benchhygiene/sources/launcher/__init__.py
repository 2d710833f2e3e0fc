"""The program that builds a sandbox from inside: standard library only, started on its own."""
