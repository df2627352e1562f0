"""git over HTTP, as hosts serve it: `git http-backend` behind a server that requires a token."""
import base64
import os
import subprocess
import urllib.parse

import loopback


class GitServer(loopback.Listener):
    """Serves the bare repositories of a folder for requests with a token that `accepts` accepts."""

    def __init__(self, folder):
        self.folder = folder
        self.accepts = lambda token, path: False
        self.challenge = 'Basic realm="git"'
        self.seen = []              # (path, user name, token) of each request; None where there was none
        server = self

        class Handler(loopback.Handler):
            def handle_request(self):
                parts = urllib.parse.urlsplit(self.path)
                body = self.body()
                scheme, _, value = (self.headers.get("Authorization") or "").partition(" ")
                user, token = None, None
                if scheme == "Basic":
                    user, _, token = base64.b64decode(value).decode().partition(":")
                elif scheme == "Bearer":
                    user, token = "bearer", value
                server.seen.append((parts.path, user, token))
                if token is None or not server.accepts(token, parts.path):
                    return self.send(401, b"", ("WWW-Authenticate", server.challenge))
                environment = {
                    "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": str(server.folder), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": parts.path,
                    "QUERY_STRING": parts.query, "REQUEST_METHOD": self.command, "REMOTE_USER": user, "REMOTE_ADDR": "127.0.0.1",
                    "CONTENT_TYPE": self.headers.get("Content-Type") or "", "CONTENT_LENGTH": str(len(body)),
                    "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding") or "", "GIT_PROTOCOL": self.headers.get("Git-Protocol") or "",
                    "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
                    # In a container the folder may have another owner.
                    "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
                }
                reply = subprocess.run(["git", "http-backend"], input=body, capture_output=True, env=environment, timeout=60, check=False)
                head, _, data = reply.stdout.partition(b"\r\n\r\n")
                headers = [line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line]
                status = next((int(text.split()[0]) for name, text in headers if name == "Status"), 200)
                self.send(status, data, *(pair for pair in headers if pair[0] != "Status"))

            do_GET = do_POST = handle_request

        super().__init__(Handler)

    def repository(self, path):
        """A bare repository with one commit; its URL."""
        bare = self.folder / path
        work = self.folder / (path.replace("/", "-") + ".work")
        git = ["git", "-c", "init.defaultBranch=main", "-c", "user.name=t", "-c", "user.email=t@example.com"]
        subprocess.run([*git, "init", "-q", "--bare", str(bare)], check=True, timeout=60)
        subprocess.run([*git, "-C", str(bare), "config", "http.receivepack", "true"], check=True, timeout=60)
        subprocess.run([*git, "init", "-q", str(work)], check=True, timeout=60)
        (work / "file").write_text("1\n")
        for arguments in (["add", "file"], ["commit", "-qm", "one"], ["push", "-q", str(bare), "HEAD:main"]):
            subprocess.run([*git, "-C", str(work), *arguments], check=True, timeout=60)
        return f"{self.origin}/{path}"

    def tokens(self, since=0):
        return [token for _, _, token in self.seen[since:] if token is not None]
