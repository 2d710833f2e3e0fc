"""Replays of honest and of broken candidates: what is recorded, and what takes part."""

from __future__ import annotations

import datetime
import os
import pathlib
import sys

import attrs
import pytest

from benchhygiene import (
    AllowedAction,
    AsOf,
    Failure,
    InputError,
    Ledger,
    LedgerEntry,
    ListedBy,
    NodeEnd,
    ReplayEnd,
    Verdict,
    sources,
)
from benchhygiene.sources import Isolation, ReplaySettings
from tests.replay.shop import BROKEN, NODES, SHOP, SMALL, judged, pack, replayed, rules, write


def test_all_that_a_replay_records(tmp_path: pathlib.Path) -> None:
    found = replayed(tmp_path, {"shop.py": SHOP}, {"shop.py": SHOP})
    assert tuple(run.node_id for run in found.suite.nodes) == NODES
    assert (found.expected, found.collected) == (NODES, NODES)
    assert found.listed_by is ListedBy.PARENT
    assert (found.end, found.code, found.reported, found.is_closed) == (
        ReplayEnd.EXITED,
        1,
        1,
        True,
    )
    assert found.suite.exit_status == 0
    assert found.isolation == "namespaces"
    assert found.pytest == pytest.__version__
    assert found.python == ".".join(map(str, sys.version_info[:3]))
    assert found.loaded == ("shop.py",)
    assert found.deeds == found.set_aside == found.planted == ()
    assert all(canary.is_right for canary in found.canaries)
    assert {canary.must for canary in found.canaries} == {NodeEnd.FAILED, NodeEnd.PASSED}
    assert found.baseline is not None
    assert found.parts == (found.suite,)


def test_a_regression_is_told_with_its_failure(tmp_path: pathlib.Path) -> None:
    found = replayed(tmp_path, {"shop.py": BROKEN}, {"shop.py": SHOP})
    report = judged(found)
    assert (report.verdict, rules(report)) == (Verdict.VIOLATION, {"run.regression"})
    (two,) = found.suite.by_node[NODES[1]]
    assert two.end is NodeEnd.FAILED
    assert two.failure == Failure("AssertionError", "assert 0 == 3\n +  where 0 = total([1, 2])")
    (none,) = found.suite.by_node[NODES[0]]
    assert none.end is NodeEnd.PASSED


def test_without_a_parent_the_nodes_are_read_off_the_pack(tmp_path: pathlib.Path) -> None:
    found = replayed(tmp_path, {"shop.py": SHOP})
    assert found.listed_by is ListedBy.PACK
    assert set(found.expected) == {node.partition("[")[0] for node in NODES}
    assert judged(found).verdict is Verdict.PASS


def test_a_module_that_is_gone_fails_what_needs_it(tmp_path: pathlib.Path) -> None:
    found = replayed(tmp_path, {"other.py": ""}, {"shop.py": SHOP})
    assert set(found.suite.failed_collectors) == {"tests/test_first.py", "tests/test_second.py"}
    assert {"run.regression", "run.missing_node"} <= rules(judged(found))


def test_only_source_takes_part(tmp_path: pathlib.Path) -> None:
    hooks = {
        "conftest.py": "1 / 0",
        "pytest.ini": "[pytest]\naddopts = --collect-only\n",
        "setup.cfg": "[tool:pytest]\naddopts = --collect-only\n",
        "sitecustomize.py": "1 / 0",
        "shop.egg-info/entry_points.txt": "[pytest11]\nx = nothing\n",
        "a.pth": "import os; os._exit(0)\n",
    }
    own = {"tests/test_own.py": "def test_own(): pass", "tests/test_first.py": "def test_x(): pass"}
    found = replayed(tmp_path, {"shop.py": SHOP, **hooks, **own}, {"shop.py": SHOP})
    assert tuple(run.node_id for run in found.suite.nodes) == NODES
    assert found.set_aside == tuple(sorted(hooks))
    assert judged(found).verdict is Verdict.PASS


