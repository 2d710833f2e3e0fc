from __future__ import annotations

import pathlib

import attrs

from benchhygiene.core.discovery import declared


def install(
    site: pathlib.Path, directory: str, name: str, *, metadata: str = "METADATA", points: str
) -> None:
    """Write the metadata directory of one distribution."""
    (site / directory).mkdir(parents=True)
    core = f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n\nName: not the header\n"
    (site / directory / metadata).write_text(core, encoding="utf-8")
    text = f"[console_scripts]\nrun = no:no\n\n[benchhygiene.analyzers]\n{points}\n"
    (site / directory / "entry_points.txt").write_text(text, encoding="utf-8")


def test_distributions_declare_in_sorted_order_whatever_wrote_them(tmp_path: pathlib.Path) -> None:
    install(tmp_path, "zeta-1.2.dist-info", "zeta", points="z = zeta:Z")
    install(
        tmp_path, "acme-1.2.egg-info", "acme", metadata="PKG-INFO", points="a = acme:A\nb = b:B"
    )
    (tmp_path / "plain-1.egg-info").write_text("Name: plain\n")
    (tmp_path / "empty-1.dist-info").mkdir()
    (tmp_path / "acme").mkdir()
    found = declared([str(tmp_path), str(tmp_path / "missing")])
    assert [attrs.astuple(one) for one in found] == [
        ("a", "acme:A", "acme", "1.2", None),
        ("b", "b:B", "acme", "1.2", None),
        ("z", "zeta:Z", "zeta", "1.2", None),
    ]


def test_of_a_distribution_that_is_there_twice_the_first_counts(tmp_path: pathlib.Path) -> None:
    first, second = tmp_path / "z", tmp_path / "a"
    install(first, "acme_x-1.2.dist-info", "Acme_X", points="one = acme:One")
    install(second, "acme_x-1.2.dist-info", "acme-x", points="one = acme:Two\nmore = acme:More")
    install(second, "other-1.2.dist-info", "other", points="o = other:O")
    found = declared(map(str, (first, second)))
    assert [one.reference for one in found] == ["acme:One", "other:O"]
