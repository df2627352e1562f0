"""A person with a headless browser: opens the page, says who they are or refuses, and follows the response."""
import html.parser
import sys
import urllib.parse

import requests


class Form(html.parser.HTMLParser):
    """The first form of a page: its target and its hidden fields."""

    def __init__(self, text):
        super().__init__()
        self.action, self.fields = None, {}
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = attributes["action"]
        if tag == "input" and attributes.get("type") == "hidden":
            self.fields[attributes["name"]] = attributes["value"]


class Browser(requests.Session):
    """Reloads a page that asks for it, as the one does that waits for a slow provider."""

    def get(self, url, reloads=True, **settings):
        reply = super().get(url, **settings)
        for _ in range(20):
            if not reloads or b'<meta http-equiv="refresh"' not in reply.content:
                break
            reply = super().get(reply.url, **settings)
        return reply


def browser(**headers):
    """Requests as a browser does when it navigates; without the machine's proxies."""
    session = Browser()
    session.trust_env = False
    session.headers.update({"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-Site": "cross-site", **headers})
    return session


def answer(url, person="ada", session=None):
    """Answers the consent page; returns the address that the provider redirects the browser to. `person` None refuses."""
    session = session or browser()
    page = session.get(url, timeout=30)
    assert page.status_code == 200, page.text
    form = Form(page.text)
    choice = {"decision": "deny"} if person is None else {"person": person}
    reply = session.post(urllib.parse.urljoin(url, form.action), data={**form.fields, **choice}, allow_redirects=False, timeout=30)
    assert reply.is_redirect, reply.text
    return reply.headers["Location"]


def consent(url, person="ada", session=None):
    """Does all of it; returns the page that the person sees at the end."""
    session = session or browser()
    return session.get(answer(url, person, session), timeout=30)


def parameters(url):
    return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))


if __name__ == "__main__":
    # As a browser command: the last argument is the URL, the one before it the person.
    consent(sys.argv[2], sys.argv[1])
