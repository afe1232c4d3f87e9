"""The entry point of the command: every exception becomes a message and an exit status."""

from __future__ import annotations

import gc
import os
import sys
import traceback
from collections.abc import Sequence
from contextvars import copy_context
from typing import Any

import typer

from rulewright.base.diagnostics import RulesError
from rulewright.cli.views.output import Exit, Output

from .app import app_of
from .usage_errors import file_error, internal_error, usage_error

CallError: type[Any] = typer.BadParameter.__mro__[2]
"""The exception that typer raises for a wrong command line; its base class has no public name."""


def main() -> None:
    """Run the command line of this process."""
    # Most objects made at start-up survive: collecting them again and again takes a tenth of a short command,
    # and so does the final collection at exit.
    gc.set_threshold(200_000, 20, 20)
    status = run(sys.argv[1:])
    gc.freeze()
    sys.exit(status)


def run(arguments: Sequence[str]) -> int:
    """Run a command line; returns the exit status."""
    output = Output(as_json="--json" in arguments)
    try:
        status = copy_context().run(_invoke, arguments)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # The reader closed the pipe; nothing may be written to it during shutdown.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.YES
    except RulesError as error:
        return _wrong(error, output)
    except OSError as error:
        name = f"`{error.filename}`: " if error.filename else ""
        return _wrong(file_error(name + (error.strerror or str(error)).lower()), output)
    except CallError as error:
        return _misused(error, output)
    except Exception as error:
        return _bug(error, output)


def _invoke(arguments: Sequence[str]) -> int:
    command: Any = typer.main.get_command(app_of(arguments))
    try:
        with command.make_context("rulewright", list(arguments)) as context:
            return int(command.invoke(context) or 0)
    except typer.Exit as end:
        return int(end.exit_code)


def _wrong(error: RulesError, output: Output) -> int:
    from rulewright.cli.views.render_diagnostics import report

    report(error.diagnostics, output)
    return Exit.WRONG


def _misused(error: Any, output: Output) -> int:
    if type(error).__name__ == "NoArgsIsHelpError":
        output.say(error.format_message())
        return Exit.WRONG
    context = getattr(error, "ctx", None)
    hint = f"see `{context.command_path} --help`" if context is not None else ""
    option, parent = getattr(error, "option_name", ""), getattr(context, "parent", None)
    if context is not None and parent is not None and any(option in parameter.opts for parameter in parent.command.params):
        hint = f"put it before the command: `{parent.command_path} {option} … {context.command.name}`"
    return _wrong(usage_error(error.format_message().rstrip("."), hint), output)


def _bug(error: Exception, output: Output) -> int:
    if os.environ.get("RULEWRIGHT_DEBUG"):
        traceback.print_exception(error)
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    _wrong(internal_error(f"{what}; this is a bug in Rulewright: please report it with your files and the command"), output)
    return Exit.BUG


if __name__ == "__main__":
    main()
