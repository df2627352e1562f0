"""A person with a headless browser who agrees to whatever a page asks: says yes, is `grace` where a name is wanted, and follows each redirect."""
import html
import re
import sys
import urllib.parse

from foreign import REDIRECTS
from person import browser


def visit(url, until=None, person="grace"):
    """Returns the address that begins with `until`, without opening it, or else the last page: its status and its text."""
    session = browser()
    reply = session.get(url, allow_redirects=False, timeout=30)
    for _ in range(15):
        if reply.status_code in REDIRECTS:
            address = urllib.parse.urljoin(reply.url, reply.headers["Location"])
            if until and address.startswith(until):
                return address
            reply = session.get(address, allow_redirects=False, timeout=30)
            continue
        form = re.search(r"<form\b.*?</form>", reply.text, re.S | re.I)
        if not reply.ok or not form or 'method="post"' not in form[0].lower():
            return f"{reply.status_code} {reply.text}"
        data = {}
        for tag in re.findall(r"<input\b[^>]*>", form[0]):
            attributes = {name: html.unescape(value) for name, value in re.findall(r'([\w-]+)="([^"]*)"', tag)}
            if attributes.get("name") and attributes.get("type") not in ("submit", "checkbox", "radio"):
                data[attributes["name"]] = attributes.get("value", "")
        data |= {"sub": person} if 'name="sub"' in form[0] else {"action": "approve"}
        action = re.search(r'<form[^>]*\baction="([^"]*)"', form[0])
        target = urllib.parse.urljoin(reply.url, html.unescape(action[1]) if action else "")
        reply = session.post(target, data=data, allow_redirects=False, headers={"Referer": reply.url}, timeout=30)
    raise AssertionError(f"no end at {reply.url}")


if __name__ == "__main__":
    # As a browser command: the last argument is the URL.
    visit(sys.argv[-1])
