"""Signs in at the reference provider with the MCP clients of PyPI, as an AI host does at a protected resource: 401, metadata of the
resource and of the provider, registration or a preset client, code with PKCE and `resource`, token, tools/list, refresh.

    mcp_clients.py PROVIDER [--out FILE] [--words FILE] [--expect FILE] [FAULT-PATTERN …]

Prints a row for each fault: the fault, and for each client "+" or the step at which it stopped. Exits with an error if a client does
not sign in at the provider without faults.
"""

import argparse
import asyncio
import concurrent.futures
import contextlib
import datetime
import fnmatch
import http.server
import importlib.metadata
import json
import logging
import pathlib
import subprocess
import threading
import time
import urllib.parse
import warnings
import webbrowser

import fastmcp
import httpx2
import mcp
import requests
from fastmcp.client.auth import OAuth
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata
from pydantic import AnyUrl

from compare import start, stop
from signing_in import Refused, browse, query

OPTIONS = ["--persona", "standard", "--http"]
PRESET = "preflight-public"
"""The public client that every reference provider knows, with the redirect URI that it prints."""
WORKERS = 2
SECONDS = 20
"""The time limit of one sign-in."""


class Resource(http.server.ThreadingHTTPServer):
    """A protected resource: an MCP server that takes any bearer token, and names the issuer in its metadata."""

    daemon_threads = True

    def __init__(self, issuer):
        super().__init__(("127.0.0.1", 0), ResourceHandler)
        self.issuer = issuer
        self.origin = f"http://127.0.0.1:{self.server_port}"
        self.address = self.origin + "/mcp"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class ResourceHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/.well-known/oauth-protected-resource/mcp":
            # The first scope of a host; it adds offline_access where the provider lists that.
            self.reply(200, {
                "resource": self.server.address, "authorization_servers": [self.server.issuer], "scopes_supported": ["openid"],
            })
        else:
            self.reply(405 if self.path == "/mcp" else 404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path != "/mcp":
            return self.reply(404)
        if not self.headers.get("Authorization", "").startswith("Bearer "):
            metadata = self.server.origin + "/.well-known/oauth-protected-resource/mcp"
            return self.reply(401, challenge=f'Bearer resource_metadata="{metadata}"')
        asked = json.loads(body)
        if "id" not in asked:
            return self.reply(202)
        results = {
            "initialize": {
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "resource", "version": "1"},
            },
            "tools/list": {"tools": []},
        }
        answer = {"jsonrpc": "2.0", "id": asked["id"]}
        if asked["method"] in results:
            return self.reply(200, {**answer, "result": results[asked["method"]]})
        return self.reply(200, {**answer, "error": {"code": -32601, "message": "no such method"}})

    def reply(self, status, content=None, challenge=None):
        body = b"" if content is None else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if content is not None:
            self.send_header("Content-Type", "application/json")
        if challenge:
            self.send_header("WWW-Authenticate", challenge)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class User:
    """The user, who signs in once; a second page means that the host could not refresh its token."""

    def __init__(self, redirect_uri):
        self.redirect_uri = redirect_uri
        self.visits = 0

    def sign_in(self, address):
        """The URL at which the provider sends the user back to the client."""
        self.visits += 1
        if self.visits > 1:
            raise Refused("refresh", "the user has to sign in again")
        return browse(address, self.redirect_uri)


class Stored(TokenStorage):
    """Tokens and client of one sign-in."""

    def __init__(self, client=None):
        self.client = client
        self.tokens = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


