"""Runs in the machine: one call over the socket, or one request over HTTP."""
import http.client
import json
import os
import socket
import sys


def call(method, parameters, more):
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(50)
    connection.connect(os.environ["XDG_RUNTIME_DIR"] + "/postern/io.postern")
    message = {"method": method, "parameters": json.loads(parameters)}
    if more:
        message["more"] = True
    connection.sendall(json.dumps(message).encode() + b"\0")
    buffer = b""
    while True:
        while b"\0" in buffer:
            line, buffer = buffer.split(b"\0", 1)
            print(line.decode(), flush=True)
            if not json.loads(line).get("continues"):
                return
        data = connection.recv(65536)
        if not data:
            sys.exit("the connection was closed")
        buffer += data


def get(host, path):
    connection = http.client.HTTPConnection(host, timeout=50)
    connection.request("GET", path)
    print(connection.getresponse().status)


if sys.argv[1] == "call":
    call(sys.argv[2], sys.argv[3], "more" in sys.argv[4:])
else:
    get(sys.argv[2], sys.argv[3])
