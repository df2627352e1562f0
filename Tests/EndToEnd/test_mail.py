"""Mail programs that take their token from Postern: each with its block of docs/use/mail.md, against servers that ask the provider whether the token is good."""
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import termios

import pytest
from commands import environment, run
from helper_programs import shared
from mail_server import IMAP, POP3, SMTP, Mailbox, Server
from postern import BIN, ROOT, wait_for
from signing_in import sign_in

# TLS is not what these tests are about.
pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
PAGE = (ROOT / "docs" / "use" / "mail.md").read_text()
LETTER = "From: ada@example.com\nTo: grace@example.com\nSubject: x\n\nGood morning.\n"


def block(heading, *changes, number=0):
    """The recipe below a heading, for the servers of the test: what is to be changed must stand there."""
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S)[1]
    text = re.findall(r"^```\n(.*?)^```", section, re.M | re.S)[number]
    for old, new in changes:
        assert old in text, (heading, old)
        text = text.replace(old, new)
    return text


@pytest.fixture(scope="module")
def daemon(tmp_path_factory):
    with shared(tmp_path_factory.mktemp("daemon"), name="mail") as daemon:
        yield daemon


@pytest.fixture
def signed_out(daemon):
    daemon.call("RevokeCredential", {"providerID": "mail"})
    yield
    sign_in(daemon, providerID="mail")


@pytest.fixture
def mailbox(daemon):
    return Mailbox(f"{daemon.issuer}/userinfo")


@pytest.fixture
def smtp(mailbox):
    server = SMTP(mailbox)
    yield server
    server.stop()


@pytest.fixture
def imap(mailbox):
    server = Server(IMAP, mailbox)
    yield server
    server.stop()


@pytest.fixture
def pop3(mailbox):
    server = Server(POP3, mailbox)
    yield server
    server.stop()


@pytest.fixture
def home(tmp_path):
    home = tmp_path / "home"
    (home / "Mail").mkdir(parents=True)
    for name in ("cur", "new", "tmp"):
        (home / "Mail" / name).mkdir()
    return home


@pytest.fixture
def start(daemon, home):
    """Runs a mail program as a person would: `postern` in the search path, and a home of its own."""

    def start(*command, stdin=None):
        path = f"{BIN}:{os.environ['PATH']}"
        env = environment(daemon, HOME=str(home), PATH=path, MAILDIR=str(home / "Mail"), XDG_CONFIG_HOME=str(home / ".config"), TERM="dumb")
        return subprocess.run(command, input=stdin, stdin=None if stdin else subprocess.DEVNULL, capture_output=True, text=True, timeout=60, env=env)

    return start


def needs(program):
    return pytest.mark.skipif(not shutil.which(program), reason=f"needs {program}")


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o600)
    return str(path)


def fetched(home):
    """The one message has come into some folder."""
    bodies = [path.read_text() for path in home.rglob("*") if path.is_file() and "The token was good." in path.read_text(errors="replace")]
    return len(bodies) == 1


def token(daemon):
    return daemon.call("GetAccessToken", {"providerID": "mail"})["accessToken"]


def sent_by(mailbox):
    (sender, to, content), = mailbox.sent
    return sender == "ada@example.com" and to == ["grace@example.com"] and b"Good morning." in content


MINE = ("me@example.org", "ada@example.com")


# ---- postern sasl -------------------------------------------------------------------


def test_the_response_opens_the_mailbox(daemon, smtp, mailbox):
    """curl has OAUTHBEARER of its own; by hand is how a program does it that was given the response."""
    import smtplib
    for mechanism in ("xoauth2", "oauthbearer"):
        with smtplib.SMTP("127.0.0.1", smtp.port) as client:
            client.ehlo()
            code, words = client.docmd("AUTH", f"{mechanism.upper()} {run(daemon, 'sasl', mechanism, 'mail').stdout.strip()}")
            assert code == 235, words
    assert [login[0] for login in mailbox.logins] == ["XOAUTH2", "OAUTHBEARER"]


# ---- Programs that send -------------------------------------------------------------


@needs("msmtp")
@pytest.mark.parametrize("mechanism", ["xoauth2", "oauthbearer"])
def test_msmtp_sends_with_a_token(daemon, smtp, mailbox, home, start, mechanism):
    config = write(home / "msmtprc", block(
        "msmtp", MINE, ("smtp.example.org", "127.0.0.1"), ("587", str(smtp.port)), ("tls on", "tls off"), ("xoauth2", mechanism)))
    result = start("msmtp", "-C", config, "-a", "mail", "grace@example.com", stdin=LETTER)
    assert result.returncode == 0, result.stderr
    assert sent_by(mailbox) and mailbox.logins == [(mechanism.upper(), "ada@example.com", token(daemon))]


@needs("msmtp")
def test_msmtp_says_what_to_do_when_nobody_is_signed_in(signed_out, smtp, mailbox, home, start):
    config = write(home / "msmtprc", block("msmtp", MINE, ("smtp.example.org", "127.0.0.1"), ("587", str(smtp.port)), ("tls on", "tls off")))
    result = start("msmtp", "-C", config, "-a", "mail", "grace@example.com", stdin=LETTER)
    assert result.returncode == 78 and "sign" in result.stderr and not mailbox.logins and not mailbox.refused


@needs("msmtp")
def test_a_token_that_the_server_refuses_sends_nothing(daemon, smtp, mailbox, home, start):
    config = write(home / "msmtprc", block(
        "msmtp", ("me@example.org", "grace@example.org"), ("smtp.example.org", "127.0.0.1"), ("587", str(smtp.port)), ("tls on", "tls off")))
    result = start("msmtp", "-C", config, "-a", "mail", "ada@example.com", stdin=LETTER)
    assert result.returncode == 77 and not mailbox.sent and len(mailbox.refused) == 1


