"""The entry point of the command: every exception becomes a message and an exit status.

Only what takes the signals is imported here; all else is loaded under it.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

from rulewright.base.ending import Ending, ended_by

if TYPE_CHECKING:
    from rulewright.base.diagnostics import RulesError
    from rulewright.cli.views.output import Output

COMPLETE = "_RULEWRIGHT_COMPLETE"
"""The variable in which a shell asks what may stand at the cursor."""


def main() -> None:
    """Run the command line of this process."""
    ending, status = Ending(), 0
    _open_missing_streams()
    try:
        ending.take_signals()
        # Most objects made at start-up survive: collecting them again and again takes a tenth of a short command,
        # and so does the final collection at exit.
        gc.set_threshold(200_000, 20, 20)
        status = run(sys.argv[1:], ending)
        gc.freeze()
    except KeyboardInterrupt:  # before or after the command
        ending.note()
    _drop_unwritten(sys.stdout)
    _drop_unwritten(sys.stderr)
    if ending.status:
        os._exit(status or ending.status)  # nothing is left to do, and threads in compiled code would be waited for
    sys.exit(status)


def _open_missing_streams() -> None:
    """Open what the caller has closed, so that no other file takes its number. Writing to such an output fails."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            with suppress(OSError):
                while os.open(os.devnull, os.O_RDONLY) < number:
                    pass
            setattr(sys, name, os.fdopen(number, mode))


def _drop_unwritten(stream: TextIO) -> None:
    """Flush a stream or, if that fails again, let the flush at exit go nowhere."""
    try:
        stream.flush()
    except OSError:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def run(arguments: Sequence[str], ending: Ending | None = None) -> int:
    """Run a command line; returns the exit status. Only a bug counts for more than the stop that ended the run."""
    ending = ending or Ending()
    try:
        status = _status(arguments, ending)
    except KeyboardInterrupt:
        ending.note()
        status = ending.status
    ending.close()
    from rulewright.cli.views.output import Exit

    return status if status == Exit.BUG else ending.status or status


def _status(arguments: Sequence[str], ending: Ending) -> int:
    from contextvars import copy_context

    import typer

    from rulewright.base.deadline import OutOfTime
    from rulewright.base.diagnostics import RulesError, file_error
    from rulewright.cli.views.output import STANDARD_OUTPUT, Exit, Output, naming_standard_output

    call_error: type[Any] = typer.BadParameter.__mro__[2]  # raised for a wrong command line; it has no public name
    output = Output(as_json="--json" in arguments)
    try:
        try:
            status = copy_context().run(_invoke, arguments, ending)
            with naming_standard_output():
                sys.stdout.flush()
            return status
        except OutOfTime as error:
            _wrong(error, output)
            return Exit.UNPROVED
        except RulesError as error:
            return _wrong(error, output)
        except OSError as error:
            name = f"`{error.filename}`: " if error.filename else ""
            return _wrong(file_error(name + (error.strerror or str(error)).lower()), output)
        except call_error as error:
            return _misused(error, output)
        except MemoryError:
            _wrong(file_error("the system has no more memory"), output)
            return Exit.UNPROVED
        except Exception as error:
            if isinstance(error.__cause__, KeyboardInterrupt):  # a stop while a class was made, by Python 3.11
                raise error.__cause__ from None
            return _bug(error, output)
    except OSError as error:
        # The document of errors could not be written either.
        return _wrong(file_error(f"`{STANDARD_OUTPUT}`: {(error.strerror or str(error)).lower()}"), Output())


def _invoke(arguments: Sequence[str], ending: Ending) -> int:
    import typer

    from rulewright.base.cache import cache_refusal
    from rulewright.cli.views.output import Output

    from .app import app_of

    command: Any = typer.main.get_command(app_of(arguments))
    if (asked := os.environ.get(COMPLETE)) is not None:
        from .completion import complete

        return complete(command, asked, COMPLETE)
    if refusal := cache_refusal():
        Output().say(f"warning: {refusal}")
    try:
        with ended_by(ending), command.make_context("rulewright", list(arguments)) as context:
            return int(command.invoke(context) or 0)
    except typer.Exit as end:
        return int(end.exit_code)
    except SystemExit as end:  # completion was installed or shown
        return int(end.code or 0)


def _wrong(error: RulesError, output: Output) -> int:
    from rulewright.cli.views.output import Exit, report

    report(error.diagnostics, output)
    return Exit.WRONG


def _misused(error: Any, output: Output) -> int:
    from rulewright.base.diagnostics import usage_error

    if type(error).__name__ == "NoArgsIsHelpError":
        from rulewright.cli.views.output import Exit

        output.say(error.format_message())
        return Exit.WRONG
    context = getattr(error, "ctx", None)
    hint = f"see `{context.command_path} --help`" if context is not None else ""
    option, parent = getattr(error, "option_name", ""), getattr(context, "parent", None)
    if context is not None and parent is not None and any(option in parameter.opts for parameter in parent.command.params):
        hint = f"put it before the command: `{parent.command_path} {option} … {context.command.name}`"
    return _wrong(usage_error(error.format_message().rstrip("."), hint), output)


def _bug(error: Exception, output: Output) -> int:
    from rulewright.base.diagnostics import internal_error
    from rulewright.cli.views.output import Exit

    if os.environ.get("RULEWRIGHT_DEBUG"):
        import traceback

        traceback.print_exception(error)
    what = f"{type(error).__name__}: {error}".splitlines()[0]
    _wrong(internal_error(f"{what}; this is a bug in Rulewright: please report it with your files and the command"), output)
    return Exit.BUG


if __name__ == "__main__":
    main()