def test_a_source_directory_is_searched_before_what_is_installed(tmp_path: pathlib.Path) -> None:
    """``attr`` is installed where the tests run, and is the project itself here."""
    tests = {"tests/test_attr.py": "import attr\n\ndef test_it():\n    assert attr.OURS\n"}
    given = sources.pack(write(tmp_path / "own", tests), require_manifest=False)
    source = {"src/attr/__init__.py": "OURS = True\n"}
    found = replayed(tmp_path, source, source, given)
    assert [run.end for run in found.suite.nodes] == [NodeEnd.PASSED]
    assert found.loaded == ("src/attr/__init__.py",)


def test_a_module_that_stands_for_an_installed_one_is_left_out(tmp_path: pathlib.Path) -> None:
    tests = {"tests/test_it.py": "import shop, attr\n\ndef test_it():\n    assert attr.define\n"}
    given = sources.pack(write(tmp_path / "own", tests), require_manifest=False)
    planted = {"shop.py": SHOP, "attr/__init__.py": "define = 1\n"}
    found = replayed(tmp_path, planted, {"shop.py": SHOP}, given)
    assert found.planted == ("attr/__init__.py",)
    assert "run.planted" in rules(judged(found))


def test_a_file_named_as_a_standard_module_is_not_taken_for_it(tmp_path: pathlib.Path) -> None:
    source = {"shop.py": SHOP, "random.py": "1 / 0\n", "json.py": "1 / 0\n"}
    assert judged(replayed(tmp_path, source, source)).verdict is Verdict.PASS


def test_links_that_lead_out_are_left_out(tmp_path: pathlib.Path) -> None:
    candidate = write(tmp_path / "candidate", {"shop.py": SHOP, "real/part.py": ""})
    (candidate / "out").symlink_to("/etc/passwd")
    (candidate / "up").symlink_to("../pack")
    (candidate / "real" / "tests").symlink_to("../tests")
    (candidate / "fine.py").symlink_to("real/part.py")
    found = sources.replay(pack(tmp_path), candidate, settings=ReplaySettings(limits=SMALL))
    assert found.set_aside == ("out", "real/tests", "up")
    assert judged(found).verdict is Verdict.PASS


def test_an_incomplete_tree_is_refused(tmp_path: pathlib.Path) -> None:
    tree = attrs.evolve(sources.tree(write(tmp_path / "c", {"shop.py": SHOP})), unseen=("a: why",))
    with pytest.raises(InputError, match="not complete: a: why"):
        sources.replay(pack(tmp_path), tree)


def test_a_pack_without_tests_is_refused(tmp_path: pathlib.Path) -> None:
    empty = sources.pack(write(tmp_path / "p", {"fixtures/x": ""}), require_manifest=False)
    with pytest.raises(InputError, match="no tests"):
        replayed(tmp_path, {"shop.py": SHOP}, given=empty)


def test_tests_that_do_not_run_over_the_parent_are_no_oracle(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="over the parent"):
        replayed(tmp_path, {"shop.py": SHOP}, {"shop.py": "1 / 0"})


def test_an_interpreter_of_the_candidates_is_refused(tmp_path: pathlib.Path) -> None:
    tree = attrs.evolve(sources.tree(write(tmp_path / "c", {"shop.py": SHOP})), roots=(sys.prefix,))
    with pytest.raises(InputError, match="lies in the tree"):
        sources.replay(pack(tmp_path), tree)


def test_an_interpreter_without_the_plugin_is_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(InputError, match="has no pytest_nowhere"):
        replayed(tmp_path, {"shop.py": SHOP}, settings=ReplaySettings(plugins=["pytest_nowhere"]))


def test_without_a_sandbox_it_is_said(tmp_path: pathlib.Path) -> None:
    settings = ReplaySettings(limits=SMALL, isolation=Isolation.NONE)
    found = replayed(tmp_path, {"shop.py": SHOP}, {"shop.py": SHOP}, settings=settings)
    report = judged(found)
    assert (report.verdict, rules(report)) == (Verdict.PASS, {"run.unsandboxed"})
    assert tuple(run.node_id for run in found.suite.nodes) == NODES


