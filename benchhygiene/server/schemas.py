"""What the server's tools take, answer and declare, as JSON Schema 2020-12."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from benchhygiene.core.json import JSON


@attrs.frozen(eq=False)
class ToolDeclaration:
    """One tool. Every one only reads, and asks nobody outside unless it is ``open_world``."""

    name: str
    title: str
    description: str
    input: Mapping[str, JSON]
    output: Mapping[str, JSON]
    open_world: bool = False


def _object(
    properties: Mapping[str, JSON], *required: str, is_open: bool = False
) -> dict[str, JSON]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": is_open,
    }


def _text(meaning: str, **more: JSON) -> JSON:
    return {"type": "string", "maxLength": 4096, "description": meaning, **more}


def _list(items: JSON, meaning: str, most: int = 200) -> JSON:
    return {"type": "array", "items": items, "maxItems": most, "description": meaning}


_WORD: JSON = {"type": "string", "maxLength": 4096}
_DATE = _text("The day to judge by, YYYY-MM-DD. Default: today.", pattern=r"^\d{4}-\d{2}-\d{2}$")
_MOST: JSON = {
    "type": "integer",
    "minimum": 1,
    "maximum": 2000,
    "description": "How many findings to give at most; findings_total counts all. Default: 200.",
}
_INVOCATION: dict[str, JSON] = {
    "path": _text("The workspace: the directory that pytest is run in, below the server's root."),
    "tests": _list(_WORD, "The arguments of pytest after `python -m pytest`. Default: none."),
    "pytest": _text("The version of pytest to predict for.", pattern=r"^\d+(\.\d+)*$"),
    "python": _text("The version of Python to predict for.", pattern=r"^\d+\.\d+(\.\d+)?$"),
    "plugins": {
        "type": "object",
        "additionalProperties": _WORD,
        "maxProperties": 200,
        "description": "Every distribution that is installed with pytest, by its version.",
    },
    "environ": {
        "type": "object",
        "additionalProperties": _WORD,
        "maxProperties": 50,
        "description": "Variables of the grader's environment, such as PYTEST_ADDOPTS.",
    },
}
_ANALYSIS: dict[str, JSON] = {
    "ok": {"type": "boolean", "description": "Whether the workspace could be inspected."},
    "workspace": {"type": "string"},
    "ini_chain": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "file": {"type": "string"},
                "addopts": {"type": ["string", "null"]},
                "outcome": {"type": "string"},
                "reason": {"type": "string"},
            },
            "required": ["file", "addopts"],
        },
        "description": "The config files that pytest looks at, in its order.",
    },
    "effective_addopts": {"type": ["string", "null"]},
    "will_corrupt_grading": {"type": "boolean"},
    "verdict": {"enum": ["CORRUPTED", "CLEAN", "UNKNOWN"]},
    "fixed_command": {"type": ["array", "null"], "items": {"type": "string"}},
    "reasons": {"type": "array", "items": {"type": "string"}},
    "fails_passing_suite": {
        "type": ["boolean", "null"],
        "description": "Whether a suite that passes would really exit non-zero; null: unknown.",
    },
    "error": {"type": "string"},
}
_KEYS = tuple(_ANALYSIS)[:8]
_REPORT: dict[str, JSON] = {
    "ok": {"type": "boolean", "description": "Whether a report could be made."},
    "verdict": {"enum": ["pass", "violation", "inconclusive", "not_applicable"]},
    "findings": {"type": "array", "items": {"type": "object"}},
    "findings_total": {"type": "integer"},
    "outcomes": {"type": "array", "items": {"type": "object"}},
    "notes": {"type": "array", "items": {"type": "string"}},
    "error": {"type": "string"},
}
_REPORTED = _object(_REPORT, "ok", "verdict", is_open=True)
_RULE: JSON = _object(
    {
        "id": {"type": "string"},
        "severity": {"type": "string"},
        "summary": {"type": "string"},
        "analyzer": {"type": "string"},
        "text": {"type": "string", "description": "All that the rule says of itself, Markdown."},
    },
    "id",
    "severity",
    "summary",
    is_open=True,
)

DECLARATIONS = (
    ToolDeclaration(
        "inspect_workspace",
        "Inspect a workspace's pytest configuration",
        "Tell which pytest configuration a command in the workspace inherits, and whether that "
        "makes the grade untrue. Nothing in the workspace is run.",
        _object(_INVOCATION, "path"),
        _object(_ANALYSIS, *_KEYS, is_open=True),
    ),
    ToolDeclaration(
        "check_addopts",
        "Check inherited addopts",
        "Tell whether inherited addopts corrupt grading in the workspace, and why.",
        _object(_INVOCATION, "path"),
        _object(
            {**_ANALYSIS, "path": {"type": "string"}, "corrupted": {"type": "boolean"}},
            *_KEYS,
            "path",
            "corrupted",
            is_open=True,
        ),
    ),
    ToolDeclaration(
        "summarize",
        "Summarize an inspection",
        "Say in one line what inspect_workspace found: of its answer, or of the workspace at a "
        "path.",
        _object(
            {
                **_INVOCATION,
                "analysis": {"type": "object", "description": "What inspect_workspace answered."},
            }
        ),
        _object({**_ANALYSIS, "result": {"type": "string"}}, "ok", "result", is_open=True),
    ),
    ToolDeclaration(
        "diff_surface",
        "Compare two trees' test surfaces",
        "Judge what a change does to the tests, their configuration and harness: parent against "
        "candidate, or against the parent with a patch.",
        _object(
            {
                "parent": _text("The directory before the change."),
                "candidate": _text("The directory after the change; left out where a patch is."),
                "patch": {"type": "string", "description": "A unified diff to the parent."},
                "pack": _text("A witness pack that allows changes."),
                "date": _DATE,
                "max_findings": _MOST,
            },
            "parent",
        ),
        _REPORTED,
    ),
    ToolDeclaration(
        "check_ledger",
        "Check a flake ledger",
        "Judge a ledger of flaky tests for a day: what has expired, dangles or is over its limits.",
        _object(
            {
                "path": _text("A ledger file, or a directory with a witness pack."),
                "tree": _text("The tree whose tests its entries must name."),
                "parent": _text("The ledger, or pack, before a change of it."),
                "date": _DATE,
                "max_findings": _MOST,
            },
            "path",
        ),
        _REPORTED,
    ),
    ToolDeclaration(
        "verify_pack",
        "Verify a witness pack",
        "Hold a witness pack, a directory or an archive, against its manifest of digests. "
        "Signatures are not looked at.",
        _object({"path": _text("The pack's directory or archive.")}, "path"),
        _object(
            {
                "ok": {"type": "boolean"},
                "verdict": {"enum": ["pass", "violation", "inconclusive"]},
                "faults": {"type": "array", "items": {"type": "object"}},
                "error": {"type": "string"},
            },
            "ok",
            "verdict",
            is_open=True,
        ),
    ),
    ToolDeclaration(
        "lint_tools",
        "Lint an MCP server's declarations",
        "Say what is wrong with the hints and schemas of an MCP server's tools, from their raw "
        "bytes: a saved listing, or a server behind a URL. No tool is called, no command is run.",
        _object(
            {
                "listing": _text("A file that `benchhygiene mcp tools --save` wrote."),
                "url": _text("A server's endpoint over streamable HTTP.", pattern="^https?://"),
                "max_findings": _MOST,
            }
        ),
        _REPORTED,
        open_world=True,
    ),
    ToolDeclaration(
        "explain_rule",
        "Explain a rule",
        "Say what a rule, or every rule of an analyzer, means.",
        _object({"name": _text("A rule such as ini.coverage_gate, or an analyzer.")}, "name"),
        _object(
            {
                "ok": {"type": "boolean"},
                "rules": {"type": "array", "items": _RULE},
                "error": {"type": "string"},
            },
            "ok",
            "rules",
            is_open=True,
        ),
    ),
)
