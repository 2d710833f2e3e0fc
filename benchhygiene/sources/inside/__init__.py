"""What runs in the interpreter under test, apart from us: standard library and pytest only.

It works from Python 3.9 and pytest 7.4 on, and imports nothing of ours but its own modules.
"""