async def sign_in_mcp(resource, preset, begun):
    """`mcp`, in a host that registers a loopback redirect URI, or knows the preset client."""
    user = User(preset or "http://127.0.0.1:33418/callback")
    metadata = OAuthClientMetadata(
        client_name="a host", redirect_uris=[AnyUrl(user.redirect_uri)], token_endpoint_auth_method="none",
        grant_types=["authorization_code", "refresh_token"], response_types=["code"],
    )
    known = None
    if preset:
        known = OAuthClientInformationFull(client_id=PRESET, **metadata.model_dump(exclude={"application_type"}))
    back = {}

    async def show(address):
        back.update(query(await asyncio.to_thread(user.sign_in, address)))

    async def came():
        if "error" in back:
            raise Refused("authorization", f"{back['error']}: {back.get('error_description')}")
        return AuthorizationCodeResult(code=back.get("code", ""), state=back.get("state"), iss=back.get("iss"))

    auth = OAuthClientProvider(resource.address, metadata, Stored(known), show, came)
    begun(auth)
    async with httpx2.AsyncClient(auth=auth) as http_client:
        async with mcp.Client(streamable_http_client(resource.address, http_client=http_client)) as client:
            await call_twice(client, auth)


async def sign_in_fastmcp(resource, preset, begun):
    """`fastmcp`, with its own server for the redirect; that of the preset client is of another site, which hands it on."""
    auth = OAuth(client_id=PRESET if preset else None)
    client = fastmcp.Client(resource.address, auth=auth)
    if preset:
        auth.context.client_metadata.redirect_uris = [AnyUrl(preset)]
    here = f"http://localhost:{auth.redirect_port}/callback"
    user = User(preset or here)
    begun(auth)

    def visit(address):
        back = user.sign_in(address)
        for _ in range(100):
            # The server starts only after the browser.
            with contextlib.suppress(requests.ConnectionError):
                return requests.get(f"{here}?{urllib.parse.urlsplit(back).query}", timeout=5)
            time.sleep(0.05)
        raise Refused("authorization", "the client does not listen at its redirect URI")

    async def sign_in():
        async with client:
            await call_twice(client, auth)

    signing_in = asyncio.ensure_future(sign_in())
    visits = []

    def opened(address):
        visit_of_user = asyncio.ensure_future(asyncio.to_thread(visit, address))
        visit_of_user.add_done_callback(lambda visit: visit.exception() and signing_in.cancel())
        visits.append(visit_of_user)
        return True

    webbrowser.open = opened
    try:
        await signing_in
    except asyncio.CancelledError:
        for visit_of_user in visits:
            if visit_of_user.done():
                visit_of_user.result()
        raise


async def call_twice(client, auth):
    """Calls with the new token, and again after it has expired; a client without expires_in keeps its token."""
    await client.list_tools()
    auth.called = True
    if auth.context.token_expiry_time is not None:
        auth.context.token_expiry_time = 1
    await client.list_tools()


CLIENTS = {"mcp": sign_in_mcp, "fastmcp": sign_in_fastmcp}
COLUMNS = [name + kind for name in CLIENTS for kind in ("", "-preset")]


class Asked:
    """The last request of a client, which distinguishes the steps before its tokens."""

    def __init__(self):
        self.last = None
        original = httpx2.AsyncHTTPTransport.handle_async_request
        asked = self

        async def handle(transport, request):
            asked.last = request
            return await original(transport, request)

        httpx2.AsyncHTTPTransport.handle_async_request = handle

    def step(self, auth):
        """The step that a client did not complete, by what it has."""
        if auth.context.oauth_metadata is None:
            return "discovery"
        if auth.context.client_info is None:
            return "registration"
        if getattr(auth, "called", False):
            return "refresh"
        if auth.context.current_tokens is not None:
            return "call"
        return "token" if self.last is not None and b"grant_type=" in self.last.content else "authorization"


def outcome(asked, resource, column, redirect_uri):
    """"+" or the step of the failure, and its message."""
    name, _, kind = column.partition("-")
    auths = []
    try:
        signing_in = CLIENTS[name](resource, redirect_uri if kind else None, auths.append)
        asyncio.run(asyncio.wait_for(signing_in, SECONDS))
        return "+", ""
    except Exception as raised:  # any exception of a client is a failed sign-in
        error = raised
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        step = asked.step(auths[0])
        if isinstance(error, Refused):
            # Of its own steps, the browser knows only that the user did not come back.
            return "refresh" if error.step == "refresh" else step, str(error)
        return step, f"{type(error).__name__}: {error}"


def begin():
    """Prepares a worker."""
    global asked
    asked = Asked()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)