@pytest.mark.parametrize("program", [pytest.param(name, marks=needs(name)) for name in ("neomutt", "mutt")])
def test_mutt(daemon, smtp, mailbox, home, start, program):
    config = write(home / "muttrc", block("neomutt and mutt", MINE, ("smtp.example.org:587", f"127.0.0.1:{smtp.port}"))
                   + "set ssl_starttls = no\nset ssl_force_tls = no\nset record = ''\nset folder = ''\n")
    result = start(program, "-n", "-F", config, "-s", "x", "grace@example.com", stdin="Good morning.\n")
    assert result.returncode == 0, result
    assert sent_by(mailbox) and mailbox.logins == [("XOAUTH2", "ada@example.com", token(daemon))]


# ---- Programs that fetch ------------------------------------------------------------


@needs("mpop")
@pytest.mark.parametrize("mechanism", ["xoauth2", "oauthbearer"])
def test_mpop(daemon, pop3, mailbox, home, start, mechanism):
    config = write(home / "mpoprc", block(
        "mpop", MINE, ("pop.example.org", "127.0.0.1"), ("995", str(pop3.port)), ("tls on\n", "tls off\n"), ("tls_starttls off\n", ""),
        ("xoauth2", mechanism), ("~/Mail", str(home / "Mail"))))
    result = start("mpop", "-C", config, "mail")
    assert result.returncode == 0, result.stderr
    assert fetched(home) and mailbox.logins == [(mechanism.upper(), "ada@example.com", token(daemon))]


@needs("mbsync")
def test_mbsync(daemon, imap, mailbox, home, start):
    config = write(home / "mbsyncrc", block(
        "mbsync", MINE, ("imap.example.org", "127.0.0.1"), ("993", str(imap.port)), ("SSLType IMAPS", "SSLType None"),
        ("~/Mail", str(home / "Mail"))))
    result = start("mbsync", "-c", config, "mail")
    assert result.returncode == 0, result.stderr
    assert fetched(home) and mailbox.logins == [("XOAUTH2", "ada@example.com", token(daemon))]


@needs("mbsync")
def test_mbsync_skips_an_account_that_nobody_is_signed_in_to(signed_out, imap, mailbox, home, start):
    config = write(home / "mbsyncrc", block(
        "mbsync", MINE, ("imap.example.org", "127.0.0.1"), ("993", str(imap.port)), ("SSLType IMAPS", "SSLType None"),
        ("~/Mail", str(home / "Mail"))))
    result = start("mbsync", "-c", config, "mail")
    assert result.returncode != 0 and "PassCmd exited with status 3" in result.stderr and not mailbox.refused


@needs("getmail")
def test_getmail(daemon, imap, mailbox, home, start):
    changes = [MINE, ("imap.example.org", "127.0.0.1"), ("993", str(imap.port)), ("SimpleIMAPSSLRetriever", "SimpleIMAPRetriever")]
    if os.getuid() == 0:  # for whom it delivers by a command only
        # getmail waits a minute for a command that ends before it waits for it: so the command ends when getmail sleeps, and handles SIGCHLD.
        command = write(home / "deliver", f"""cat > {home}/Mail/new/1
until grep -q '^State:.S' /proc/$PPID/status && grep -q '^SigCgt:.*[13579bdf]....$' /proc/$PPID/status; do kill -0 $PPID || exit; done
""")
        deliver = f"""type = MDA_external\npath = /bin/sh\narguments = ("{command}",)\nallow_root_commands = True"""
        changes.append(("type = Maildir\npath = ~/Mail/", deliver))
    write(home / "getmail" / "getmailrc", block("getmail", *changes))
    result = start("getmail", "--getmaildir", str(home / "getmail"))
    assert result.returncode == 0, result.stderr
    assert fetched(home), result
    assert mailbox.logins == [("XOAUTH2", "ada@example.com", token(daemon))]


@needs("offlineimap")
def test_offlineimap(daemon, imap, mailbox, home, start):
    write(home / ".config" / "offlineimap" / "postern.py", block("OfflineIMAP", number=1))
    config = write(home / "offlineimaprc", block(
        "OfflineIMAP", MINE, ("imap.example.org", "127.0.0.1"), ("993", str(imap.port)), ("ssl = yes", "ssl = no\nstarttls = no")))
    result = start("offlineimap", "-o", "-1", "-u", "basic", "-c", config)
    assert result.returncode == 0, result
    assert fetched(home), result
    assert set(mailbox.logins) == {("XOAUTH2", "ada@example.com", token(daemon))}


@needs("aerc")
def test_aerc(daemon, imap, mailbox, home):
    """It wants a terminal."""
    write(home / ".config" / "aerc" / "accounts.conf", block(
        "aerc", MINE, ("me%40example.org", "ada%40example.com"), ("imaps+xoauth2", "imap+xoauth2+insecure"), ("imap.example.org:993", f"127.0.0.1:{imap.port}")))
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    env = environment(daemon, HOME=str(home), XDG_CONFIG_HOME=str(home / ".config"), XDG_RUNTIME_DIR=str(home), PATH=f"{BIN}:{os.environ['PATH']}", LC_ALL="C.UTF-8")

    def take_terminal():
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    with subprocess.Popen(["aerc"], stdin=slave, stdout=slave, stderr=slave, env=env, preexec_fn=take_terminal) as process:
        os.close(slave)
        def has_signed_in():
            if select.select([master], [], [], 0)[0]:
                os.read(master, 65536)  # fails where aerc has gone
            return mailbox.logins

        try:
            wait_for(has_signed_in, what="aerc at the server")
        finally:
            process.kill()
    os.close(master)
    assert mailbox.logins == [("XOAUTH2", "ada@example.com", token(daemon))]
