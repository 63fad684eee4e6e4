"""A local Snowflake: fakesnow's server with what taught.py adds; prints its port, ends with stdin."""

from __future__ import annotations

import json
import logging
import socket
import sys
import threading

import fakesnow.cursor
import fakesnow.macros
import fakesnow.server as fake
import uvicorn
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from taught import MACROS, rewritten, taught

_parse, _macros = fakesnow.cursor.parse_one, fakesnow.macros.creation_sql
_queries: list[dict[str, object]] = []


async def _login(request: Request) -> JSONResponse:
    """Answer with what the connector of version 5 needs too."""
    found = json.loads((await fake.login_request(request)).body)
    token = found["data"]["token"]
    found["data"] |= {"masterToken": token, "validityInSeconds": 3600, "sessionId": 1}
    return JSONResponse(found)


async def _query(request: Request) -> JSONResponse:
    """Remember the statement with its parameters, as Snowflake's query history does."""
    import gzip

    body = await request.body()
    if request.headers.get("Content-Encoding") == "gzip":
        body = gzip.decompress(body)
    sent = json.loads(body)
    _queries.append({"sql": sent["sqlText"], "parameters": sent.get("parameters") or {}})
    return await fake.query_request(request)


async def _history(request: Request) -> JSONResponse:
    return JSONResponse(_queries)


def main() -> None:
    logging.disable(logging.CRITICAL)
    fakesnow.cursor.parse_one = lambda sql: rewritten(_parse(taught(sql)))
    fakesnow.macros.creation_sql = lambda catalog: _macros(catalog) + MACROS.format(catalog=catalog)
    first = fake.app.router.routes
    first.insert(0, Route("/session/v1/login-request", _login, methods=["POST"]))
    first.insert(0, Route("/queries/v1/query-request", _query, methods=["POST"]))
    first.insert(0, Route("/history", _history, methods=["GET"]))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(fake.app, host="127.0.0.1", port=port, log_config=None))
    threading.Thread(target=_until_the_tests_end, args=(server,), daemon=True).start()
    print(port, flush=True)
    server.run()


def _until_the_tests_end(server: uvicorn.Server) -> None:
    sys.stdin.read()
    server.should_exit = True


if __name__ == "__main__":
    main()
