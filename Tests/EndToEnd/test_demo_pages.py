"""The demo provider's own pages in a real browser, as narrow as a phone."""
import urllib.parse

import pytest
from chromium import click, prefer
from devices import Device
from postern import oidc
from selenium.webdriver.common.by import By
from signing_in import SignIn

# A client's name, and an error, may be longer than any line and have no blank.
LONG = "client-" + "x" * 90


@pytest.fixture
def looked_at(chromium, tmp_path):
    """The picture is kept beside the test's other files."""
    def look(name, width):
        shape = chromium.execute_script("""
            const boxes = [...document.querySelectorAll('main, main *')].map(one => one.getBoundingClientRect())
            const main = document.querySelector('main').getBoundingClientRect()
            return {scroll: document.documentElement.scrollWidth, page: innerWidth, left: main.left, right: Math.max(...boxes.map(box => box.right)),
                    size: Math.min(...[...document.querySelectorAll('p, li, button, input:not([type=hidden])')].map(one => parseFloat(getComputedStyle(one).fontSize)))}""")
        chromium.save_screenshot(str(tmp_path / f"{name}-{width}.png"))
        # Nothing beyond the frame, a margin on both sides, and letters that are read without zooming.
        assert shape["scroll"] <= shape["page"] == width and shape["right"] <= width - 8 and shape["left"] >= 8 and shape["size"] >= 14, (name, shape)
    return look


@pytest.mark.parametrize("width", [320, 900])
def test_every_page_of_the_demo_provider_fits_its_screen(chromium, make_daemon, make_provider, looked_at, width):
    prefer(chromium, width=width)
    issuer = make_provider("--device-interval", "1", "--client-id", LONG)
    daemon = make_daemon(oidc(issuer, client=LONG)).start()
    for name, path in [("home", "/"), ("code", "/device"), ("wrong-code", "/device?user_code=" + "W" * 60), ("nowhere", "/nowhere"),
                       ("refused", "/authorize?client_id=" + LONG)]:
        chromium.get(issuer + path)
        looked_at(name, width)
    pending = SignIn(daemon, loginHint="grace@example.org")
    chromium.get(pending.url)
    assert "suggested by the program" in chromium.find_element(By.TAG_NAME, "main").text
    looked_at("consent", width)
    device = Device(daemon)
    chromium.get(f"{issuer}/device?" + urllib.parse.urlencode({"user_code": device.code}))
    looked_at("device-consent", width)
    click(chromium, "button[value=ada]")
    looked_at("device-answered", width)
