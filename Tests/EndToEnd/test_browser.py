"""A real browser, without a window, clicks through: from the authorization URL to the result page."""
import json

import pytest
from chromium import By, WebDriverWait, arrived, click, luminance, nothing_secret, prefer
from person import answer
from postern import ends_with, oidc
from signing_in import SignIn


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "ja", "it"])
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
def test_a_page_is_seen_whole_on_a_telephone(chromium, demo, tmp_path, language, choice):
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


@pytest.mark.parametrize("language", ["en", "ja", "it"])
def test_who_says_no_reads_that_nothing_happened(chromium, demo, tmp_path, language):
    prefer(chromium, language)
    pending = SignIn(demo)
    chromium.get(pending.url)
    click(chromium, "button[value=deny]")
    assert "Ada" not in arrived(chromium, demo)
    assert chromium.find_elements(By.CSS_SELECTOR, "svg.plain") and not chromium.find_elements(By.CSS_SELECTOR, "svg.bad,[role=alert]")
    with ends_with("SignInDenied"):
        pending.completed()
    nothing_secret(chromium, demo)
    chromium.save_screenshot(str(tmp_path / f"denied-{language}.png"))


def test_a_callback_that_nobody_waits_for_says_what_to_do(chromium, demo, tmp_path):
    for scheme in ("light", "dark"):
        prefer(chromium, scheme=scheme)
        chromium.get(f"{demo.origin}/__/auth/handler?state=AAAA&code=secret-code")
        assert "secret-code" not in chromium.page_source
        chromium.save_screenshot(str(tmp_path / f"unknown-{scheme}.png"))


def test_a_slow_provider_ends_at_the_result_by_itself(chromium, make_daemon, make_provider, tmp_path):
    daemon = make_daemon(oidc(make_provider("--delay-token-ms", "4000"))).start()
    prefer(chromium)
    pending = SignIn(daemon)
    chromium.get(pending.url)
    click(chromium, "button[value=ada]")
    WebDriverWait(chromium, 20).until(lambda d: d.current_url.startswith(f"{daemon.origin}/__/auth/done"))
    chromium.save_screenshot(str(tmp_path / "finishing.png"))
    assert "Ada Lovelace" not in chromium.find_element(By.TAG_NAME, "body").text
    WebDriverWait(chromium, 20).until(lambda d: "Ada Lovelace" in d.find_element(By.TAG_NAME, "body").text)
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


def test_the_icon_is_asked_for_without_the_code(chromium, demo):
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
