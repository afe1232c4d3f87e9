"""The studio as an application: the page and its files, its web sockets and those of its editor, and who may ask for them."""

from __future__ import annotations

import hmac
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketClose, WebSocketDisconnect

from rulewright.base.records import frozen
from rulewright.base.refusals import Refused
from rulewright.studio.folder.studio_folder import StudioFolder
from rulewright.workers.line_client import Responder

from .address import Address
from .connection import Disconnected
from .language_socket import LanguageSocket
from .page import FILES, page_file, page_html
from .page_requests import PageRequests
from .page_socket import PageSocket

# Access control -------------------------------------------------------------------------------------------------------
# Only the page itself, with the token in its address, may ask. Every request and web socket passes here
# first.
#
# A page of another site can also send requests here (cross-site request forgery), even under a host name of its own that
# resolves here (DNS rebinding); but it does not know the token, and its `Origin` or `Host` differs.


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


# Web sockets ----------------------------------------------------------------------------------------------------------


@frozen
class WebConnection:
    """An accepted web socket."""

    socket: WebSocket

    async def receive(self) -> str:
        """The next message; empty for a binary one, which no page sends."""
        with _told():
            try:
                return await self.socket.receive_text()
            except KeyError:
                return ""

    async def send(self, text: str) -> None:
        with _told():
            await self.socket.send_text(text)

    async def close(self, code: int, reason: str) -> None:
        with _told():
            await self.socket.close(code, reason)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (WebSocketDisconnect, RuntimeError) as error:  # RuntimeError: nothing is sent after the page has disconnected
        raise Disconnected from error


# The application ------------------------------------------------------------------------------------------------------


MOST_MESSAGE = 1 << 23
"""The maximum size of a message, in bytes: several files of the largest size."""

MOST_CONNECTIONS = 64

DRAWING_SECONDS = 30.0
"""The time limit for a picture of the library."""


def studio_app(folder: StudioFolder) -> Starlette:
    """The application for a folder, without access control."""

    async def page(request: Request) -> Response:
        html, policy = page_html(folder.root)
        return Response(html, media_type="text/html", headers={**HEADERS, "Content-Security-Policy": policy})

    async def file(request: Request) -> Response:
        name = request.path_params["name"]
        content = page_file(name)
        if content is None:
            return PlainTextResponse("there is no such file", 404, HEADERS)
        return Response(content, media_type=FILES[name], headers=HEADERS)

    drawing = Responder("rulewright.studio.table.library_pictures")

    async def drawn(request: Request) -> Response:
        try:
            found = await drawing.ask({"name": request.path_params["name"]}, DRAWING_SECONDS)
        except Refused as error:
            return PlainTextResponse(str(error), 404, HEADERS)
        policy = "default-src 'none'; style-src 'unsafe-inline'"
        headers = {**HEADERS, "Cache-Control": "private, max-age=600", "Content-Security-Policy": policy}
        return Response(found["svg"], media_type="image/svg+xml", headers=headers)

    async def page_socket(socket: WebSocket) -> None:
        await socket.accept()
        await PageSocket(WebConnection(socket), PageRequests(folder)).serve()

    async def language_socket(socket: WebSocket) -> None:
        await socket.accept()
        await LanguageSocket(WebConnection(socket), folder).serve()

    return Starlette(
        routes=[
            Route("/", page),
            Route("/{name}", file),
            Route("/pictures/{name}.svg", drawn),
            WebSocketRoute("/page", page_socket),
            WebSocketRoute("/language", language_socket),
        ]
    )


def serve(folder: Path, listening: socket.socket, address: Address) -> None:
    """Serve a folder on a socket until the process is interrupted."""
    app = Gatekeeper(studio_app(StudioFolder(folder.resolve())), address.port, address.token)
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=MOST_MESSAGE,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    uvicorn.Server(config).run(sockets=[listening])
