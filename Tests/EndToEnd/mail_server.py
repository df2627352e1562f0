"""Mail servers on loopback that take access tokens and no passwords: SMTP by aiosmtpd, and the little IMAP and POP3 that programs here use.

The provider that issued a token says whether it is valid and for whom; this must be the owner of the mailbox.
"""
import base64
import re
import socketserver
import threading

import requests
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from postern import free_port

XOAUTH2 = re.compile(rb"user=([^\x01]*)\x01auth=Bearer ([^\x01 ]+)\x01\x01")
OAUTHBEARER = re.compile(rb"n,a=([^,\x01]*),\x01(?:host=[^\x01]+\x01)?(?:port=\d+\x01)?auth=Bearer ([^\x01 ]+)\x01\x01")
MESSAGE = (
    b"From: Grace <grace@example.com>\r\nTo: Ada <ada@example.com>\r\nSubject: Postern\r\nMessage-ID: <1@example.com>\r\n"
    b"Date: Sat, 21 Nov 2026 06:24:00 +0000\r\n\r\nThe token was good.\r\n")


class Mailbox:
    """One message, and the clients that fetched it."""

    def __init__(self, userinfo):
        self.userinfo = userinfo
        self.logins = []        # (mechanism, user, token) that were right
        self.refused = []       # the same, and wrong; or what could not be read
        self.sent = []          # what came by SMTP

    def opens(self, mechanism, response):
        found = {"XOAUTH2": XOAUTH2, "OAUTHBEARER": OAUTHBEARER}[mechanism].fullmatch(response)
        if not found:
            self.refused.append(response)
            return False
        user, token = (part.decode() for part in found.groups())
        session = requests.Session()
        session.trust_env = False
        answer = session.get(self.userinfo, headers={"Authorization": f"Bearer {token}"}, timeout=10)
        good = answer.status_code == 200 and answer.json()["email"] == user
        (self.logins if good else self.refused).append((mechanism, user, token))
        return good


class SMTP(Controller):
    def __init__(self, mailbox):
        self.mailbox = mailbox
        super().__init__(
            self, hostname="127.0.0.1", port=free_port(), auth_require_tls=False, auth_required=True,
            auth_exclude_mechanism=["LOGIN", "PLAIN"])
        self.start()

    async def login(self, server, arguments):
        text = arguments[1] if len(arguments) > 1 else await server.challenge_auth("", encode_to_b64=False)
        response = base64.b64decode(text) if isinstance(text, str) else text
        if self.mailbox.opens(arguments[0], response):
            return AuthResult(success=True)
        await server.challenge_auth('{"status":"401"}')
        return AuthResult(success=False, handled=False)

    auth_XOAUTH2 = auth_OAUTHBEARER = login

    async def handle_DATA(self, server, session, envelope):
        self.mailbox.sent.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
        return "250 Message accepted"


class Lines(socketserver.StreamRequestHandler):
    """A line-based connection."""

    def say(self, line):
        self.wfile.write((line if isinstance(line, bytes) else line.encode()) + b"\r\n")

    def handle(self):
        try:
            self.greet()
            while line := self.rfile.readline(65536):
                if self.command(line.rstrip(b"\r\n").decode()) == "end":
                    return
        except ConnectionError:
            pass

    def response(self, words, prompt):
        """The client's initial response: in the command, or requested."""
        if not words:
            self.say(prompt)
            words = [self.rfile.readline(65536).decode()]
        return base64.b64decode(words[0])

    def login(self, words, prompt):
        mechanism = words[0].upper()
        if self.server.mailbox.opens(mechanism, self.response(words[1:], prompt)):
            return True
        self.say(prompt + base64.b64encode(b'{"status":"401","schemes":"bearer"}').decode())
        self.rfile.readline(65536)
        return False


