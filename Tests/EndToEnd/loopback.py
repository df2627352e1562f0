"""What all servers of the tests have in common: they listen on loopback, in a thread, without a log."""
import http.server
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.part_came()
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def part_came(self):
        """Called for each part of a body that comes in parts."""

    def send(self, status, data, *headers):
        """Sends a response; each header is a pair."""
        self.send_response(status)
        for name, text in headers:
            self.send_header(name, text)
        if status != 204:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


class Listener:
    def __init__(self, handler):
        self.handler = handler
        self.listen(0)
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"

    def listen(self, port):
        self.server = Server(("127.0.0.1", port), self.handler)
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
