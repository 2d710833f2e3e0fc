"""The protocol in four steps: build a pack, inventory, keep a ledger, score off-tree.

Run it with ``python examples/score/four_steps.py``; it needs pytest, and a Linux kernel for the
sandbox.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).with_name("project")
SOURCE, TESTS = "fares.py", "tests/test_fares.py"
CANDIDATES = {
    "an honest patch": (SOURCE, "children * adult // 2", "adult * children // 2"),
    "a quieter test": (TESTS, "== 675", "> 0"),
    "a regression": (SOURCE, "// 2", "// 3"),
    "a forged exit": (SOURCE, "def fare", "import os\nos._exit(0)\n\n\ndef fare"),
}


def run(*words: str) -> str:
    """Run benchhygiene and return what it printed; a failing score is no mistake."""
    command = (sys.executable, "-P", "-m", "benchhygiene", *words)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return done.stdout


with tempfile.TemporaryDirectory() as scratch:
    root = pathlib.Path(scratch)
    # 1. Build a pack that the candidate cannot write, and remember its digest.
    run("pack", "build", str(PROJECT), "--archive", "--out", str(root))
    (archive,) = root.glob("*.tar")
    pack = f"{archive}#sha256={archive.stem}"
    for name, (path, old, new) in CANDIDATES.items():
        candidate = root / name.replace(" ", "-")
        shutil.copytree(PROJECT, candidate)
        text = (candidate / path).read_text(encoding="utf-8")
        (candidate / path).write_text(text.replace(old, new), encoding="utf-8")
        # 2. to 4. Inventory, ledger and replay are what a score is made of.
        score = run(
            "score", "--pack", pack, "--parent", str(PROJECT), "--candidate", str(candidate)
        )
        print(f"{name}: {score.splitlines()[0]}")
