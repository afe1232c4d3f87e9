"""Malformed messages to the language server: which error each gets, and that the next one is answered."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.editor.server import checked_protocol
from rulewright.editor.server.checked_protocol import Frames
from tests.campaigns.editor_messages import Talk, as_json, project, server_of

PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS, NOT_FOUND, NOT_INITIALIZED = -32700, -32600, -32602, -32601, -32002


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    with server_of(project(tmp_path_factory.mktemp("ponds"))) as talk:
        yield talk


def error_of(talk: Talk, content: bytes) -> tuple[Any, int, str]:
    """The number, code and message of the error response to a message; the server then answers the next one."""
    talk.send(content)
    while "error" not in (heard := talk.hear()):
        pass
    talk.ask("rulewright/idle", {})
    assert talk.faults == []
    return heard["id"], heard["error"]["code"], heard["error"]["message"]


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b"[" * 100_000, b'{"id": 1', b"9" * 5000])
def test_what_is_not_json(talk: Talk, content: bytes) -> None:
    assert error_of(talk, content) == (None, PARSE_ERROR, "the message is not valid JSON")


@pytest.mark.parametrize(
    ("message", "number", "words"),
    [
        ([], None, "not a JSON object"),
        (None, None, "not a JSON object"),
        ({"id": 5}, 5, "not one of JSON-RPC 2.0"),
        ({"jsonrpc": "1.0", "id": 5, "method": "x"}, 5, "not one of JSON-RPC 2.0"),
        ({"jsonrpc": "2.0", "id": 5}, 5, "neither a request nor a response"),
        ({"jsonrpc": "2.0", "id": 5, "method": 7}, 5, "`method`"),
        ({"jsonrpc": "2.0", "id": [5], "method": "x"}, None, "`id`"),
        ({"jsonrpc": "2.0", "id": 5, "method": "x", "params": "\ud800"}, 5, "surrogate"),
        ({"jsonrpc": "2.0", "id": 5, "method": "initialize", "params": {}}, 5, "already initialized"),
        ({"jsonrpc": "2.0", "id": 5, "method": "initialized", "params": {}}, 5, "is a notification"),
    ],
)
def test_what_is_no_request(talk: Talk, message: object, number: object, words: str) -> None:
    found = error_of(talk, as_json(message))
    assert found[:2] == (number, INVALID_REQUEST) and words in found[2]


def hover(**position: Any) -> dict[str, Any]:
    return {"textDocument": {"uri": "file:///x.rules"}, "position": position}


@pytest.mark.parametrize(
    ("method", "params", "words"),
    [
        ("textDocument/hover", hover(line=-1, character=0), "`line` must be"),
        ("textDocument/hover", hover(line=0, character=2**31), "`character` must be"),
        ("textDocument/hover", hover(line=1.5, character=0), "`line` must be"),
        ("textDocument/hover", hover(line=True, character=0), "`line` must be"),
        ("textDocument/hover", hover(line=0), "parameters of `textDocument/hover` are not valid"),
        ("textDocument/hover", None, "parameters of `textDocument/hover` are not valid"),
        ("textDocument/hover", [1], "parameters of `textDocument/hover` are not valid"),
        ("textDocument/codeLens", {"textDocument": {"uri": "file://["}}, "`uri` is not a valid address"),
        ("textDocument/codeLens", {"textDocument": {"uri": "file:///x%00.rules"}}, "`uri` is not a valid address"),
        ("textDocument/codeLens", {"textDocument": {"uri": "file:///" + "x" * 5000}}, "`uri` is not a valid address"),
        ("textDocument/codeLens", {"textDocument": {"uri": ["file:///x.rules"]}}, "`uri` is not a valid address"),
        ("workspace/executeCommand", {"command": "rulewright.score"}, "one argument"),
        ("workspace/executeCommand", {"command": "rulewright.score", "arguments": ["a", "b"]}, "one argument"),
        ("workspace/executeCommand", {"command": "rulewright.score", "arguments": [[]]}, "list of texts"),
        ("workspace/executeCommand", {"command": "rulewright.nothing", "arguments": [""]}, "not defined"),
    ],
)
def test_what_has_other_parameters(talk: Talk, method: str, params: object, words: str) -> None:
    found = error_of(talk, as_json({"jsonrpc": "2.0", "id": "x", "method": method, "params": params}))
    assert found[0] == "x" and found[1] in (INVALID_PARAMS, INVALID_REQUEST) and words in found[2]


def test_another_method_is_not_found(talk: Talk) -> None:
    assert error_of(talk, as_json({"jsonrpc": "2.0", "id": 1, "method": "x", "params": {}}))[:2] == (1, NOT_FOUND)


def test_a_place_beyond_the_text_is_its_end(talk: Talk) -> None:
    uri = (talk.folder / "ponds.rules").as_uri()
    place = {"textDocument": {"uri": uri}, "position": {"line": 2**31 - 1, "character": 2**31 - 1}}
    for method in ("hover", "definition", "completion", "signatureHelp", "prepareRename", "documentHighlight"):
        assert "code" not in (talk.ask(f"textDocument/{method}", place) or {}), method
    assert talk.faults == []


def test_a_malformed_notification_is_logged(talk: Talk) -> None:
    for method, params in (
        ("textDocument/didOpen", {"textDocument": {}}),
        (
            "textDocument/didChange",
            {"textDocument": {"uri": "file:///x.rules", "version": 1}, "contentChanges": [{"text": ""}]},
        ),
        ("notebookDocument/didOpen", {}),
        ("$/cancelRequest", {"id": {}}),
    ):
        talk.tell(method, params)
        while (heard := talk.hear()).get("method") != "window/logMessage":
            pass
        assert heard["params"]["message"].startswith("a notification was ignored: ")
    assert talk.faults == []


def test_before_and_after(tmp_path: Path) -> None:
    with server_of(tmp_path, initialized=False) as talk:
        assert talk.ask("textDocument/hover", hover(line=0, character=0))["code"] == NOT_INITIALIZED
        talk.tell("textDocument/didOpen", {})
        assert "capabilities" in talk.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        assert talk.ask("shutdown", None) is None
        assert talk.ask("textDocument/hover", hover(line=0, character=0))["code"] == INVALID_REQUEST
        talk.tell("exit", None)
        assert talk.process.wait(60) == 0


# Lengths --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: x\r\n\r\n",
        b"Content-Length: -5\r\n\r\n",
        b"Content-Length: 9" + b"0" * 10_000 + b"\r\n\r\n",
        b"Content-Length: 0\r\n\r\n",
        b"X: " + b"y" * 100_000 + b"\r\n\r\n",
        b"\r\n\r\n\r\n",
        b"Content-Length: 2\r\n\r\n{} and more than it said",
        b"\xff" * 500 + b"\n",
    ],
)
def test_after_a_bad_header_the_next_message_is_answered(talk: Talk, head: bytes) -> None:
    assert talk.process.stdin is not None
    talk.process.stdin.write(head)
    talk.ask("rulewright/idle", {})
    assert talk.faults == []


def test_headers_are_read_in_any_case() -> None:
    frames = Frames(io.BytesIO(b"content-length:7\nCONTENT-LENGTH : 8 \r\n"))
    assert frames.readline() == b"Content-Length: 7\r\n"
    assert frames.readline() != b""
    assert frames.readline() == b""


@pytest.mark.parametrize("digits", [b"11", b"99999999999", b"9" * 3000])
def test_a_message_that_is_too_large_is_refused_and_skipped(digits: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checked_protocol, "MOST_MESSAGE", 10)
    content = b"Content-Length: %s\r\n\r\n" % digits + b"x" * 20_000 + b"Content-Length: 010\r\n\r\n0123456789"
    frames = Frames(io.BytesIO(content))
    assert (frames.readline(), frames.readline()) == (b"Content-Length: 4\r\n", b"\r\n")
    assert frames.read(4) == b"null"
    while (line := frames.readline()) != b"Content-Length: 10\r\n":
        assert line.strip(b"x\r\n") == b"" and line
    frames.readline()
    assert frames.read(10) == b"0123456789"


def test_a_message_that_is_too_large_has_an_error_response(talk: Talk) -> None:
    assert talk.process.stdin is not None
    talk.process.stdin.write(b"Content-Length: 99999999999999999999\r\n\r\n{}")
    talk.process.stdin.flush()
    while "error" not in (heard := talk.hear()):
        pass
    assert heard["error"]["message"] == "the message is not a JSON object, or is too large"
    talk.ask("rulewright/idle", {})
