"""Mangled messages to a studio: it must answer each request, call none of it a bug, and go on."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any

from attrs import define, field
from websockets.sync.client import ClientConnection

from tests.studio.small_game import RULES
from tests.studio.studio_process import PATIENCE, Studio

from .editor_messages import INTERNAL_ERROR
from .mangled import as_json, mangled, mangled_bytes

BATCH = 10
PAUSE = 0.06
"""Seconds between batches: a page that sends more than 200 messages a second is cut off."""

BOARD = {"texts": {"shelf.rules": RULES}, "start": "two_left.puzzle", "actions": [], "steps": [], "seed": 0, "players": 0}


@define
class PageTalk:
    """A page that sends mangled messages; `faults` are answers that call something a bug."""

    socket: ClientConnection
    faults: list[str] = field(factory=list)
    answered: set[Any] = field(factory=set)
    refusals: int = 0

    def send(self, content: bytes) -> None:
        try:
            self.socket.send(content.decode())
        except UnicodeDecodeError:
            self.socket.send(content)  # as a binary message

    def hear(self) -> dict[str, Any]:
        heard: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        refused = heard.get("refused") or heard.get("error")
        if "progress" not in heard and "id" in heard:
            self.answered.add(heard["id"])
        if refused is not None:
            self.refusals += 1
            if "bug" in refused["message"] or "Error" in refused["message"] or refused.get("code") == INTERNAL_ERROR:
                self.faults.append(str(refused)[:1500])
        return heard

    def until(self, number: Any) -> dict[str, Any]:
        """The answer to a message."""
        while True:
            heard = self.hear()
            if heard.get("id") == number and "progress" not in heard and "method" not in heard:
                return heard


def sound_requests() -> list[dict[str, Any]]:
    """A valid request of each kind."""
    moved = {**BOARD, "actions": ["put red (3,1)"], "steps": [["cell-board-0", ""]]}
    edited = RULES.replace("red: 1 when", "red: 2 when")
    return [
        {"do": "files"},
        {"do": "read", "name": "shelf.rules"},
        {"do": "write", "name": "new.rules", "text": "module new:\n", "version": ""},
        {"do": "library"},
        {"do": "show", "board": BOARD, "before": BOARD, "cell": 56, "dark": False},
        {"do": "show", "board": moved},
        {"do": "explain", "board": BOARD, "thing": "cell-board-2"},
        {"do": "history", "board": moved, "name": "board (3,1)"},
        {"do": "write_puzzle", "board": moved, "name": "mine", "rules": ["shelf"], "ask": "maximise score", "text": "Mine."},
        {"do": "write_answer", "board": BOARD, "answer": "3"},
        {"do": "solve", "board": BOARD, "seconds": 1},
        {"do": "impact", "texts_before": {"shelf.rules": RULES}, "texts": {"shelf.rules": edited}, "files": [], "seconds": 1},
        {"do": "accept", "files": ["two_left.puzzle"], "seconds": 1},
        {"do": "new_variant", "name": "mine", "of": "nothing.like.this"},
        {"cancel": 1},
    ]


def mangle_page(studio: Studio, cases: range) -> PageTalk:
    """Send so many mangled requests, and now and then ask whether all is well."""
    sound = sound_requests()
    with studio.socket() as socket:
        talk = PageTalk(socket)
        expected: dict[int, bytes] = {}
        for case in cases:
            chance = random.Random(case)
            seed = chance.choice(sound)
            if seed.get("do") == "new_variant" and chance.random() < 0.95:
                seed = sound[0]  # a process each
            message = mangled({**seed, "id": 0}, chance)
            if isinstance(message, dict) and "id" in message:
                message["id"] = case
            content = as_json(message)
            if chance.random() < 0.1:
                content = mangled_bytes(content, chance)
            elif isinstance(message, dict) and message.get("id") == case and "cancel" not in message:
                expected[case] = content
            talk.send(content)
            if case % BATCH == BATCH - 1 or case == cases[-1]:
                for number in expected:
                    if number not in talk.answered:
                        talk.until(number)
                expected.clear()
                talk.send(as_json({"do": "files", "id": 10**9 + case}))
                assert "done" in talk.until(10**9 + case)
                time.sleep(PAUSE)
    return talk


def mangle_language(studio: Studio, folder: Path, sound: list[dict[str, Any]], cases: range) -> PageTalk:
    """Send so many mangled messages of an editor through the studio."""
    with studio.socket("language") as socket:
        talk = PageTalk(socket)
        (beginning,) = (one for one in sound if one.get("method") == "initialize")
        del beginning["params"]["rootPath"]
        talk.send(as_json({**beginning, "id": "begin"}))
        assert "result" in talk.until("begin")
        talk.send(as_json({"jsonrpc": "2.0", "method": "initialized", "params": {}}))
        for case in cases:
            chance = random.Random(case)
            message = mangled(chance.choice(sound), chance)
            content = as_json(message)
            talk.send(mangled_bytes(content, chance) if chance.random() < 0.1 else content)
            if case % BATCH == BATCH - 1 or case == cases[-1]:
                talk.send(as_json({"jsonrpc": "2.0", "id": f"sound-{case}", "method": "rulewright/idle", "params": {}}))
                talk.until(f"sound-{case}")
                time.sleep(PAUSE)
    return talk
