"""Answers like a broken or hostile issuer, one kind of misbehaviour per path, on a free loopback port.

Prints the port, then serves until standard input ends.
"""

import http.server
import sys
import threading
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def whole(self, body, kind="application/json", status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        mode = self.path.split("/")[1]
        base = "http://%s/%s" % (self.headers["Host"], mode)
        try:
            getattr(self, "serve_" + mode.replace("-", "_"), self.serve_missing)(base)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def serve_missing(self, base):
        self.whole(b"nothing here", "text/plain", 404)

    def serve_html(self, base):
        self.whole(b"<!doctype html><title>Attention required</title>Please enable cookies.", "text/html", 403)

    def serve_page(self, base):
        self.whole(b"<!doctype html><title>Welcome</title>", "text/html")

    def serve_big(self, base):
        self.whole(b'{"issuer":"' + b"x" * (5 << 20) + b'"}')

    def serve_endless(self, base):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Connection", "close")
        self.end_headers()
        while True:
            self.wfile.write(b" " * 65536)

    def serve_loop(self, base):
        self.send_response(302)
        self.send_header("Location", base + "/.well-known/openid-configuration")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def serve_deep(self, base):
        self.whole(b"[" * 100000 + b"]" * 100000)

    def serve_truncated(self, base):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "5000")
        self.end_headers()
        self.wfile.write(b'{"issuer":"' + base.encode())
        self.wfile.flush()
        self.connection.close()
        self.close_connection = True

    def serve_slow(self, base):
        time.sleep(60)

    def serve_control(self, base):
        self.whole(('{"issuer":"%s/\\u001b[31m]]>\\u0000<script>`|::error::##[group]##vso[task.setvariable variable=PATH]/x\\u202e"}' % base).encode())

    def serve_private(self, base):
        self.whole(('{"issuer":"%s","jwks_uri":"http://169.254.169.254/latest/meta-data"}' % base).encode())


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
