"""Run the command line as ``python -P -m benchhygiene``.

Without ``-P``, Python puts the current directory first on ``sys.path`` before any line of ours
runs: in a hostile directory use ``-P`` or the ``benchhygiene`` script.
"""

from __future__ import annotations

import sys

from benchhygiene.cli import main

if __name__ == "__main__":  # worker processes import the program once more
    sys.exit(main())