def row(program, fault):
    """The outcome of each client at the provider with a fault; None if it does not start, or if the fault is for another one."""
    process, told = start(program, fault, *OPTIONS)
    if process is None:
        return None
    try:
        if "Note:" in told:
            return None
        with Resource(told["issuer"]) as resource:
            # One at a time: some faults affect every other request.
            found = [outcome(asked, resource, column, told["redirect"]) for column in COLUMNS]
            resource.shutdown()
            return found
    finally:
        stop(process)


def faults(program):
    """The faults that the provider lists."""
    listed = subprocess.run([program, "--list-faults"], check=True, capture_output=True, text=True).stdout
    return [line.split()[0] for line in listed.splitlines() if line.strip()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("provider", help="the program oidc-preflight-provider")
    parser.add_argument("patterns", nargs="*", default=["*"], help="patterns of faults, such as token.*")
    parser.add_argument("--out", type=pathlib.Path, help="the file for the table, without faults that no client refuses")
    parser.add_argument("--words", type=pathlib.Path, help="the file for the clients' messages")
    parser.add_argument("--expect", type=pathlib.Path, help="a table of an earlier run; any other outcome is an error")
    options = parser.parse_intermixed_args()

    listed = faults(options.provider)
    chosen = [fault for fault in listed if any(fnmatch.fnmatch(fault, pattern) for pattern in options.patterns)]
    if not chosen:
        raise SystemExit("mcp-clients: no fault of the provider fits")

    measured = {}
    with concurrent.futures.ProcessPoolExecutor(WORKERS, initializer=begin) as workers:
        pending = {fault: workers.submit(row, options.provider, fault) for fault in ["none"] + chosen}
        for fault, future in pending.items():
            measured[fault] = future.result()
            if measured[fault] is not None:
                print("\t".join([fault] + [result for result, _ in measured[fault]]), flush=True)
            if fault == "none" and (measured[fault] is None or any(result != "+" for result, _ in measured[fault])):
                workers.shutdown(cancel_futures=True)
                raise SystemExit(f"mcp-clients: the sign-in at the provider without faults failed: {measured[fault]}")

    del measured["none"]
    tried = {fault: found for fault, found in measured.items() if found is not None}
    refused = {fault: found for fault, found in tried.items() if any(result != "+" for result, _ in found)}
    print(f"{len(tried)} faults tried, {len(refused)} refused, {len(measured) - len(tried)} skipped")
    if options.out:
        options.out.write_text(heading(len(tried)) + "".join(
            "\t".join([fault] + [result for result, _ in found]) + "\n" for fault, found in refused.items()
        ))
    if options.words:
        options.words.write_text("".join(
            "\t".join([fault, column, result, " ".join(words.split())[:300]]) + "\n"
            for fault, found in refused.items() for column, (result, words) in zip(COLUMNS, found) if result != "+"
        ))
    if options.expect:
        expected = dict(line.split("\t", 1) for line in options.expect.read_text().splitlines() if not line.startswith("#"))
        differing = {
            fault: found for fault, found in tried.items()
            if "\t".join(result for result, _ in found) != expected.get(fault, "\t".join("+" for _ in COLUMNS))
        }
        for fault, found in differing.items():
            print(f"mcp-clients: {fault}: expected {expected.get(fault, 'sign-ins')}, found {found}")
        if differing:
            raise SystemExit(1)


def heading(tried):
    """The comment and the heading of the table."""
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in CLIENTS)
    return (
        f"# How MCP clients reacted to the reference provider's faults on {datetime.date.today()}: {versions};\n"
        f"# {' '.join(OPTIONS)}. Each signs in with a client that it registers, and with the preset public client.\n"
        "# A + is a sign-in with a call and a refresh, else the step at which the client stopped.\n"
        f"# {tried} faults were tried; those that no client refuses are left out. Measured by Scripts/mcp-clients.sh.\n"
        "# Not tried: faults that the provider says are designed for another persona. "
        "Faults that need TLS have no effect over http.\n"
        + "\t".join(["fault"] + COLUMNS) + "\n"
    )


if __name__ == "__main__":
    main()
