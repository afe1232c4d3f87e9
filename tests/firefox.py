"""A session of headless Firefox, where there is one, by the bidirectional protocol that it speaks without a driver."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from attrs import field, frozen
from websockets.sync.client import ClientConnection, connect

from tests.browser import KEYS, PATIENCE, Browser

FIREFOX = shutil.which("firefox")

needs_firefox = pytest.mark.skipif(not FIREFOX, reason="needs firefox")

MIDDLE = """selector => {
    const one = document.querySelector(selector);
    one.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = one.getBoundingClientRect();
    return JSON.stringify([box.x + box.width / 2, box.y + box.height / 2]);
}"""


@frozen(eq=False)
class Firefox(Browser):
    """The methods of `Browser`, of Firefox. What it logs and asks for is kept."""

    link: ClientConnection
    numbers: Iterator[int] = field(factory=count, init=False)
    logged: list[str] = field(factory=list, init=False)
    requests: list[str] = field(factory=list, init=False)

    def command(self, method: str, **parameters: Any) -> Any:
        number = next(self.numbers)
        self.link.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            told = json.loads(self.link.recv(timeout=PATIENCE))
            if told.get("id") == number:
                assert told["type"] == "success", told
                return told["result"]
            if told.get("method") == "log.entryAdded":
                self.logged.append(told["params"]["text"])
            elif told.get("method") == "network.beforeRequestSent":
                self.requests.append(told["params"]["request"]["url"])

    @property
    def tab(self) -> str:
        found: str = self.command("browsingContext.getTree")["contexts"][0]["context"]
        return found

    def open(self, url: str) -> None:
        self.command("browsingContext.navigate", context=self.tab, url=url, wait="complete")

    def value(self, script: str) -> Any:
        """The value of a script, or of its promise; true for an element."""
        text = f"Promise.resolve({script}).then(found => JSON.stringify(found instanceof Node || found))"
        asked = {"expression": text, "target": {"context": self.tab}, "awaitPromise": True}
        found = self.command("script.evaluate", **asked)
        assert found["type"] == "success", found
        result = found["result"]
        return json.loads(result["value"]) if "value" in result else None

    def click(self, selector: str) -> None:
        self.wait_for(f"document.querySelector({selector!r})")
        x, y = json.loads(self.value(f"({MIDDLE})({selector!r})"))
        down, up = ({"type": f"pointer{way}", "button": 0} for way in ("Down", "Up"))
        acts = [{"type": "pointerMove", "x": round(x), "y": round(y)}, down, up]
        self.command("input.performActions", context=self.tab, actions=[{"type": "pointer", "id": "mouse", "actions": acts}])

    def press(self, key: str, *held: str) -> None:
        down = [{"type": "keyDown", "value": one} for one in (*held, KEYS.get(key, key))]
        up = [{"type": "keyUp", "value": one["value"]} for one in reversed(down)]
        keys = {"type": "key", "id": "keyboard", "actions": [*down, *up]}
        self.command("input.performActions", context=self.tab, actions=[keys])

    def resize(self, width: int, height: int, mobile: bool = False) -> None:
        self.command("browsingContext.setViewport", context=self.tab, viewport={"width": width, "height": height})

    def picture(self, path: Path) -> None:
        found = self.command("browsingContext.captureScreenshot", context=self.tab)
        path.write_bytes(base64.b64decode(found["data"]))


@contextmanager
def headless_firefox(profile: Path, scheme: str = "light") -> Iterator[Firefox]:
    """A browser with an empty profile on a system that is `light` or `dark`, ended at the end."""
    profile.mkdir(parents=True)
    wanted = {"layout.css.prefers-color-scheme.content-override": 0 if scheme == "dark" else 1}
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in wanted.items()]
    (profile / "user.js").write_text("\n".join(lines), "utf-8")
    command = [str(FIREFOX), "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        assert run.stderr is not None
        address = next(line.split(" on ")[1].strip() for line in run.stderr if "WebDriver BiDi listening on" in line)
        with connect(f"{address}/session", max_size=None, close_timeout=1) as link:
            opened = Firefox(address, link)
            opened.command("session.new", capabilities={})
            opened.command("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
            yield opened
    finally:
        run.terminate()
        run.wait()
        if run.stderr is not None:
            run.stderr.close()
