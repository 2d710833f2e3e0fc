"""A tree made of another one's is the tree of the text."""

from __future__ import annotations

import ast

from hypothesis import example, given
from hypothesis import strategies as st

from benchhygiene.evidence.tree import Change, Memo, SourceTree
from benchhygiene.inventory.python import PythonFile, parse

PIECES = (
    "import os\n",
    "x = 1\n",
    "x = 1; y = 2\n",
    "x = 1; \\\ny = 2\n",
    "if x:\n    y = 1\n",
    "elif y:\n    pass\n",
    "else:\n    z = 1\n",
    "try:\n    pass\n",
    "except E:\n    pass\n",
    "def test_a():\n    assert 1\n",
    "    assert 2\n",
    "class A:\n    def test_b(self):\n        assert 1\n",
    "    def test_c(self): pass\n",
    "@mark\n",
    "@\\\nmark\n",
    "async def test_d(): pass\n",
    'y = """\n',
    "text = '''a\ndef test_e(): pass\n'''\n",
    "z = (1,\n",
    "2)\n",
    "x = \\\n",
    "\n",
    "# why\n",
    "   # deep\n",
    "\tpass\n",
    "\fx = 3\n",
    "é = 'ü'\n",
    "from __future__ import barry_as_FLUFL\n",
    "a <> b\n",
    "x = '\\d'\n",
    "\0",
    "pass",
)
texts = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)


def shown(file: PythonFile) -> tuple[str, str | None, bool, str | None]:
    tree = ast.dump(file.module, include_attributes=True) if file.module is not None else None
    return file.text, file.error, file.is_broken, tree


@given(texts, texts)
@example("x = 1\nif x:\n    y = 1\n", "x = 1\nif x:\n    y = 1\nelse:\n    z = 1\n")
@example("x = 1\nif x:\n    y = 1\nz = 1\n", "x = 1\nif x:\n    y = 2\nz = 1\n")
@example("x = 1\n@mark\ndef f(): pass\n", "x = 1\n@\\\nmark\ndef f(): pass\n")
@example("x = 1\n@\\\nmark\ndef f(): pass\ny = 1\n", "x = 1\n@\\\nmark\ndef f(): pass\ny = 2\n")
@example("x = 1; \\\ny = 2\nz = 1\n", "x = 1; \\\ny = 2\nz = 2\n")
@example("x = 1\ny = 2\nz = 1\n", "x = 1 \\\ny = 2\nz = 1\n")
@example("x = 1\ny = 2\nz = 1\n", "x = '''\ny = 2\nz = 1\n")
@example("x = 1\ny = 2\nz = 1\n", "x = 1\n  y = 2\nz = 1\n")
@example("x = 1\ny = 2\n", "x = 1\ny = 2")
def test_a_revised_file_is_as_if_parsed_alone(old: str, new: str) -> None:
    before, data = parse(old.encode()), new.encode()
    assert shown(parse.revised(before, data)) == shown(parse(data))


@given(texts, st.lists(st.sampled_from(PIECES), max_size=3).map("".join), texts, texts)
def test_so_it_is_whatever_stands_around_the_change(
    above: str, old: str, new: str, below: str
) -> None:
    before, data = parse((above + old + below).encode()), (above + new + below).encode()
    assert shown(parse.revised(before, data)) == shown(parse(data))


def test_statements_around_the_change_are_not_read_again() -> None:
    old = b"def a(): pass\ndef b(): pass\ndef c(): pass\ndef d(): pass\n"
    before, after = parse(old), parse.revised(parse(old), old.replace(b"c(): pass", b"c(): 1"))
    assert shown(after) == shown(parse(old.replace(b"c(): pass", b"c(): 1")))
    again = parse.revised(before, old.replace(b"c(): pass", b"c(): 1"))
    assert [one is other for one, other in zip(before.body, again.body, strict=True)] == [
        True,
        False,  # a word on the next line could have gone on with it
        False,
        True,
    ]


def test_trees_that_share_a_memo_share_statements() -> None:
    memo = Memo()
    trees = [
        SourceTree({"test_a.py": f"import os\ndef test_a(): pass\nx = {n}\n"}, memo=memo)
        for n in range(2)
    ]
    change = Change(*trees)
    old, new = (tree.derived("test_a.py", parse) for tree in (change.parent, change.candidate))
    assert old.body[0] is new.body[0]
    assert shown(new) == shown(parse(trees[1].read("test_a.py")))
