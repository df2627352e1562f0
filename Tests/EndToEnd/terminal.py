"""What a terminal shows: its lines, and its pictures for programs that read them."""
import contextlib
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import zlib

from commands import POSTERN, environment


def qr_rows(text):
    """The lines of a QR code in half blocks, as rows of dark (True) and light modules."""
    rows = []
    for line in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "").split("\n"):
        if len(line) >= 29 and set(line) <= set("█▀▄ ") and "█" in line:
            rows.append([cell in "▄ " for cell in line])
            rows.append([cell in "▀ " for cell in line])
    return rows


def png(rows, scale=6):
    """A grey picture."""
    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    lines = [b"\0" + b"".join((b"\0" if dark else b"\xff") * scale for dark in row) for row in rows for _ in range(scale)]
    size = (len(rows[0]) * scale).to_bytes(4, "big") + (len(rows) * scale).to_bytes(4, "big")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size + b"\x08\0\0\0\0") + chunk(b"IDAT", zlib.compress(b"".join(lines))) + chunk(b"IEND", b"")


def read_qr(text, directory):
    """What zbarimg reads in the QR code in a terminal's text."""
    rows = qr_rows(text)
    assert rows, f"no QR code in {text!r}"
    path = directory / "code.png"
    path.write_bytes(png(rows))
    return subprocess.run(
        ["zbarimg", "--quiet", "--nodbus", "--raw", "-Sdisable", "-Sqrcode.enable", str(path)],
        capture_output=True, text=True, timeout=30, check=True).stdout.strip()


def shown(daemon, columns, *arguments, **more):
    """The exit status of a `postern`, and all text on the terminal of that width that it writes to."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    with subprocess.Popen([POSTERN, *arguments], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave, env=environment(daemon, **more)) as process:
        os.close(slave)
        text = b""
        with contextlib.suppress(OSError):  # nobody is at the other end any more
            while data := os.read(master, 65536):
                text += data
        status = process.wait(20)
    os.close(master)
    return status, text.decode().replace("\r\n", "\n")
