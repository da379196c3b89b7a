"""`plyground mcp` and `plyground exam`: games for agents, and what an agent gives away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from plyground.cli.output import write_json
from plyground.cli.parameters import json_option, limit_option, whole_number

if TYPE_CHECKING:
    from plyground.integrations.exam import ExamResult

THIS_MACHINE = "127.0.0.1"
"""Where a server for agents listens."""

ALL = "all"
"""Instead of a game: all that there are positions of."""


@click.command("mcp")
@click.option("--judge", is_flag=True, help="Let agents ask the judge what is known of a position.")
@click.option(
    "--http", "port", metavar="PORT", type=whole_number(1, 65535), help="Listen on this machine's port instead."
)
def mcp(judge: bool, port: int | None) -> None:
    """Let agents play by the Model Context Protocol.

    The tools list games, start one against a registered player, list its moves, play, and sit the exam (see plyground
    exam). An agent cannot name a file or a command.
    The judge can be asked only with --judge. The server speaks on stdin and stdout, or at http://127.0.0.1:PORT/mcp.
    """
    _serve(judge, port, only_exam=False)


@click.command("exam")
@click.argument("agent", metavar="AGENT")
@click.argument("game", metavar="GAME", default=ALL)
@limit_option("Seconds for each move of a bot; players of this program have their own limits.")
@click.option("--http", "port", metavar="PORT", type=whole_number(1, 65535), help="With mcp: listen on this port.")
@json_option
def exam(agent: str, game: str, limit: float, port: int | None, as_json: bool) -> None:
    """Measure what an agent gives away in positions whose truth is known.

    AGENT is a player or a bot (engine:level=3, py:bot.py, cmd:./mybot), the address of an HTTP server (http://HOST/PATH,
    which is sent the position as JSON and answers {"move": "4"}), or mcp: then this command is a server of the Model
    Context Protocol with the tools start_exam and answer_exam, and the result is on stderr at the end.

    GAME is polarized-ladder, double-card or connect-four; without it all three are asked. The regret of a move is 0 if
    it keeps the result, 1 if it turns a win into a draw or a draw into a loss, 2 if it turns a win into a loss. Answers
    that are no legal moves count as losses.
    """
    from plyground.core.specs import look_up
    from plyground.integrations.exam import ask_address, ask_player, exam_games, examine
    from plyground.referee import bots
    from plyground.search.base import NO_LIMIT, Limit

    try:
        if game != ALL:
            look_up("game of the exam", game, dict.fromkeys(exam_games()))
        if agent == "mcp":
            _serve(False, port, only_exam=True)
            return
        if port is not None:
            raise click.UsageError("--http is for the agent mcp")
        results = []
        for name in exam_games() if game == ALL else (game,):
            if agent.startswith(("http://", "https://")):
                results.append(examine(ask_address(agent), name))
                continue
            ask, close = ask_player(agent, name, Limit(seconds=limit) if bots.is_bot(agent) else NO_LIMIT)
            try:
                results.append(examine(ask, name))
            finally:
                close()
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if as_json:
        write_json([result.to_json() for result in results])
        return
    click.echo(f"exam of {agent}")
    for result in results:
        click.echo(_line(result))


def _line(result: ExamResult) -> str:
    illegal = f", {result.illegal} no legal move" if result.illegal else ""
    perfect = f"{result.perfect} of {len(result.answers)} moves perfect"
    return f"{result.game}: regret {result.regret:.3f} per move, {perfect}{illegal}"


def _serve(judge: bool, port: int | None, only_exam: bool) -> None:
    try:
        from plyground.integrations.mcp import AgentsDesk, server
    except ImportError as error:
        raise click.ClickException(str(error)) from None
    desk = AgentsDesk(judge)
    try:
        if port is None:
            server(desk, only_exam).run()
        else:
            server(desk, only_exam).run("streamable-http", host=THIS_MACHINE, port=port)
    finally:
        desk.close()
        for result in desk.finished:
            click.echo(_line(result), err=True)
