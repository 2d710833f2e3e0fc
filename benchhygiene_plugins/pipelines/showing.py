"""Commands as one line of text."""

from __future__ import annotations

from benchhygiene_plugins.pipelines.syntax import AndOr, Compound, Simple, Statements


def all_shown(found: Statements) -> str:
    """Return statements as one line."""
    return "; ".join(statement_shown(each) for each in found)


def statement_shown(statement: AndOr) -> str:
    """Return a statement as one line, without quotes."""
    parts = list[str]()
    for index, pipeline in enumerate(statement.pipelines):
        parts += [statement.operators[index - 1]] if index else []
        parts += ["!"] if pipeline.is_negated else []
        parts.append(" | ".join(shown(command) for command in pipeline.commands))
    return " ".join(parts)


def shown(command: Simple | Compound) -> str:
    """Return a command as one line, without quotes."""
    if isinstance(command, Simple):
        return " ".join(command.texts)
    inside = "; ".join(all_shown(part) for _, part in command.parts)
    return f"{{ {inside}; }}" if command.kind in ("{", "(") else f"{command.kind} ... {inside}"
