"""What must fail: strangers, files elsewhere, too much of anything."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from rulewright.base.refusals import Refused
from rulewright.studio.folder.studio_folder import StudioFolder
from rulewright.studio.server.language_socket import LanguageFilter

from .studio_process import PATIENCE, Studio

# Strangers ------------------------------------------------------------------------------------------------------------


def test_the_page_is_served_to_who_has_the_token(studio: Studio) -> None:
    answer = studio.get(f"/{studio.token}/")
    assert answer.status == 200
    policy = answer.getheader("Content-Security-Policy") or ""
    assert "default-src 'none'" in policy and "unsafe" not in policy
    assert answer.getheader("Referrer-Policy") == "no-referrer"
    assert b"studio.js" in answer.read()
    assert studio.get(f"/{studio.token}/studio.js").status == 200


@pytest.mark.parametrize("path", ["/", "/page", "/{other}/", "/{short}/", "//", "/%2e%2e/", "/{token}x/", "/x/{token}/"])
def test_without_the_token_nothing_is_served(studio: Studio, path: str) -> None:
    token = studio.token
    other = ("a" if token[0] != "a" else "b") + token[1:]
    assert studio.get(path.format(token=token, other=other, short=token[:-1])).status == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "rules.example"},
        {"Host": "rules.example:{port}"},
        {"Host": "localhost:{port}"},
        {"Origin": "http://rules.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_another_page_is_served_nothing_even_with_the_token(studio: Studio, headers: dict[str, str]) -> None:
    named = {name: value.format(port=studio.port) for name, value in headers.items()}
    assert studio.get(f"/{studio.token}/", **named).status == 403


@pytest.mark.parametrize("name", ["page", "language"])
@pytest.mark.parametrize(
    "options",
    [
        {"origin": "http://rules.example"},
        {"origin": "null"},
        {"origin": None},
        {"token": "wrong"},
        {"token": ""},
        {"additional_headers": {"Sec-Fetch-Site": "cross-site"}},
    ],
)
def test_a_web_socket_of_another_page_is_refused(studio: Studio, name: str, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidStatus) as refusal, studio.socket(name, **options):
        pass
    assert refusal.value.response.status_code == 403


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="looks at sockets in /proc")
def test_it_listens_on_this_machine_only(studio: Studio) -> None:
    rows = [line.split() for line in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]]
    places = {row[1] for row in rows if row[3] == "0A" and row[1].endswith(f":{studio.port:04X}")}
    assert places <= {f"0100007F:{studio.port:04X}"}


@pytest.mark.parametrize("name", ["page.html", "../pyproject.toml", "%2e%2e/app.py", "studio.py", "x"])
def test_nothing_but_the_files_of_the_page_is_served(studio: Studio, name: str) -> None:
    assert studio.get(f"/{studio.token}/{name}").status in (403, 404)


# Files elsewhere ------------------------------------------------------------------------------------------------------

OUTSIDE = (
    "../outside.rules",
    "a/../../outside.rules",
    "/etc/passwd",
    "/etc/hosts.rules",
    "..\\outside.rules",
    "%2e%2e/outside.rules",
    ".hidden.rules",
    "a/.git/x.rules",
    "shelf.rules\0",
    "shelf.rules\n",
    "C:/x.rules",
    "~/x.rules",
    "notes.txt",
    "shelf",
    "",
    ":rules/../../app.rules",
    ":elsewhere/x.rules",
    "x" * 300 + ".rules",
    "link.rules",
    "way_out/outside.rules",
)


def make_links(folder: Path) -> Path:
    """A file outside of the folder, to which two links in it lead."""
    outside = folder.parent / "outside.rules"
    outside.write_text("module secret:\n", "utf-8")
    for link, target in (("link.rules", outside), ("way_out", folder.parent)):
        if not (folder / link).is_symlink():
            (folder / link).symlink_to(target)
    return outside


def test_pictures_are_of_the_library_only(studio: Studio) -> None:
    def statuses(*names: str) -> list[int]:
        return [studio.get(f"/{studio.token}/pictures/{name}.svg").status for name in names]

    assert statuses("lights_corner") == [200]
    assert set(statuses("two_left", "two_left.puzzle", "nobody", "rw1:x", "..%2ftwo_left", "lights_corner%00")) == {404}


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_file_outside_is_neither_read_nor_written(studio: Studio, folder: Path, name: str) -> None:
    outside = make_links(folder)
    with studio.page() as page:
        page.refused("read", name=name)
        for version in ("", "x"):
            page.refused("write", name=name, text="module mine:\n", version=version)
        page.refused("show", board={"texts": {}, "start": name, "actions": []})
        page.refused("impact", texts_before={name: ""}, texts={name: "x"})
        for files in ([name], {name: 1}, name, [[name]]):
            page.refused("accept", files=files)
            page.refused("impact", texts_before={}, texts={}, files=files)
        assert name not in page.done("files")["names"]
    assert outside.read_text("utf-8") == "module secret:\n"


def test_what_ships_is_read_and_not_written(studio: Studio) -> None:
    with studio.page() as page:
        name = page.done("library")["modules"][0]["file"]
        found = page.done("read", name=name)
        assert found["writable"] is False
        assert "belongs to the library" in page.refused("write", name=name, text="", version=found["version"])


def refusal_of(studio: Studio, message: dict[str, Any]) -> str:
    """Why the studio does not hand a message to the language server; "" if it does."""
    with studio.socket("language") as socket:
        socket.send(json.dumps({"jsonrpc": "2.0", "id": 7, **message}))
        while True:
            heard = json.loads(socket.recv(timeout=PATIENCE))
            if heard.get("id") == 7:
                error = str(heard.get("error", {"message": ""})["message"])
                return "" if error == "the server is not initialized" else error


NO_ACCESS = "the page has no access to this file"

ELSEWHERE = (
    *("file:///etc/passwd", "file:///etc/hosts.rules", "http://rules.example/x.rules", "{root}/../outside.rules"),
    *("{root}/.x.rules", "{root}/%2e%2e/outside.rules", "{root}/link.rules", "{root}/way_out/outside.rules"),
    *("{root}/a/..%2f..%2foutside.rules", "FILE:///etc/x.rules", "file:relative.rules", "file://host{path}/shelf.rules"),
    *("file://[", "{path}/shelf.rules", "{root}/shelf.rules%00", "{root}/shelf.txt", ""),
)


@pytest.fixture(scope="module")
def language(studio: Studio, folder: Path) -> LanguageFilter:
    make_links(folder)
    return LanguageFilter(StudioFolder(folder))


def check(language: LanguageFilter, method: str, params: Any) -> str:
    """Why a message may not pass; "" if it may."""
    try:
        language.check({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
    except Refused as refused:
        return refused.text
    return ""


@pytest.mark.parametrize("uri", ELSEWHERE)
def test_the_language_server_is_not_asked_about_other_files(language: LanguageFilter, folder: Path, uri: str) -> None:
    named = uri.format(root=folder.as_uri(), path=folder)
    cases: list[tuple[str, Any]] = [
        ("textDocument/hover", {"textDocument": {"uri": named}, "position": {"line": 0, "character": 0}}),
        ("textDocument/didOpen", {"textDocument": {"uri": named, "text": ""}}),
        ("workspace/didRenameFiles", {"files": [{"oldUri": folder.as_uri(), "newUri": named}]}),
        ("initialize", {"rootUri": named}),
        ("initialize", {"rootPath": str(folder)}),
        ("initialize", {"workspaceFolders": [{"uri": named}]}),
        ("completionItem/resolve", {"data": [{"inside": {"uri": named}}]}),
        *(("workspace/executeCommand", {"command": f"rulewright.{name}", "arguments": [named]}) for name in ("score", "trace")),
    ]
    if named.lower().startswith("file:"):
        cases += [
            ("workspace/executeCommand", {"command": "rulewright.seen", "arguments": [named]}),
            ("x", {"changes": {named: []}}),
            ("x", {"anything": [[f" {named}"]]}),
        ]
    for method, params in cases:
        assert check(language, method, params) == NO_ACCESS, (method, params)


def test_the_web_socket_refuses_other_files_and_goes_on(studio: Studio, folder: Path) -> None:
    make_links(folder)
    for uri in ("file:///etc/hosts.rules", (folder / "link.rules").as_uri()):
        params = {"command": "rulewright.score", "arguments": [uri]}
        assert refusal_of(studio, {"method": "workspace/executeCommand", "params": params}) == NO_ACCESS
        assert refusal_of(studio, {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": uri}}}) == NO_ACCESS
    params = {"command": "rulewright.score", "arguments": [(folder / "two_left.puzzle").as_uri()]}
    assert refusal_of(studio, {"method": "workspace/executeCommand", "params": params}) == ""
    assert refusal_of(studio, {"method": "x", "params": [[[[]]] * 3] * 3}) == ""
    assert "not a JSON object" in refused_raw(studio, "[]") and "not valid JSON" in refused_raw(studio, "{")
    assert "not valid JSON" in refused_raw(studio, b"{}")


def refused_raw(studio: Studio, content: str | bytes) -> str:
    """Why a message without a number is refused."""
    with studio.socket("language") as socket:
        socket.send(content)
        return str(json.loads(socket.recv(timeout=PATIENCE))["error"]["message"])


def test_the_language_server_is_asked_about_files_of_the_folder(language: LanguageFilter, folder: Path) -> None:
    uri = (folder / "two_left.puzzle").as_uri()
    for argument, command in ((uri, "score"), (uri, "trace"), ("RW001", "explain"), ("file names", "seen")):
        assert not check(language, "workspace/executeCommand", {"command": f"rulewright.{command}", "arguments": [argument]})
    assert not check(language, "textDocument/didOpen", {"textDocument": {"uri": uri, "text": "file:///etc/passwd"}})
    assert not check(language, "initialize", {"rootUri": folder.as_uri(), "workspaceFolders": None})
    (shipped,) = (root for name, root in StudioFolder(folder).roots.items() if name == ":rules/")
    assert not check(language, "textDocument/hover", {"uri": (shipped / "beacon_patrol" / "beacon_patrol.rules").as_uri()})


@pytest.mark.parametrize("command", ["rulewright.show", "rulewright.solve", "rulewright.other", "", None, ["rulewright.score"]])
def test_other_commands_of_the_language_server_are_refused(language: LanguageFilter, folder: Path, command: object) -> None:
    params = {"command": command, "arguments": [(folder / "two_left.puzzle").as_uri()]}
    assert check(language, "workspace/executeCommand", params) == "the page has no such command"
    assert check(language, "workspace/executeCommand", [command]) == "the page has no such command"


# Too much -------------------------------------------------------------------------------------------------------------


def test_a_file_of_two_mebibytes_is_not_written(studio: Studio, folder: Path) -> None:
    with studio.page() as page:
        assert "at most 1048576" in page.refused("write", name="large.rules", text="#" * (2 << 20), version="")
        board = {"texts": {"shelf.rules": "#" * (2 << 20)}, "start": "empty.puzzle", "actions": []}
        assert "1048576 characters" in page.refused("show", board=board)
    assert not (folder / "large.rules").exists()


def test_a_file_of_two_mebibytes_is_not_read(studio: Studio, folder: Path) -> None:
    (folder / "huge.rules").write_text("#" * (2 << 20), "utf-8")
    try:
        with studio.page() as page:
            assert "larger than" in page.refused("read", name="huge.rules")
    finally:
        (folder / "huge.rules").unlink()


@pytest.mark.parametrize("name", ["page", "language"])
def test_ten_thousand_messages_a_second_end_the_web_socket(studio: Studio, name: str) -> None:
    message = json.dumps({"jsonrpc": "2.0", "method": "x", "id": 1, "cancel": 7})
    with studio.socket(name) as socket, pytest.raises(ConnectionClosed) as end:
        for _ in range(10_000):
            socket.send(message)
        while True:
            socket.recv(timeout=PATIENCE)
    assert end.value.rcvd is not None and (end.value.rcvd.code, end.value.rcvd.reason) == (1008, "too many messages")
    with studio.page() as page:
        assert page.done("files")["names"], "another page is served as before"


def test_a_message_that_is_no_request_is_answered_and_nothing_ends(studio: Studio) -> None:
    with studio.page() as page:
        for text in ("", "{", "[]", "null", "[" * 100_000, '{"id": "x", "do": "files"}', '{"do": "files"}'):
            page.socket.send(text)
        assert page.refused("launch") == "the server does not know this request"
        assert "request" in page.refused("show", board={"start": 3})
        assert page.done("files")["names"]


LONG = ":rules/classics/peg_solitaire.rules"
"""A game whose best play is not found in a while."""


def children_of(process: int) -> set[int]:
    """The processes that a process has started, at any distance."""
    parents = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text("utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            parents[int(status.parent.name)] = int(fields[1])
    found: set[int] = set()
    waiting = [process]
    while waiting:
        one = waiting.pop()
        own = {child for child, parent in parents.items() if parent == one} - found
        found |= own
        waiting += own
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes in /proc")
def test_what_works_for_a_page_ends_when_it_goes(studio: Studio) -> None:
    before = children_of(studio.process.pid)
    with studio.page() as page, studio.socket("language"):
        page.done("show", board={"texts": {}, "start": "empty.puzzle", "actions": []})
        page.begin("solve", board={"texts": {}, "start": LONG, "actions": []}, seconds=400)
        deadline = time.monotonic() + PATIENCE
        while len(children_of(studio.process.pid) - before) < 3 and time.monotonic() < deadline:
            time.sleep(0.05)
        assert len(children_of(studio.process.pid) - before) >= 3
    deadline = time.monotonic() + PATIENCE
    while children_of(studio.process.pid) - before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not children_of(studio.process.pid) - before


def test_a_search_is_cancelled(studio: Studio) -> None:
    with studio.page() as page:
        number = page.begin("solve", board={"texts": {}, "start": LONG, "actions": []}, seconds=400)
        assert "best" in json.loads(page.socket.recv(timeout=PATIENCE))["progress"]
        page.socket.send(json.dumps({"id": 999, "cancel": number}))
        begun = time.monotonic()
        assert page.answer(number)["refused"]["cancelled"]
        assert time.monotonic() - begun < PATIENCE
