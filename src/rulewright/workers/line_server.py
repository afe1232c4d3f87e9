"""A process that answers requests, one line of JSON each; it ends with its parent and has a memory limit.

A request has a key `id`, which its reports and its answer repeat.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, TextIO

from rulewright.base.diagnostics import RulesError
from rulewright.base.host import IN_PAGE
from rulewright.base.refusals import Refused, refusal_of

from .child_process import limit_memory

Report = Callable[[dict[str, Any]], None]
Answer = Callable[[dict[str, Any], Report], dict[str, Any]]


def serve_lines(answer: Answer, memory_mib: int = 4096) -> None:
    """Answer the requests on standard input until it is closed; then exit at once, whatever is running.

    In a page: answer the messages to this worker, from the return of this function on.
    """
    if IN_PAGE:
        from . import page_process

        def answered(line: str) -> str:
            request = json.loads(line)
            number = {"id": request.get("id")}
            report = partial(_report, lambda said: page_process.say(json.dumps({**said, **number})))
            return json.dumps({**answer_or_refusal(answer, request, report), **number})

        page_process.serve(answered)
        return
    limit_memory(memory_mib)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    # Redirect other output, which would corrupt the conversation.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    requests: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests,), daemon=True).start()
    while True:
        request: dict[str, Any] = json.loads(requests.get())
        say = partial(_say, answers, request.get("id"))
        say(answer_or_refusal(answer, request, partial(_report, say)))


def _say(answers: TextIO, number: object, what: dict[str, Any]) -> None:
    answers.write(json.dumps({**what, "id": number}) + "\n")
    answers.flush()


def _report(say: Report, progress: dict[str, Any]) -> None:
    say({"progress": progress})


def answer_or_refusal(answer: Answer, request: dict[str, Any], report: Report) -> dict[str, Any]:
    """What an answer comes to: `done`, or `refused` with the reason."""
    try:
        return {"done": answer(request, report)}
    except (Refused, RulesError, OSError) as error:
        return {"refused": refusal_of(error)}
    except MemoryError:
        return {"refused": {"message": "this needs more memory than is allowed", "help": "try a smaller board"}}
    except Exception as error:
        what = f"{type(error).__name__}: {error}; this is a bug in Rulewright: please report it with your files"
        return {"refused": {"message": what, "help": ""}}


def _read(requests: queue.SimpleQueue[str]) -> None:
    # Reads the descriptor: at exit Python waits for readers of `sys.stdin`, and then aborts.
    with os.fdopen(os.dup(sys.stdin.fileno()), "rb") as lines:
        for line in lines:
            requests.put(line.decode())
    os._exit(0)
