"""An MCP server behind TLS, an account whose tokens are for it, and the ways of a client to it: each `call` is one answered request."""
import json
import os
import pathlib
import select
import socket
import ssl
import subprocess
import time

import setting

ROOT = pathlib.Path(__file__).resolve().parents[2]
NGINX = """daemon off;
worker_processes 1;
pid {work}/{name}.pid;
error_log {work}/{name}.log;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    client_body_temp_path {work}/{name}.body;
    proxy_temp_path {work}/{name}.proxy;
    fastcgi_temp_path {work}/{name}.fastcgi;
    uwsgi_temp_path {work}/{name}.uwsgi;
    scgi_temp_path {work}/{name}.scgi;
    keepalive_timeout 3600;
    keepalive_requests 100000000;
    upstream behind {{ server 127.0.0.1:{behind}; keepalive 128; keepalive_requests 100000000; keepalive_timeout 3600; }}
    server {{
        listen 127.0.0.1:{port}{tls};
        ssl_certificate {work}/certificate.pem;
        ssl_certificate_key {work}/key.pem;
        location / {{
            proxy_pass {scheme}://behind;
            proxy_ssl_trusted_certificate {work}/certificate.pem;
            proxy_ssl_verify on;
            proxy_ssl_name localhost;
            proxy_ssl_session_reuse on;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_buffering off;
            tcp_nodelay on;
        }}
    }}
}}
"""
CALL = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": "x" * 200}}}, separators=(",", ":"))
BEGIN = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}}, separators=(",", ":"))
BEGUN = '{"jsonrpc":"2.0","method":"notifications/initialized"}'


def numbered(line, number):
    return line.replace('"id":1,', f'"id":{number},', 1)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """The same server for all: TLS by nginx, and answers by a program in C."""

    def __init__(self, build):
        self.build, self.work = build, pathlib.Path(build.work) / "bridge"
        self.work.mkdir()
        self.processes = []
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", self.work / "key.pem", "-out", self.certificate],
            check=True, capture_output=True)
        answers = subprocess.Popen([build.programs["mcp-server"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.processes.append(answers)
        self.port = self.nginx("server", int(answers.stdout.readline()), "http", " ssl")
        self.url = f"https://127.0.0.1:{self.port}/mcp"
        self.relay = self.nginx("relay", self.port, "https", "")
        self.daemon = setting.Daemon(build.programs, self.work / "daemon", self.config).start()
        setting.sign_in(self.daemon, keeps=True)
        self.token = self.daemon.call("GetAccessToken", {"providerID": "work"})["accessToken"]

    @property
    def certificate(self):
        return self.work / "certificate.pem"

    @property
    def config(self):
        text = self.build.provider.config.replace('serves = ["https://git.example.com"]', f'serves = ["{self.url}"]')
        return text + f'ca-file = "{self.certificate}"\n'

    def nginx(self, name, behind, scheme, tls):
        port = free_port()
        file = self.work / f"{name}.conf"
        file.write_text(NGINX.format(work=self.work, name=name, behind=behind, scheme=scheme, tls=tls, port=port))
        process = subprocess.Popen([ROOT / ".nginx/usr/sbin/nginx", "-p", self.work, "-c", file], stderr=subprocess.DEVNULL)
        self.processes.append(process)
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 10).close()
                return port
            except ConnectionRefusedError:
                if process.poll() is not None:
                    raise RuntimeError((self.work / f"{name}.log").read_text()) from None
                time.sleep(0.01)

    def bridge(self):
        return Lines([self.build.programs["postern-mcp"], "stdio", self.url], self.build.environment(POSTERN_SOCKET=str(self.daemon.path)))

    def mcp_proxy(self, program):
        return Lines([program, "--transport", "streamablehttp", "--log-level", "ERROR", "--verify-ssl", str(self.certificate),
                      "-H", "Authorization", f"Bearer {self.token}", self.url], self.build.environment())

    def direct(self):
        return Connection(self.port, self.token, ssl.create_default_context(cafile=self.certificate))

    def relayed(self):
        return Connection(self.relay, self.token)

    def stop(self):
        self.daemon.stop()
        for process in reversed(self.processes):
            process.stdin.close() if process.stdin else process.terminate()
            process.wait()


class Connection:
    """A kept connection of HTTP/1.1."""

    def __init__(self, port, token, tls=None):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname="localhost")
        self.head = ("POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
                     f"MCP-Protocol-Version: 2025-11-25\r\nMcp-Session-Id: 0123456789abcdef\r\nAuthorization: Bearer {token}\r\nContent-Length: ")
        self.request = self.made(CALL)

    def made(self, body):
        return f"{self.head}{len(body)}\r\n\r\n{body}".encode()

    def send(self):
        self.socket.sendall(self.request)

    def receive(self):
        data = b""
        while True:
            more = self.socket.recv(65536)
            if not more:
                raise EOFError(data[:200])
            data += more
            head, end, body = data.partition(b"\r\n\r\n")
            if end and len(body) >= int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0]):
                if not head.startswith(b"HTTP/1.1 200"):
                    raise RuntimeError(data[:500])
                return body

    def call(self):
        self.send()
        return self.receive()

    def close(self):
        self.socket.close()


