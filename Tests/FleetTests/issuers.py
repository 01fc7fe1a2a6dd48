"""Many issuers on one listener, for tests and for Scripts/slurm.sh: issuers.py FOLDER [--tls].

Every path /NAME on every host is an issuer of its own with one RSA key. NAME decides what is wrong with it: hang answers
nothing, drip sends a byte a second, wrong states another issuer, busy answers 429, delay-N waits N milliseconds. FOLDER gets
`port` when the server listens, which also prints it, and in `requests` a line for each request: host, path, protocol. Files `rotated` and `short`
there change what all issuers publish: other keys, other algorithms.
"""

import base64
import hashlib
import json
import os
import ssl
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

folder = sys.argv[1]
tls = "--tls" in sys.argv
log = open(os.path.join(folder, "requests"), "a", buffering=1)
lock = threading.Lock()


def modulus(seed):
    """2048 bits that look like an RSA modulus: odd, the first bit set, not small."""
    octets = b"".join(hashlib.sha256(f"{seed}/{part}".encode()).digest() for part in range(8))
    octets = bytes([octets[0] | 0x80]) + octets[1:-1] + bytes([octets[-1] | 1])
    return base64.urlsafe_b64encode(octets).rstrip(b"=").decode()


def flag(name):
    return os.path.exists(os.path.join(folder, name))


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        host = self.headers["Host"]
        with lock:
            log.write(f"{time.time():.3f} {host} {self.path}\n")
        name = self.path.split("/")[1] if "/" in self.path else ""
        issuer = f"{'https' if tls else 'http'}://{host}/{name}"
        if name.startswith("hang"):
            time.sleep(60)
            return
        if name.startswith("delay-"):
            time.sleep(int(name.split("-")[1]) / 1000)
        if name.startswith("busy"):
            return self.answer(429, {}, {"Retry-After": "1"})
        if self.path.endswith("/.well-known/openid-configuration"):
            document = {
                "issuer": issuer + ("/other" if name.startswith("wrong") else ""),
                "authorization_endpoint": issuer + "/authorize",
                "token_endpoint": issuer + "/token",
                "userinfo_endpoint": issuer + "/userinfo",
                "jwks_uri": issuer + "/keys",
                "scopes_supported": ["openid"],
                "claims_supported": ["sub", "iss", "aud", "exp", "iat"],
                "response_types_supported": ["code", "id_token", "id_token token"],
                "response_modes_supported": ["query", "fragment"],
                "grant_types_supported": ["authorization_code", "implicit"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256"] if flag("short") else ["RS256", "PS256"],
                "token_endpoint_auth_methods_supported": ["client_secret_basic"],
                "code_challenge_methods_supported": ["S256"],
                "authorization_response_iss_parameter_supported": True,
            }
            return self.answer(200, document, drip=name.startswith("drip"))
        if self.path.endswith("/keys"):
            seed = f"{issuer}{'/new' if flag('rotated') else ''}"
            kid = hashlib.sha256(seed.encode()).hexdigest()[:12]
            key = {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": kid, "e": "AQAB", "n": modulus(seed)}
            return self.answer(200, {"keys": [key]})
        self.answer(404, {"error": "not_found"})

    def answer(self, status, body, fields={}, drip=False):
        octets = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "max-age=3600")
        self.send_header("Strict-Transport-Security", "max-age=31536000")
        self.send_header("Content-Length", str(len(octets)))
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            if not drip:
                self.wfile.write(octets)
                return
            for octet in octets:
                self.wfile.write(bytes([octet]))
                self.wfile.flush()
                time.sleep(1)
        except OSError:
            pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def handle_error(self, request, address):
        pass


server = Server(("0.0.0.0", 0), Handler)
if tls:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, "server.pem"))
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
with open(os.path.join(folder, "port.part"), "w") as file:
    file.write(str(server.server_address[1]))
os.rename(os.path.join(folder, "port.part"), os.path.join(folder, "port"))
print(server.server_address[1], flush=True)
server.serve_forever()
