"""What the result page says of links, confirmations, and what the account rules refuse; in a real browser."""
import pytest
from chromium import arrived, click, luminance, nothing_secret, prefer
from postern import VarlinkError, oidc
from second_factors import enroll, oathtool, required, resolve
from selenium.webdriver.common.by import By
from signing_in import SignIn, sign_in

PLACES = [("en", "light", 900), ("en", "dark", 340), ("ja", "light", 340), ("ja", "dark", 900), ("it", "light", 900), ("it", "dark", 340)]


@pytest.fixture
def two(make_daemon, make_provider):
    return make_daemon(
        oidc(make_provider(), "first", display_name="First", trust_email=True) + oidc(make_provider(), "second", display_name="Second")).start()


def page(driver, daemon, name, tmp_path, place, who="ada", meanwhile=lambda: None, **parameters):
    """The text of the page at the end of a sign-in, and how it ended for the program."""
    language, scheme, width = place
    prefer(driver, language, scheme, width=width)
    pending = SignIn(daemon, **parameters)
    meanwhile()
    driver.get(pending.url)
    click(driver, f"button[value={who}]")
    text = arrived(driver, daemon)
    try:
        outcome = pending.completed()["result"]["operation"]
    except VarlinkError as error:
        outcome = error.short
    nothing_secret(driver, daemon)
    assert driver.find_element(By.TAG_NAME, "html").get_attribute("lang") == language
    assert (luminance(driver) > 0.5) == (scheme == "light")
    assert driver.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")
    assert not [entry for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    driver.save_screenshot(str(tmp_path / f"{name}-{language}-{scheme}-{width}.png"))
    return text, outcome


WORDS = {
    "linked": {"en": "Your account is linked", "ja": "アカウントを連携しました", "it": "Account collegato"},
    "confirmed": {"en": "has confirmed that you are Ada Lovelace", "ja": "Ada Lovelace としての本人確認", "it": "ha confermato che sei Ada Lovelace"},
    "exists": {"en": "This email address already has an account", "ja": "このメールアドレスは登録済みです", "it": "Esiste già un account con questo indirizzo email"},
    "in-use": {"en": "This account belongs to another user", "ja": "このアカウントは別のユーザーに連携済みです", "it": "Account già collegato a un altro utente"},
    "once": {"en": "An account is already linked", "ja": "連携済みのアカウントがあります", "it": "Un account è già collegato"},
    "email": {"en": "This email address belongs to another user", "ja": "別のユーザーのメールアドレスです", "it": "Questo indirizzo email è di un altro utente"},
    "factor": {"en": "One more step", "ja": "確認コードが必要です", "it": "Manca un passaggio"},
    "other": {"en": "This is a different account", "ja": "指定とは異なるアカウントです", "it": "Account diverso da quello richiesto"},
}


@pytest.mark.parametrize("place", PLACES)
def test_what_was_linked_and_who_was_confirmed_is_said(chromium, two, tmp_path, place):  # noqa: F811
    sign_in(two, providerID="first")
    text, outcome = page(chromium, two, "linked", tmp_path, place, providerID="second", intent="link", app="default")
    assert outcome == "link" and WORDS["linked"][place[0]] in text and "Second" in text and "Ada Lovelace" in text
    text, outcome = page(chromium, two, "confirmed", tmp_path, place, providerID="second", intent="reauthenticate")
    assert outcome == "reauthenticate" and WORDS["confirmed"][place[0]] in text and "Second" in text


@pytest.mark.parametrize("place", PLACES)
def test_what_the_rules_refuse_is_said_with_what_to_do(chromium, two, tmp_path, place):  # noqa: F811
    def refused(name, error, **parameters):
        text, outcome = page(chromium, two, name, tmp_path, place, **parameters)
        assert outcome == error and WORDS[name][place[0]] in text
        return text

    sign_in(two, providerID="first")
    text = refused("exists", "AccountExistsWithDifferentCredential", providerID="second", app="mail")
    assert "First" in text and "ada@example.com" in text
    assert chromium.find_elements(By.CSS_SELECTOR, "svg.plain") and not chromium.find_elements(By.CSS_SELECTOR, "[role=alert]")
    refused("once", "ProviderAlreadyLinked", providerID="first", intent="link", who="grace")
    refused("other", "UserMismatch", providerID="first", intent="reauthenticate", who="grace")
    sign_in(two, "grace", providerID="first", app="graces")
    refused("email", "EmailAlreadyInUse", providerID="second", intent="link", who="grace")
    sign_in(two, "grace", providerID="second", intent="link", app="graces")
    refused("in-use", "CredentialAlreadyInUse", providerID="second", intent="link", who="grace")


@pytest.mark.parametrize("place", PLACES)
def test_who_has_a_second_factor_is_told_of_one_more_step(chromium, two, tmp_path, place):  # noqa: F811
    uid = sign_in(two, providerID="first")["result"]["user"]["uid"]
    secret = enroll(two)
    two.call("SignOut")
    language, scheme, width = place
    prefer(chromium, language, scheme, width=width)
    pending = SignIn(two, providerID="first")
    chromium.get(pending.url)
    click(chromium, "button[value=ada]")
    text = arrived(chromium, two)
    resolver, hints = required(pending.completed)
    nothing_secret(chromium, two)
    assert WORDS["factor"][language] in text and "First" in text and resolver not in chromium.page_source
    # Nothing went wrong: it is said in no alarm.
    assert not chromium.find_elements(By.CSS_SELECTOR, "[role=alert]")
    assert chromium.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")
    chromium.save_screenshot(str(tmp_path / f"factor-{language}-{scheme}-{width}.png"))
    assert resolve(two, resolver, hints[0]["uid"], oathtool(secret, 1))["user"]["uid"] == uid


@pytest.mark.parametrize("language", ["en", "ja", "it"])
def test_who_says_no_to_a_link_is_not_told_of_a_sign_in(chromium, two, language):  # noqa: F811
    sign_in(two, providerID="first")
    text, outcome = page_denied(chromium, two, language)
    assert outcome == "SignInDenied"
    assert {"en": "Your account was not linked", "ja": "連携は行われませんでした", "it": "Account non collegato"}[language] in text


def page_denied(driver, daemon, language):
    prefer(driver, language)
    pending = SignIn(daemon, providerID="second", intent="link")
    driver.get(pending.url)
    click(driver, "button[value=deny]")
    text = arrived(driver, daemon)
    with pytest.raises(VarlinkError) as error:
        pending.completed()
    return text, error.value.short
