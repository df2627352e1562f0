"""What a terminal shows, for programs that look at pictures."""
import re
import subprocess
import zlib


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
    """What zbarimg reads in the QR code that stands in a terminal's text."""
    rows = qr_rows(text)
    assert rows, f"no QR code in {text!r}"
    path = directory / "code.png"
    path.write_bytes(png(rows))
    return subprocess.run(
        ["zbarimg", "--quiet", "--nodbus", "--raw", "-Sdisable", "-Sqrcode.enable", str(path)],
        capture_output=True, text=True, timeout=30, check=True).stdout.strip()
