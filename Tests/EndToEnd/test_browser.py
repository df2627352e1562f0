"""A real browser, without a window, clicks through: from the authorization URL to the result page."""
import json

import pytest
from chromium import By, arrived, click, luminance, nothing_secret, prefer
from person import answer
from postern import ends_with, oidc
from signing_in import SignIn


@pytest.mark.parametrize("language, scheme", [("en", "light"), ("ja", "dark"), ("it", "light")])
def test_a_person_clicks_through_to_the_result(chromium, demo, tmp_path, language, scheme):
    prefer(chromium, language, scheme)
    pending = SignIn(demo)
    chromium.get(pending.url)
    chromium.save_screenshot(str(tmp_path / f"consent-{scheme}.png"))
    click(chromium, "button[value=ada]")
    text = arrived(chromium, demo)
    assert "Ada Lovelace" in text
    assert pending.completed()["state"] == "completed"
    nothing_secret(chromium, demo)
    assert chromium.find_element(By.TAG_NAME, "html").get_attribute("lang") == language
    assert chromium.title and len(chromium.find_elements(By.TAG_NAME, "h1")) == 1
    assert chromium.find_elements(By.CSS_SELECTOR, "[role=status],[role=alert],[aria-live]")
    assert (luminance(chromium) > 0.5) == (scheme == "light")
    chromium.save_screenshot(str(tmp_path / f"result-{language}-{scheme}.png"))
    complaints = [entry for entry in chromium.get_log("browser") if entry["level"] == "SEVERE"]
    assert complaints == []

    chromium.refresh()
    assert "Ada Lovelace" in arrived(chromium, demo)


ALONE = """
    return [...document.querySelectorAll('p bdi')].filter(name => {
        const next = name.nextSibling
        if (!next || next.nodeType != Node.TEXT_NODE || !/^[.,:;。、）)]/.test(next.data)) return false
        const range = document.createRange()
        range.setStart(next, 0)
        range.setEnd(next, 1)
        const rects = name.getClientRects()
        return range.getBoundingClientRect().top >= rects[rects.length - 1].bottom
    }).map(name => name.textContent)"""


@pytest.mark.parametrize("choice", ["grace", "deny"])
@pytest.mark.parametrize("language", ["en", "ja", "it"])
def test_a_page_fits_on_a_phone(chromium, demo, tmp_path, language, choice):
    prefer(chromium, language, width=340, height=640)
    pending = SignIn(demo, app="mail-reader")
    chromium.get(pending.url)
    click(chromium, f"button[value={choice}]")
    assert ("Grace Hopper" in arrived(chromium, demo)) == (choice == "grace")
    page = "document.documentElement"
    assert chromium.execute_script(f"return {page}.scrollWidth <= window.innerWidth && {page}.scrollHeight <= window.innerHeight")
    # A name does not leave the punctuation behind it alone on the next line.
    assert chromium.execute_script(ALONE) == []
    chromium.save_screenshot(str(tmp_path / f"telephone-{language}-{choice}.png"))
    if choice == "deny":
        # Whoever declines reads that nothing happened.
        assert chromium.find_elements(By.CSS_SELECTOR, "svg.plain") and not chromium.find_elements(By.CSS_SELECTOR, "svg.bad,[role=alert]")
        with ends_with("SignInDenied"):
            pending.completed()
        nothing_secret(chromium, demo)


def test_an_unexpected_callback_says_what_to_do(chromium, demo, tmp_path):
    for scheme in ("light", "dark"):
        prefer(chromium, scheme=scheme)
        chromium.get(f"{demo.origin}/__/auth/handler?state=AAAA&code=secret-code")
        assert "secret-code" not in chromium.page_source
        chromium.save_screenshot(str(tmp_path / f"unknown-{scheme}.png"))


def test_the_page_of_a_slow_provider_moves_on_to_the_result(chromium, make_daemon, make_provider, tmp_path):
    daemon = make_daemon(oidc(make_provider("--delay-token-ms", "5000"))).start()
    prefer(chromium)
    pending = SignIn(daemon)
    chromium.get(pending.url)
    click(chromium, "button[value=ada]")
    assert "Ada Lovelace" not in arrived(chromium, daemon, waits=True)
    chromium.save_screenshot(str(tmp_path / "finishing.png"))
    assert "Ada Lovelace" in arrived(chromium, daemon)
    assert pending.completed()["state"] == "completed"
    nothing_secret(chromium, daemon)


def test_an_answer_in_the_fragment_is_posted_by_the_page(chromium, demo, tmp_path):
    prefer(chromium)
    pending = SignIn(demo)
    callback = answer(pending.url)
    chromium.get(callback.replace("?", "#"))
    assert "Ada Lovelace" in arrived(chromium, demo)
    assert pending.completed()["state"] == "completed"
    nothing_secret(chromium, demo)


def test_the_icon_is_requested_without_the_code(chromium, demo):
    prefer(chromium)
    chromium.get_log("performance")
    pending = SignIn(demo)
    chromium.get(pending.url)
    click(chromium, "button[value=ada]")
    arrived(chromium, demo)
    pending.completed()
    for entry in chromium.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            headers = {k.lower(): v for k, v in message["params"]["request"]["headers"].items()}
            assert "code=" not in headers.get("referer", "")


@pytest.mark.parametrize("width, scheme", [(360, "dark"), (800, "light"), (1400, "dark")])
def test_pages_are_one_readable_column_at_any_width(chromium, demo, tmp_path, width, scheme):
    """The pages of a sign-in that succeeds, of one that is declined, and of none; the pictures are kept beside the test's other files."""
    def looked_at(name):
        shape = chromium.execute_script("""
            const heading = document.querySelector('h1'), box = heading.getBoundingClientRect()
            const texts = [...document.querySelectorAll('p, li')].map(text => text.getBoundingClientRect())
            return {scroll: document.documentElement.scrollWidth, page: innerWidth, left: box.left, widest: Math.max(...texts.map(one => one.width)),
                    right: Math.max(...texts.map(one => one.right)), size: parseFloat(getComputedStyle(document.body).fontSize)}""")
        chromium.save_screenshot(str(tmp_path / f"{name}-{scheme}-{width}.png"))
        assert shape["scroll"] <= shape["page"] and shape["right"] <= shape["page"], shape
        # A margin, letters that are read without zooming, and lines that are not longer than a page of a book has them.
        assert shape["left"] >= 12 and shape["size"] >= 16 and shape["widest"] <= 45 * shape["size"], shape

    prefer(chromium, "en", scheme, width=width)
    for name, choice in [("completed", "ada"), ("declined", "deny")]:
        pending = SignIn(demo, app="mail-reader")
        chromium.get(pending.url)
        looked_at(f"consent-before-{name}")
        click(chromium, f"button[value={choice}]")
        arrived(chromium, demo)
        looked_at(name)
    chromium.get(f"{demo.origin}/__/auth/handler?code=x&state=y")
    looked_at("nobody-waits")
    chromium.get(f"{demo.origin}/")
    chromium.save_screenshot(str(tmp_path / f"nothing-here-{scheme}-{width}.png"))
