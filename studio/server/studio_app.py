"""The studio as an application: the page and its files, the web socket of the page, and that of its editor."""

from __future__ import annotations

import socket
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from rulewright.studio.folder.studio_folder import StudioFolder

from .address import Address
from .gatekeeper import HEADERS, Gatekeeper
from .language_socket import LanguageSocket
from .page import FILES, page_file, page_html
from .page_requests import PageRequests
from .page_socket import PageSocket
from .web_connection import WebConnection

MOST_MESSAGE = 1 << 23
"""The maximum size of a message, in bytes: several files of the largest size."""

MOST_CONNECTIONS = 64


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
