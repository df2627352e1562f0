"""A WebDAV server in memory with as much as rclone needs: files in one folder, for requests with a valid token."""
import email.utils
import html

import loopback


class DAVServer(loopback.Listener):
    def __init__(self, accepts):
        self.accepts = accepts      # asked of each Authorization header
        self.files = {}
        self.refused = []           # the Authorization of each request that was turned away
        self.stored = lambda name: None
        server = self

        class Handler(loopback.Handler):
            def handle_request(self):
                body = self.body()
                if not server.accepts(self.headers.get("Authorization")):
                    server.refused.append(self.headers.get("Authorization"))
                    return self.send(401, b"", ("WWW-Authenticate", 'Bearer realm="dav"'))
                getattr(self, f"answer_{self.command}")(self.path.strip("/"), body)

            do_PROPFIND = do_GET = do_PUT = do_MKCOL = do_DELETE = handle_request

            def answer_PROPFIND(self, name, body):
                if name and name not in server.files:
                    return self.send(404, b"")
                names = [name] if name else ["", *(server.files if self.headers.get("Depth") != "0" else [])]
                entries = "".join(map(server.entry, names))
                data = f'<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">{entries}</d:multistatus>'.encode()
                self.send(207, data, ("Content-Type", "application/xml"))

            def answer_GET(self, name, body):
                self.send(200 if name in server.files else 404, server.files.get(name, b""))

            def answer_PUT(self, name, body):
                server.files[name] = body
                self.send(201, b"")
                server.stored(name)

            def answer_MKCOL(self, name, body):
                self.send(405, b"")

            def answer_DELETE(self, name, body):
                self.send(204 if server.files.pop(name, None) is not None else 404, b"")

        super().__init__(Handler)

    def entry(self, name):
        kind = "" if name else "<d:collection/>"
        size = f"<d:getcontentlength>{len(self.files[name])}</d:getcontentlength>" if name else ""
        return (f"<d:response><d:href>/{html.escape(name)}</d:href><d:propstat><d:status>HTTP/1.1 200 OK</d:status><d:prop>{size}"
                f"<d:getlastmodified>{email.utils.formatdate(0, usegmt=True)}</d:getlastmodified><d:resourcetype>{kind}</d:resourcetype></d:prop></d:propstat></d:response>")
