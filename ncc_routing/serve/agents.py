"""The service for agents: tools over MCP, each a call in a process."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.types import (
    CallToolResult,
    ListToolsResult,
    TextContent,
    Tool,
    ToolAnnotations,
)

from ncc_routing.core.exceptions import DeadProcessError, NccRoutingError
from ncc_routing.core.extras import require_version
from ncc_routing.serve.params import GRACE
from ncc_routing.serve.pool import Pool, told
from ncc_routing.serve.work import warm_up

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence


class AgentTool(NamedTuple):
    """A tool: what an agent is told of it, and what a call of it does.

    ``schema`` is the JSON schema of the arguments. ``prepare`` returns what
    ``run`` is called with in a process, or raises ``NccRoutingError``. ``run``
    returns an answer, what was noted on the way, and whether it failed.
    ``searches`` is whether it keeps the time limit by itself.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    prepare: Callable[[Mapping[str, Any]], tuple[object, ...]]
    run: Callable[..., tuple[str, str, bool]]
    searches: bool


def make_server(
    tools: Sequence[AgentTool], time_limit: float, instructions: str
) -> Server[Pool]:
    """Return a server of MCP, which answers calls one after the other.

    ``time_limit`` is the most seconds of a call. A search is stopped
    ``GRACE`` seconds later, anything else at once, and so is a call that is
    cancelled: its process ends.
    """
    require_version("mcp", (2, 0), (3, 0))
    by_name = {tool.name: tool for tool in tools}
    turn = asyncio.Lock()

    @asynccontextmanager
    async def lifespan(_: Server[Pool]) -> AsyncIterator[Pool]:
        pool = Pool(1, 1, warm_up)
        try:
            await pool.open()
            yield pool
        finally:
            pool.close()

    async def list_tools(*_: object) -> ListToolsResult:
        return ListToolsResult(tools=[_declared(tool) for tool in tools])

    async def call_tool(context: Any, asked: Any) -> CallToolResult:
        tool = by_name.get(asked.name)
        if tool is None:
            return _failure(f"there is no tool {asked.name}.")
        pool: Pool = context.lifespan_context
        seconds = time_limit + GRACE * tool.searches
        try:
            async with turn:
                prepared = tool.prepare(asked.arguments or {})
                ended, _ = await pool.call(seconds, tool.run, *prepared)
        except (DeadProcessError, TimeoutError) as error:
            return _failure(told(error))
        except NccRoutingError as error:
            return _failure(str(error))
        return _result(*ended)

    return Server(
        "ncc_routing",
        version=version("ncc_routing"),
        instructions=instructions,
        lifespan=lifespan,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def listen(server: Server[Pool]) -> None:
    """Answer the client on the standard streams until it closes them."""

    async def run() -> None:
        async with stdio_server() as (read, write):
            options = server.create_initialization_options()
            await server.run(read, write, options)

    anyio.run(run)


def _declared(tool: AgentTool) -> Tool:
    # No tool replaces a file or leaves the machine.
    hints = ToolAnnotations(destructive_hint=False, open_world_hint=False)
    return Tool(
        name=tool.name,
        description=tool.description,
        input_schema=dict(tool.schema),
        annotations=hints,
    )


def _result(said: str, noted: str, failed: bool) -> CallToolResult:
    texts = filter(None, (said.strip(), noted.strip()))
    return CallToolResult(
        content=[TextContent(text=text) for text in texts], is_error=failed
    )


def _failure(text: str) -> CallToolResult:
    return _result("", text, True)
