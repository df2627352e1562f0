"""A person who says yes on the demo provider's page, for a machine that has no browser but Python."""
import html.parser
import sys
import urllib.parse
import urllib.request


class Form(html.parser.HTMLParser):
    """The first form of a page: where it goes, and its hidden fields."""

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


def visit(url, person):
    browser = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    browser.addheaders = [("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "document"), ("Sec-Fetch-Site", "cross-site")]
    form = Form(browser.open(url, timeout=30).read().decode())
    address = urllib.parse.urljoin(url, form.action)
    origin = urllib.parse.urlsplit(address)
    answer = urllib.parse.urlencode({**form.fields, "person": person}).encode()
    # Goes where the answer leads: to the daemon's callback.
    request = urllib.request.Request(address, answer, {"Origin": f"{origin.scheme}://{origin.netloc}"})
    browser.open(request, timeout=30).read()


visit(*sys.argv[1:])
