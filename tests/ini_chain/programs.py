"""Small programs whose lines are counted and measured by the real coverage.py."""

from __future__ import annotations

#: Every module-level function named test... is called, as a suite that passes would do.
PROGRAMS: dict[str, str] = {
    "plain": ("a = 1\nb = 2\n"),
    "semicolon": "a = 1; b = 2\n",
    "oneline_if": ("if 1 > 2: a = 1\nb = 1\n"),
    "if_else": ("import sys\nif sys.argv:\n    a = 1\nelse:\n    a = 2\n"),
    "elif": (
        "import sys\nif not sys.argv:\n    a = 1\nelif sys.argv:\n    a = 2\nelse:\n    a = 3\n"
    ),
    "try": ("try:\n    a = 1\nexcept ValueError:\n    a = 2\n"),
    "try_raised": (
        "try:\n"
        "    raise ValueError\n"
        "except ValueError:\n"
        "    a = 2\n"
        "else:\n"
        "    a = 3\n"
        "finally:\n"
        "    a = 4\n"
    ),
    "try_multi": (
        "try:\n"
        "    a = int('x')\n"
        "except TypeError:\n"
        "    a = 2\n"
        "except (ValueError, KeyError) as e:\n"
        "    a = 3\n"
    ),
    "decorated": ("import functools\n@functools.cache\ndef f():\n    return 1\nf()\n"),
    "decorated2": (
        "import functools\n@functools.wraps(len)\n@functools.cache\ndef f():\n    return 1\nf()\n"
    ),
    "deco_class": (
        "import dataclasses\n@dataclasses.dataclass\nclass A:\n    x: int\n    y: int = 1\n"
    ),
    "docstring": (
        '"""Doc."""\nimport os\ndef f():\n    """Doc."""\n    return 1\nclass A:\n    """Doc."""\n'
    ),
    "string_expr": ("a = 1\n'x'\nb = 2\n"),
    "ellipsis": ("def f(): ...\ndef g():\n    ...\n"),
    "pass": ("def f():\n    pass\nf()\nif 1 < 2:\n    pass\n"),
    "global": ("def f():\n    global x\n    x = 1\nf()\n"),
    "annot_fn": ("def f():\n    x: int\n    y: int = 1\nf()\nz: int\n"),
    "if_false": ("if False:\n    a = 1\nb = 1\n"),
    "if_zero_else": ("if 0:\n    a = 1\nelse:\n    a = 2\n"),
    "if_true": ("if True:\n    a = 1\nelse:\n    a = 2\n"),
    "debug": ("if __debug__:\n    a = 1\n"),
    "while_true": ("while True:\n    break\n"),
    "while_true2": (
        "n = 0\nwhile True:\n    n += 1\n    if n > 3:\n        break\nelse:\n    n = 9\n"
    ),
    "dead": ("def f():\n    return 1\n    a = 2\nf()\n"),
    "dead_raise": ("def f():\n    raise ValueError\n    a = 2\n"),
    "type_checking": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import os\na = 1\n"
    ),
    "main_guard": ("a = 1\nif __name__ == '__main__':\n    a = 2\n"),
    "match": ("x = 1\nmatch x:\n    case 1:\n        a = 1\n    case _:\n        a = 2\n"),
    "with": ("import contextlib\nwith contextlib.nullcontext():\n    a = 1\n    b = 2\n"),
    "suppress": (
        "import contextlib\n"
        "with contextlib.suppress(ValueError):\n"
        "    raise ValueError\n"
        "    b = 2\n"
    ),
    "suppress2": (
        "import contextlib\nwith contextlib.suppress(ValueError):\n    int('x')\n    b = 2\nc = 3\n"
    ),
    "raises": (
        "import pytest\n"
        "def test_a():\n"
        "    with pytest.raises(ValueError):\n"
        "        int('x')\n"
        "        b = 2\n"
    ),
    "multiline": ("a = [\n    1,\n    2,\n]\nb = dict(\n    x=1,\n)\n"),
    "multistr": ("a = '''\nx\ny\n'''\n"),
    "lambda": ("f = lambda: (\n    1 +\n    2\n)\n"),
    "lambda2": ("f = [lambda:\n    1]\n"),
    "compre": ("a = [x\n    for x in range(3)\n    if x]\n"),
    "nested": ("def f():\n    def g():\n        return 1\n    return g\nf()\n"),
    "class": (
        "class A:\n"
        "    x = 1\n"
        "    def m(self):\n"
        "        return 1\n"
        "    @property\n"
        "    def p(self):\n"
        "        return 2\n"
        "A().m()\n"
    ),
    "named_uncalled": (
        "def used():\n    return 1\ndef unused():\n    a = 1\n    return a\nused()\n"
    ),
    "test_call": ("def test_a():\n    test_b()\ndef test_b():\n    a = 1\n"),
    "future": ("from __future__ import annotations\nimport os\n"),
    "async": (
        "async def f():\n"
        "    async with g() as h:\n"
        "        a = 1\n"
        "    async for x in h:\n"
        "        b = 1\n"
    ),
    "for_else": ("for x in []:\n    a = 1\nelse:\n    b = 2\nc = 1\n"),
    "while_cond": ("n = 0\nwhile n < 2:\n    n += 1\nd = 1\n"),
    "early": ("def test_a():\n    for x in [1]:\n        return\n    a = 1\n"),
    "early2": ("def test_a():\n    if 1 < 2:\n        return\n    a = 1\n"),
    "assert": ("assert 1, (\n  'x')\ndel_me = 1\ndel del_me\n"),
    "import_multi": ("from os import (\n    path,\n    sep,\n)\n"),
    "if_line": ("x = 1\nif (x and\n    x):\n    y = 2\n"),
    "starred": ("def f(a,\n      b=1):\n    return a\nf(1)\n"),
    "deffolded": ("def f(a=1, *, b=[\n  1]):\n    return a\n"),
    "exc_group": ("try:\n    a = 1\nexcept* ValueError:\n    a = 2\n"),
    "try_finally": ("def f():\n    try:\n        return 1\n    finally:\n        a = 2\nf()\n"),
    "nested_class": ("class A:\n    class B:\n        x = 1\n    y = 2\n"),
    "constant_stmt": ("1\n2.5\nNone\nx = 1\nx\n"),
    "tuple_stmt": ("x = 1\n(x,\n x)\n"),
    "empty": "",
    "onlydoc": '"""x"""\n',
    "comment": "# x\n",
    "continue": ("for i in range(2):\n    if i:\n        continue\n    a = 1\n"),
    "if_not_false": ("if not False:\n    a = 1\nelse:\n    b = 1\n"),
    "if_str": ("if 'x':\n    a = 1\n"),
    "while_false": ("while False:\n    a = 1\nb = 1\n"),
    "while_1": ("def f():\n    while 1:\n        return 1\n    a = 2\nf()\n"),
    "generator": ("def g():\n    yield 1\n    a = 2\nnext(g())\n"),
    "skip": (
        "import pytest\n"
        "def test_a():\n"
        "    a = 1\n"
        "    try:\n"
        "        pytest.skip('x')\n"
        "    except BaseException: pass\n"
        "    b = 1\n"
    ),
    "const_if_and": ("x = 1\nif x and False:\n    a = 1\n"),
    "protocol": (
        "from typing import Protocol\n"
        "class P(Protocol):\n"
        "    def m(self) -> int: ...\n"
        "    def n(self) -> int:\n"
        "        '''doc'''\n"
        "        ...\n"
    ),
    "overload": (
        "from typing import overload\n"
        "@overload\n"
        "def f(x: int) -> int: ...\n"
        "@overload\n"
        "def f(x: str) -> str: ...\n"
        "def f(x):\n"
        "    return x\n"
    ),
    "type_alias": "a = 1\n",
    "return_multi": ("def f():\n    return (\n        1,\n        2)\nf()\n"),
    "chain": ("x = (1).__add__(\n    2\n).__add__(3)\n"),
    "fstring": ("x = f'''\n{1}\n{2}\n'''\n"),
    "dictcomp": ("x = {\n  k: v\n  for k, v in {}.items()\n}\n"),
    "backslash": ("x = 1 + \\\n  2\n"),
    "ifexp": ("x = (1\n  if 1 else\n  2)\n"),
    "walrus": ("if (n := 3) > 2:\n    y = n\n"),
}
