"""The rules of ``mcp-hints`` and their findings."""

from __future__ import annotations

import attrs

from benchhygiene import BaseFinding, Location, Rule, Severity, SymbolKind, Verdict

MALFORMED_HINT = Rule(
    "mcp.malformed_hint",
    "A hint is not true or false, so clients disagree about what it says",
    Severity.ERROR,
    edit='declares "true", 1, null or a list',
    seen="the raw text of every page",
)
MALFORMED_ANNOTATIONS = Rule(
    "mcp.malformed_annotations",
    "The annotations of a tool are no object",
    Severity.ERROR,
    edit="sends a list or text for annotations",
    seen="the raw text of every page",
)
DUPLICATE_KEY = Rule(
    "mcp.duplicate_key",
    "A key stands twice in one object, so the declaration depends on the parser",
    Severity.ERROR,
    edit="declares a hint twice, once spelled with an escape",
    seen="every object of every page, after escapes are resolved",
)
MISPLACED_HINT = Rule(
    "mcp.misplaced_hint",
    "A hint stands beside the annotations or under a similar name, where clients pass it over",
    Severity.ERROR,
    edit="writes read_only_hint, or a hint beside its annotations",
    seen="keys with a hint's letters in a tool or its annotations",
    unseen="misspelled letters",
)
DUPLICATE_TOOL = Rule(
    "mcp.duplicate_tool",
    "A tool is declared twice",
    Severity.ERROR,
    edit="lists one name twice with different hints",
    seen="the names over all pages of a session",
)
MALFORMED_ENTRY = Rule(
    "mcp.malformed_entry",
    "An entry of the list is no tool",
    Severity.ERROR,
    edit="sends null, or a tool without a name",
    seen="every entry of every page",
)
MALFORMED_PAGE = Rule(
    "mcp.malformed_page",
    "An answer to tools/list cannot be read",
    Severity.ERROR,
    edit="answers with what is no JSON, no result or no list",
    seen="every page",
)
UNFINISHED = Rule(
    "mcp.unfinished_listing",
    "The listing came to no end, so there may be tools that nobody has seen",
    Severity.ERROR,
    edit="goes away, answers late, or hands out pages without end",
    seen="how every session ended",
)
NOISE = Rule(
    "mcp.stdout_noise",
    "The server writes what is no message to its standard output",
    Severity.ERROR,
    edit="prints a banner",
    seen="lines of standard output that are no JSON object",
)
SCHEMA = Rule(
    "mcp.invalid_schema",
    "A schema of a tool is no JSON Schema of an object",
    Severity.ERROR,
    edit="sends no inputSchema, null or a misspelled type",
    seen="the metaschema of the declared dialect, 2020-12 by default",
    unseen="schemas that cannot be satisfied; what a reference leads to",
)
NAME = Rule(
    "mcp.invalid_name",
    "A tool's name has more than 128 characters or ones that the specification does not name",
    Severity.WARNING,
    edit="uses a space or a look-alike letter in a name",
    seen="every name",
)
INCOHERENT = Rule(
    "mcp.incoherent_hints",
    "Two hints of a tool contradict one another",
    Severity.WARNING,
    edit="declares a tool read-only and destructive",
    seen="readOnlyHint with destructiveHint and idempotentHint",
)
BELIED = Rule(
    "mcp.name_contradicts_hint",
    "The name of a tool speaks against its hint, by its words alone",
    Severity.NOTE,
    edit="declares delete_file read-only",
    seen="the verb that leads a name",
    unseen="what the tool does",
)
UNDECLARED = Rule(
    "mcp.undeclared_hints",
    "Hints are not declared, and no default is assumed for them",
    Severity.NOTE,
    edit="declares nothing",
    seen="hints that are absent, counted over all tools",
)
PARSED_OTHERWISE = Rule(
    "mcp.parsed_otherwise",
    "An SDK's models hold another declaration than the server made",
    Severity.NOTE,
    edit='sends "yes" for a hint',
    seen="what mcp 1.30.0 and mcp 2.3.0 make of the same bytes",
)
TOOL_ADDED = Rule(
    "mcp.tool_added",
    "A server offers a tool that its lock does not have",
    Severity.WARNING,
    edit="adds a tool after it was agreed on",
    seen="names against the lock",
)
TOOL_REMOVED = Rule(
    "mcp.tool_removed",
    "A server no longer offers a tool of its lock",
    Severity.ERROR,
    edit="drops or renames a tool",
    seen="names against the lock",
)
HINT_LOOSENED = Rule(
    "mcp.hint_loosened",
    "A hint claims more than it did in the lock",
    Severity.ERROR,
    edit="turns readOnlyHint to true after the fact",
    seen="hints against the lock",
)
HINT_CHANGED = Rule(
    "mcp.hint_changed",
    "A hint claims less than it did in the lock",
    Severity.WARNING,
    edit="turns readOnlyHint to false",
    seen="hints against the lock",
)
DESCRIPTION_CHANGED = Rule(
    "mcp.description_changed",
    "A tool is described otherwise than in its lock",
    Severity.ERROR,
    edit="writes instructions for the model into a description",
    seen="title and description against the lock",
)
TOOL_CHANGED = Rule(
    "mcp.tool_changed",
    "A tool takes or returns other things than in its lock",
    Severity.ERROR,
    edit="adds a parameter",
    seen="schemas and every other member against the lock",
)
UNSTABLE = Rule(
    "mcp.unstable_listing",
    "A server declares different things to different sessions, or at different times",
    Severity.ERROR,
    edit="shows one description first and another later",
    seen="every session, and every round of one session, against the first",
    unseen="what changes after the last round",
)

RULES = (
    BELIED,
    DESCRIPTION_CHANGED,
    DUPLICATE_KEY,
    DUPLICATE_TOOL,
    HINT_CHANGED,
    HINT_LOOSENED,
    INCOHERENT,
    MALFORMED_ANNOTATIONS,
    MALFORMED_ENTRY,
    MALFORMED_HINT,
    MALFORMED_PAGE,
    MISPLACED_HINT,
    NAME,
    NOISE,
    PARSED_OTHERWISE,
    SCHEMA,
    TOOL_ADDED,
    TOOL_CHANGED,
    TOOL_REMOVED,
    UNDECLARED,
    UNFINISHED,
    UNSTABLE,
)


@attrs.frozen(kw_only=True)
class DeclarationFault(BaseFinding):
    """Something about a server's declarations; ``pointer`` is a JSON pointer within the tool."""

    tool: str | None = None
    pointer: str = ""


@attrs.frozen(kw_only=True)
class DeclarationDrift(BaseFinding):
    """A tool that is declared otherwise than before; ``member`` is what of it changed."""

    tool: str
    member: str = ""


def fault(
    rule: Rule,
    message: str,
    *,
    server: str,
    tool: str | None = None,
    pointer: str = "",
    text: str = "",
    is_doubt: bool = False,
) -> DeclarationFault:
    """Return a finding about a tool, or about the listing as a whole."""
    return DeclarationFault(
        rule=rule,
        message=message,
        locations=(at(server, tool),),
        new_text=text,
        verdict=Verdict.INCONCLUSIVE if is_doubt else None,
        tool=tool,
        pointer=pointer,
    )


def at(server: str, tool: str | None) -> Location:
    """Return the place of a tool: the server stands for the path."""
    kind = None if tool is None else SymbolKind.TOOL
    return Location(server, symbol=tool, symbol_kind=kind)
