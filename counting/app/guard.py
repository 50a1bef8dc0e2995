"""Checks each request before the application answers it, and adds headers to every answer."""

from __future__ import annotations

import hmac
import secrets

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAGES = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The content policy of the application's own pages."""
REPORTS = (
    "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "img-src data:; base-uri 'none'; frame-ancestors 'self'"
)
"""The content policy of reports, which are shown within the application's pages. A report cannot act as the
application, and loads nothing."""
MOST_FORM = 1 << 20  # the most bytes of a form


class Guard:
    """Answers a request only if it is from a browser that has the token. Each start of the application makes a new
    token.

    - The request must name this server as its host. Another name means that a site has pointed its name at this
      machine.
    - The request must come from a page of the application.
    - The cookie must have the token. The printed address has the token; opening it sets the cookie.
    """

    def __init__(self, app: ASGIApp, port: int, token: str = "") -> None:
        self.app, self.token = app, token or secrets.token_urlsafe(24)
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.cookie = f"counting-{port}"  # browsers send a cookie to every port of a host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refused = self._refused(scope["method"], HTTPConnection(scope))
        answer: ASGIApp = self.app if refused is None else refused
        left = MOST_FORM

        async def bounded() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise HTTPException(413, f"a form has {MOST_FORM:,} bytes at most")
            return message

        async def with_policy(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = MutableHeaders(scope=message)
                kept.setdefault("Content-Security-Policy", PAGES)
                kept.setdefault("Cache-Control", "no-store")
                kept["X-Content-Type-Options"] = "nosniff"
                kept["Referrer-Policy"] = "same-origin"  # without a referrer, browsers send forms without an origin
                kept["Cross-Origin-Resource-Policy"] = "same-origin"
            await send(message)

        is_file = scope["path"].startswith("/upload/")  # uploads have their own limit
        await answer(scope, receive if is_file else bounded, with_policy)

    def _refused(self, method: str, asked: HTTPConnection) -> Response | None:
        """The answer to a request that is refused; None if the request is allowed."""
        host, origin = asked.headers.get("host", ""), asked.headers.get("origin")
        if host not in self.hosts:
            return PlainTextResponse(f"This application is not {host!a}. Use the address that it printed.\n", 421)
        if origin is None and method not in ("GET", "HEAD"):
            return PlainTextResponse("The application takes forms only from its own pages.\n", 403)
        if origin is not None and origin != f"http://{host}":
            return PlainTextResponse(f"Refused: asked by another site, {origin!a}.\n", 403)
        is_first = method == "GET" and asked.scope["path"] == "/"
        if is_first and self._is_token(asked.query_params.get("token", "")):
            entered = RedirectResponse("/", 303)
            entered.set_cookie(self.cookie, self.token, httponly=True, samesite="strict")
            return entered
        if not self._is_token(asked.cookies.get(self.cookie, "")):
            return PlainTextResponse(
                "This address lacks its token. Use the whole address that the application printed when it started, "
                "or start it again.\n", 403
            )  # fmt: skip
        return None

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())