class Lines:
    """A program that speaks MCP over its standard input and output."""

    def __init__(self, command, environment):
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        self.input, self.output = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.rest = b""
        self.put(BEGIN)
        self.line()
        self.first = time.perf_counter() - self.begun
        self.put(BEGUN)
        self.number = 1

    def put(self, text):
        data = text.encode() + b"\n"
        while data:
            data = data[os.write(self.input, data):]

    def line(self):
        while (end := self.rest.find(b"\n")) < 0:
            more = os.read(self.output, 1 << 16)
            if not more:
                raise EOFError("the program has ended")
            self.rest += more
        line, self.rest = self.rest[:end], self.rest[end + 1:]
        if b'"error"' in line[:200]:
            raise RuntimeError(line[:500])
        return line

    def call(self):
        self.number += 1
        self.put(numbered(CALL, self.number))
        return self.line()

    def flood(self, count, under_way):
        """Seconds for as many calls, with some of them always under way."""
        begin = time.perf_counter()
        for _ in range(under_way):
            self.number += 1
            self.put(numbered(CALL, self.number))
        for number in range(count):
            self.line()
            if number + under_way < count:
                self.number += 1
                self.put(numbered(CALL, self.number))
        return time.perf_counter() - begin

    def stream(self, count, size, watch):
        """As many messages of so many bytes; `watch` is called now and then."""
        self.number += 1
        call = {"jsonrpc": "2.0", "id": self.number, "method": "tools/call",
                "params": {"name": "stream", "arguments": {"count": count, "size": size}, "_meta": {"progressToken": 1}}}
        self.put(json.dumps(call, separators=(",", ":")))
        left, seen, before = count * size, 0, 0
        while True:
            data = os.read(self.output, 1 << 20)
            if not data:
                raise EOFError("the program has ended")
            seen += len(data)
            if seen - before > left // 50:
                before = seen
                watch()
            if data.endswith(b'"done"}]}}\n'):
                return seen

    def memory(self):
        """MB, private to it."""
        rollup = dict(line.split(":") for line in open(f"/proc/{self.process.pid}/smaps_rollup").read().splitlines()[1:])
        return (int(rollup["Private_Dirty"].split()[0]) + int(rollup["Private_Clean"].split()[0])) * 1024 / 1e6

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


def flood(connections, count):
    """Seconds for as many calls over these connections, each with one under way."""
    poll, by_number, left, begun = select.epoll(), {}, count, time.perf_counter()
    for each in connections:
        poll.register(each.socket, select.EPOLLIN)
        by_number[each.socket.fileno()] = each
        each.send()
    sent = len(connections)
    while left:
        for number, _ in poll.poll():
            by_number[number].receive()
            left -= 1
            if sent < count:
                by_number[number].send()
                sent += 1
    poll.close()
    return time.perf_counter() - begun
