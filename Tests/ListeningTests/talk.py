"""Sends standard input to a port, byte by byte, and prints the response until the other side closes the connection.

Standard error gets a line when the connection is made, and one when everything is sent.

    talk.py PORT [SECONDS]

Ends after so many seconds (30 by default) with code 3, whatever was received.
"""
import os
import socket
import sys
import threading

port, seconds = int(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 30.0
connection = socket.create_connection(("127.0.0.1", port), timeout=seconds)
print("connected", file=sys.stderr, flush=True)


def say():
    try:
        connection.sendall(sys.stdin.buffer.read())
        print("said", file=sys.stderr, flush=True)
    except OSError:
        # A client that the server rejects may find the connection closed.
        pass


threading.Thread(target=say, daemon=True).start()
try:
    while octets := connection.recv(65536):
        sys.stdout.buffer.write(octets)
        sys.stdout.buffer.flush()
except TimeoutError:
    sys.exit(3)
except ConnectionResetError:
    pass
# An ordinary end would wait for the thread that still reads standard input.
os._exit(0)
