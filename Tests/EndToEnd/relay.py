"""A relay for one of a provider's documents: counts requests, and can be down."""
import http.server
import threading
import urllib.request


class Relay:
    """Passes GET requests on to `target`; with `down` it answers 503."""

    def __init__(self, target):
        self.target, self.down, self.count = target, False, 0
        self.open = threading.Event()
        self.open.set()
        self.arrived = threading.Semaphore(0)
        relay = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

            def do_GET(self):
                relay.count += 1
                relay.arrived.release()
                relay.open.wait(30)
                if relay.down:
                    return self.send_error(503)
                opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
                with opener.open(relay.target, timeout=20) as reply:
                    data = reply.read()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/document"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self.open.set()
        self.server.shutdown()
        self.server.server_close()
