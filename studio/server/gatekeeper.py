"""Access control: only the page itself, with the token in its address, may ask. Every request and web socket passes here first.

A page of another site can also send requests here (cross-site request forgery), even under a host name of its own that resolves
here (DNS rebinding); but it does not know the token, and its `Origin` or `Host` differs.
"""

from __future__ import annotations

import hmac
from urllib.parse import unquote

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from rulewright.base.records import frozen

FORBIDDEN = 403
CLOSED = 1008
"""The close code of a refused web socket: policy violation (RFC 6455, 7.4.1)."""

OWN_SITE = ("", "none", "same-origin")
"""The values of `Sec-Fetch-Site` for a page's own requests and for typed addresses."""

HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""The headers of every response: no other site may embed it, cache it or learn the address."""


@frozen
class Gatekeeper:
    """Passes requests from the page at `http://127.0.0.1:port/token/` to `app`, with the token removed from the path."""

    app: ASGIApp
    port: int
    token: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        why = self.refusal(scope)
        if why:
            if scope["type"] == "websocket":
                await WebSocketClose(CLOSED, why)(scope, receive, send)
            else:
                await PlainTextResponse(why, FORBIDDEN, HEADERS)(scope, receive, send)
            return
        inside = {**scope, "path": scope["path"][len(self.token) + 1 :], "root_path": "", "raw_path": b""}
        await self.app(inside, receive, send)

    def refusal(self, scope: Scope) -> str:
        """Why a request is refused; "" if it is not."""
        headers, own = Headers(scope=scope), f"127.0.0.1:{self.port}"
        if headers.getlist("host") != [own]:
            return "the page has another address"
        origins = headers.getlist("origin")
        if origins not in ([], [f"http://{own}"]) or headers.get("sec-fetch-site", "") not in OWN_SITE:
            return "requests from other pages are not allowed"
        if scope["type"] == "websocket" and not origins:
            return "a web socket must send its origin"
        first = unquote(scope["path"]).split("/")[1:2]
        if not hmac.compare_digest("".join(first).encode(), self.token.encode()):
            return "the address has no valid token: open the address that `rulewright studio` prints"
        return ""
