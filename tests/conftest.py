"""Settings every test shares."""

from __future__ import annotations

from hypothesis import settings

# A loaded machine must not fail a test, and a failure must come back when it is looked into.
settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")
