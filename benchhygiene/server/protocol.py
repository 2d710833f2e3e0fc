"""The server in the protocol's words: tools, their answers with progress, and rules as resources.

The official SDK speaks both eras of the protocol; schemas and answers are ours.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeAlias

import anyio
import anyio.to_process
import jsonschema
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from benchhygiene import __version__
from benchhygiene.core.json import JSON
from benchhygiene.server.jobs import Job, Policy, failed, perform
from benchhygiene.server.rulebook import SCHEME, RuleText, read_rules
from benchhygiene.server.schemas import DECLARATIONS, ToolDeclaration

_BEAT = 1.0  # seconds between two reports of progress
_MOST_WAITING = 1_000
_INSTRUCTIONS = (
    "Tells whether a grade of an agent's code can be trusted. Paths are relative to the server's "
    "root. Nothing in a workspace is run. verdict UNKNOWN or inconclusive is never a pass."
)


_Asked: TypeAlias = "ServerRequestContext[dict[str, object], object]"


class Service:
    """The tools of one server; at most ``workers`` calls run at once, each ``seconds`` at most."""

    def __init__(self, policy: Policy, *, seconds: float = 120.0, workers: int = 2) -> None:
        self._policy = policy
        self._seconds = seconds
        self._workers = workers
        self._slots: anyio.CapacityLimiter | None = None
        self._rules: tuple[RuleText, ...] = ()
        self._tools = {each.name: each for each in DECLARATIONS}

    def server(self) -> Server[dict[str, object]]:
        """Return the SDK's server with all handlers in place."""
        return Server(
            "benchhygiene",
            version=__version__,
            title="benchhygiene",
            instructions=_INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
        )

    async def _list_tools(
        self, asked: _Asked, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(each) for each in DECLARATIONS])

    async def _call_tool(
        self, asked: _Asked, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        declaration = self._tools.get(params.name)
        if declaration is None:
            raise MCPError(types.INVALID_PARAMS, f"there is no tool {params.name[:80]!r}")
        arguments: Mapping[str, JSON] = params.arguments or {}
        job = Job(params.name, arguments, self._policy)
        fault = _fault(declaration, arguments)
        found = await self._answer(job, asked) if fault is None else failed(job, fault)
        text = found["result"] if params.name == "summarize" else json.dumps(found, indent=2)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=str(text))],
            structured_content=found,
            is_error=found["ok"] is not True,
        )

    async def _answer(self, job: Job, asked: _Asked) -> dict[str, JSON]:
        """Return the answer of a worker process, which is killed when its time is up."""
        slots = self._limiter()
        if slots.statistics().tasks_waiting >= _MOST_WAITING:
            return failed(job, "too many calls are waiting; ask again later")
        await asked.session.report_progress(0, None, "waiting for a free worker")
        found = failed(job, "cancelled")
        async with slots, anyio.create_task_group() as group:
            group.start_soon(_beat, asked)
            found = await self._perform(job)
            group.cancel_scope.cancel()
        return found

    async def _perform(self, job: Job) -> dict[str, JSON]:
        try:
            with anyio.fail_after(self._seconds):
                return await anyio.to_process.run_sync(perform, job, cancellable=True)
        except TimeoutError:
            return failed(job, f"took longer than {self._seconds:g} seconds")
        except anyio.BrokenWorkerProcess:
            return failed(job, "the worker process ended")

    def _limiter(self) -> anyio.CapacityLimiter:
        if self._slots is None:  # it belongs to the event loop, which starts later than we
            self._slots = anyio.CapacityLimiter(self._workers)
        return self._slots

    async def _rulebook(self) -> tuple[RuleText, ...]:
        if not self._rules:
            async with self._limiter():
                self._rules = await anyio.to_process.run_sync(read_rules, cancellable=True)
        return self._rules

    async def _list_resources(
        self, asked: _Asked, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        rules = await self._rulebook()
        return types.ListResourcesResult(resources=[_resource(rule) for rule in rules])

    async def _list_templates(
        self, asked: _Asked, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        template = types.ResourceTemplate(
            name="rule",
            uri_template=f"{SCHEME}{{rule}}",
            description="What a rule means",
            mime_type="text/markdown",
        )
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def _read_resource(
        self, asked: _Asked, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        for rule in await self._rulebook():
            if rule.uri == uri:
                return types.ReadResourceResult(
                    contents=[
                        types.TextResourceContents(
                            uri=uri, mime_type="text/markdown", text=rule.text
                        )
                    ]
                )
        raise MCPError(types.INVALID_PARAMS, f"there is no resource {uri[:200]!r}")


async def _beat(asked: _Asked) -> None:
    """Report progress once a second, so that nobody takes long work for a hang."""
    count = 0
    while True:
        count += 1
        await asked.session.report_progress(count, None, "judging")
        await anyio.sleep(_BEAT)


def _fault(declaration: ToolDeclaration, arguments: Mapping[str, JSON]) -> str | None:
    """Return in one line what of the arguments does not fit the tool's schema."""
    validator = jsonschema.Draft202012Validator(declaration.input)
    try:
        validator.validate(arguments)  # pyright: ignore[reportUnknownMemberType]
    except RecursionError:
        return "arguments: nested too deeply"
    except jsonschema.ValidationError as error:
        return f"arguments{error.json_path[1:]}: {error.message[:300]}"
    return None


def _tool(declaration: ToolDeclaration) -> types.Tool:
    return types.Tool(
        name=declaration.name,
        title=declaration.title,
        description=declaration.description,
        input_schema=dict(declaration.input),
        output_schema=dict(declaration.output),
        annotations=types.ToolAnnotations(
            title=declaration.title,
            read_only_hint=True,
            destructive_hint=False,
            idempotent_hint=True,
            open_world_hint=declaration.open_world,
        ),
    )


def _resource(rule: RuleText) -> types.Resource:
    return types.Resource(
        name=rule.id, uri=rule.uri, description=rule.summary, mime_type="text/markdown"
    )
