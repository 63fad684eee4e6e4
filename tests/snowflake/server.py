"""A local Snowflake: fakesnow's server with what taught.py adds; it prints its port."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import uuid

import duckdb
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
_aborts: list[bytes] = []
_running: dict[str, asyncio.Task[JSONResponse]] = {}
_OURS = {
    "/session/v1/login-request": "_login",
    "/queries/v1/query-request": "_query",
    "/queries/v1/abort-request": "_abort",
    "/queries/{query}/abort-request": "_abort",
    "/queries/{query}/result": "_result",
    "/monitoring/queries//{query}": "_status",
    "/duckdb": "_duckdb",
    "/history": "_history",
}


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
    return _begun(request) if sent.get("asyncExec") else await fake.query_request(request)


def _begun(request: Request) -> JSONResponse:
    """Begin a statement and answer at once: fakesnow would answer when it has ended."""
    query = str(uuid.uuid4())
    _running[query] = asyncio.create_task(fake.query_request(request))
    answer = {"queryId": query, "getResultUrl": f"/queries/{query}/result"}
    return JSONResponse({"data": answer, "code": "333334", "success": True})


async def _status(request: Request) -> JSONResponse:
    """Say how a statement that was begun stands."""
    task = _running[request.path_params["query"]]
    status = "SUCCESS" if task.done() else "RUNNING"
    if task.done() and not json.loads(task.result().body)["success"]:
        status = "FAILED_WITH_ERROR"
    message = json.loads(task.result().body)["message"] if status.startswith("FAILED") else ""
    found = {"id": request.path_params["query"], "status": status, "errorMessage": message}
    return JSONResponse({"data": {"queries": [found]}, "success": True})


async def _result(request: Request) -> JSONResponse:
    return await _running[request.path_params["query"]]


async def _abort(request: Request) -> JSONResponse:
    """Cancel as Snowflake does: whatever the request names, one statement runs at a time here."""
    _aborts.append(await request.body())
    for session in fake.sessions.values():
        session._duck_conn.interrupt()
    return JSONResponse({"success": True})


async def _duckdb(request: Request) -> JSONResponse:
    """Run a statement in the DuckDB inside: data that fakesnow has no words for."""
    try:
        fake.shared_fs.duck_conn.cursor().execute((await request.body()).decode())
    except duckdb.Error as error:
        return JSONResponse(str(error).splitlines()[0])
    return JSONResponse(None)


async def _history(request: Request) -> JSONResponse:
    return JSONResponse({"queries": _queries, "aborts": len(_aborts), "open": len(fake.sessions)})


def main() -> None:
    logging.disable(logging.CRITICAL)
    fakesnow.cursor.parse_one = lambda sql: rewritten(_parse(taught(sql)))
    fakesnow.macros.creation_sql = lambda catalog: _macros(catalog) + MACROS.format(catalog=catalog)
    first = fake.app.router.routes
    first[:0] = [
        Route(path, globals()[name], methods=["GET", "POST"]) for path, name in _OURS.items()
    ]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(fake.app, host="127.0.0.1", port=port, log_config=None))
    print(port, flush=True)
    server.run()


if __name__ == "__main__":
    main()