def test_nothing_is_left_on_disk(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", os.fspath(scratch))
    replayed(tmp_path, {"shop.py": SHOP})
    assert list(scratch.iterdir()) == []


def test_a_workspace_may_be_writable_but_for_the_packs_part(tmp_path: pathlib.Path) -> None:
    tests = {
        "tests/test_it.py": """
            import pathlib, pytest, shop

            def test_own():
                pathlib.Path("out.txt").write_text("x")

            def test_pack():
                with pytest.raises(OSError):
                    pathlib.Path("tests/out.txt").write_text("x")
            """
    }
    given = sources.pack(write(tmp_path / "own", tests), require_manifest=False)
    settings = ReplaySettings(limits=SMALL, writable=True)
    found = replayed(tmp_path, {"shop.py": SHOP}, given=given, settings=settings)
    assert [run.end for run in found.suite.nodes] == [NodeEnd.PASSED] * 2


FLAKY = """
    import os, pathlib, shop

    def test_flaky():
        assert os.getpid() < 0 or {condition}

    def test_steady():
        assert shop.total([1]) == 1
    """


def _ledger(node_id: str) -> Ledger:
    return Ledger(
        [
            LedgerEntry(
                node_id=node_id,
                first_seen=datetime.date(2026, 9, 1),
                expires=datetime.date(2026, 10, 1),
                signature="AssertionError",
                owner="ann",
                allowed_action=AllowedAction.QUARANTINE,
            )
        ]
    )


def test_nodes_of_the_ledger_run_again(tmp_path: pathlib.Path) -> None:
    tests = {"tests/test_f.py": FLAKY.format(condition="os.urandom(1)[0] < 0")}
    node = "tests/test_f.py::test_flaky"
    given = sources.pack(write(tmp_path / "own", tests), require_manifest=False)
    given = attrs.evolve(given, ledger=_ledger(node))
    settings = ReplaySettings(limits=SMALL, reruns=2)
    found = replayed(tmp_path, {"shop.py": SHOP}, {"shop.py": SHOP}, given, settings)
    assert [run.end for run in found.suite.by_node[node]] == [NodeEnd.FAILED] * 3
    assert len(found.suite.by_node["tests/test_f.py::test_steady"]) == 1
    assert found.repeated == ()
    today = AsOf(datetime.date(2026, 10, 1))
    assert judged(found, given.ledger, today).verdict is Verdict.PASS
    assert judged(found, given.ledger, AsOf(datetime.date(2026, 10, 2))).verdict is (
        Verdict.VIOLATION
    )


def test_what_the_parent_does_as_well_is_no_deed(tmp_path: pathlib.Path) -> None:
    looking = f"import sys\nframe = sys._getframe(0)\n{SHOP}"
    same = judged(replayed(tmp_path / "same", {"shop.py": looking}, {"shop.py": looking}))
    assert same.verdict is Verdict.PASS
    new = judged(replayed(tmp_path / "new", {"shop.py": looking}, {"shop.py": SHOP}))
    assert (new.verdict, rules(new)) == (Verdict.VIOLATION, {"run.tampered"})
    alone = judged(replayed(tmp_path / "alone", {"shop.py": looking}))
    assert alone.verdict is Verdict.INCONCLUSIVE


def test_honest_products_do_no_deeds(tmp_path: pathlib.Path) -> None:
    product = """
        import collections, dataclasses, enum, functools, gc, inspect, logging, os, signal
        import subprocess, sys, threading, typing, unittest.mock, warnings, weakref

        @dataclasses.dataclass(order=True)
        class Money:
            cents: int

        Row = collections.namedtuple("Row", "a b")
        Colour = enum.Enum("Colour", "RED GREEN")

        class Loose:
            def __eq__(self, other):
                return isinstance(other, Loose)

        def total(prices):
            warnings.warn("old", DeprecationWarning, stacklevel=2)
            logging.getLogger(__name__).warning("%s", inspect.signature(total))
            gc.collect()
            worker = threading.Thread(target=len, args=("",))
            worker.start(); worker.join()
            subprocess.run([sys.executable, "-c", "pass"], check=True)
            if os.fork() == 0:
                os._exit(3)
            os.wait()
            return sum(prices)
        """
    found = replayed(tmp_path, {"shop.py": product})
    assert (found.deeds, judged(found).verdict) == ((), Verdict.PASS)