class IMAP(Lines):
    CAPABILITIES = "IMAP4rev1 SASL-IR AUTH=XOAUTH2 AUTH=OAUTHBEARER"

    def greet(self):
        self.say(f"* OK [CAPABILITY {self.CAPABILITIES}] ready")

    def command(self, line):
        tag, _, rest = line.partition(" ")
        name, _, rest = rest.partition(" ")
        name = name.upper()
        if name == "UID":
            name, _, rest = rest.partition(" ")
            name = name.upper()
        if name == "LOGOUT":
            self.say("* BYE gone")
            self.say(f"{tag} OK done")
            return "end"
        if name == "AUTHENTICATE":
            good = self.login(rest.split(), "+ ")
            return self.say(f"{tag} OK [CAPABILITY {self.CAPABILITIES}] welcome" if good else f"{tag} NO [AUTHENTICATIONFAILED] no")
        if name in ("SELECT", "EXAMINE"):
            for answer in ("* 1 EXISTS", "* 0 RECENT", "* FLAGS (\\Seen \\Deleted)", "* OK [UIDVALIDITY 1] valid", "* OK [UIDNEXT 2] next",
                           "* OK [PERMANENTFLAGS (\\Seen \\Deleted)] kept"):
                self.say(answer)
            return self.say(f"{tag} OK [READ-{'ONLY' if name == 'EXAMINE' else 'WRITE'}] done")
        if name == "FETCH":
            self.fetch(rest)
        else:
            for answer in {"CAPABILITY": [f"CAPABILITY {self.CAPABILITIES}"], "LIST": ['LIST () "/" INBOX'], "LSUB": ['LSUB () "/" INBOX'],
                           "NAMESPACE": ['NAMESPACE (("" "/")) NIL NIL'], "SEARCH": ["SEARCH 1"],
                           "STATUS": ["STATUS INBOX (MESSAGES 1 UIDNEXT 2 UIDVALIDITY 1 UNSEEN 1)"]}.get(name, []):
                self.say(f"* {answer}")
        return self.say(f"{tag} OK done")

    def fetch(self, rest):
        asked = rest.upper()
        known = {"FLAGS": b"FLAGS ()", "RFC822.SIZE": f"RFC822.SIZE {len(MESSAGE)}".encode(),
                 "INTERNALDATE": b'INTERNALDATE "21-Nov-2026 06:24:00 +0000"'}
        parts = [b"UID 1", *(answer for name, answer in known.items() if name in asked)]
        head = MESSAGE.split(b"\r\n\r\n")[0] + b"\r\n\r\n"
        if section := re.search(r"BODY(?:\.PEEK)?(\[[^\]]*\])", asked):
            data = head if "HEADER" in section[1] else MESSAGE
            parts.append(f"BODY{section[1]} {{{len(data)}}}\r\n".encode() + data)
        elif re.search(r"RFC822(?!\.SIZE)", asked):
            parts.append(f"RFC822 {{{len(MESSAGE)}}}\r\n".encode() + MESSAGE)
        self.say(b"* 1 FETCH (" + b" ".join(parts) + b")")


class POP3(Lines):
    def greet(self):
        self.say("+OK ready")

    def command(self, line):
        name, *words = line.split()
        name = name.upper()
        several = {
            "CAPA": ["SASL XOAUTH2 OAUTHBEARER", "UIDL", "TOP"], "UIDL": ["1 one"], "LIST": [f"1 {len(MESSAGE)}"],
            "RETR": MESSAGE.decode().splitlines()}
        if name == "AUTH":
            return self.say("+OK welcome" if self.login(words, "+ ") else "-ERR no")
        if name == "STAT":
            return self.say(f"+OK 1 {len(MESSAGE)}")
        if name in several and not (words and name in ("UIDL", "LIST")):
            for answer in ["+OK", *several[name], "."]:
                self.say(answer)
            return None
        self.say("+OK")
        return "end" if name == "QUIT" else None


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = allow_reuse_address = True

    def __init__(self, handler, mailbox):
        super().__init__(("127.0.0.1", 0), handler)
        self.mailbox = mailbox
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self):
        self.shutdown()
        self.server_close()
