"""What the result page says of links, confirmations, and what the account rules refuse; in a real browser."""
import pytest
from chromium import PAGE, arrived, click, luminance, nothing_secret, prefer, wait
from postern import VarlinkError, oidc
from second_factors import enroll, oathtool, resolve
from selenium.webdriver.common.by import By
from signing_in import SignIn, sign_in

# Every language, both schemes, both widths; Italian has the longest words.
PLACES = [("en", "light", 900), ("ja", "dark", 900), ("it", "dark", 340)]
WORDS = {
    "linked": {"en": "Your account is linked", "ja": "アカウントを連携しました", "it": "Account collegato"},
    "confirmed": {"en": "has confirmed that you are Ada Lovelace", "ja": "Ada Lovelace としての本人確認", "it": "ha confermato che sei Ada Lovelace"},
    "exists": {"en": "This email address already has an account", "ja": "このメールアドレスは登録済みです", "it": "Esiste già un account con questo indirizzo email"},
    "in-use": {"en": "This account belongs to another user", "ja": "このアカウントは別のユーザーに連携済みです", "it": "Account già collegato a un altro utente"},
    "once": {"en": "An account is already linked", "ja": "連携済みのアカウントがあります", "it": "Un account è già collegato"},
    "email": {"en": "This email address belongs to another user", "ja": "別のユーザーのメールアドレスです", "it": "Questo indirizzo email è di un altro utente"},
    "factor": {"en": "One more step", "ja": "確認コードが必要です", "it": "Manca un passaggio"},
    "other": {"en": "This is a different account", "ja": "指定とは異なるアカウントです", "it": "Account diverso da quello richiesto"},
    "denied": {"en": "Your account was not linked", "ja": "連携は行われませんでした", "it": "Account non collegato"},
}


@pytest.mark.parametrize("place", PLACES)
def test_the_page_says_what_was_linked_confirmed_and_refused(chromium, make_daemon, make_provider, tmp_path, place):  # noqa: F811
    language, scheme, width = place
    daemon = make_daemon(
        oidc(make_provider(), "first", display_name="First", trust_email=True) + oidc(make_provider(), "second", display_name="Second")).start()
    prefer(chromium, language, scheme, width=width)

    def page(name, outcome, provider, who="ada", **parameters):
        """The text of the page at the end of a sign-in, and the error that the program has."""
        pending = SignIn(daemon, providerID=provider, **parameters)
        chromium.get(pending.url)
        click(chromium, f"button[value={who}]")
        text, error = arrived(chromium, daemon), None
        try:
            assert pending.completed()["result"]["operation"] == outcome
        except VarlinkError as caught:
            error = caught
            assert error.short == outcome
        nothing_secret(chromium, daemon)
        assert WORDS[name][language] in text
        assert chromium.find_element(By.TAG_NAME, "html").get_attribute("lang") == language
        assert (luminance(chromium) > 0.5) == (scheme == "light")
        assert chromium.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")
        assert not [entry for entry in chromium.get_log("browser") if entry["level"] == "SEVERE"]
        chromium.save_screenshot(str(tmp_path / f"{name}-{language}-{scheme}-{width}.png"))
        return text, error

    sign_in(daemon, providerID="first")
    text, _ = page("exists", "AccountExistsWithDifferentCredential", "second", app="mail")
    assert "First" in text and "ada@example.com" in text
    # Nothing went wrong: it is said without alarm.
    assert chromium.find_elements(By.CSS_SELECTOR, "svg.plain") and not chromium.find_elements(By.CSS_SELECTOR, "[role=alert]")
    page("denied", "SignInDenied", "second", who="deny", intent="link")
    page("once", "ProviderAlreadyLinked", "first", who="grace", intent="link")
    page("other", "UserMismatch", "first", who="grace", intent="reauthenticate")
    sign_in(daemon, "grace", providerID="first", app="graces")
    page("email", "EmailAlreadyInUse", "second", who="grace", intent="link")
    sign_in(daemon, "grace", providerID="second", intent="link", app="graces")
    page("in-use", "CredentialAlreadyInUse", "second", who="grace", intent="link")
    text, _ = page("linked", "link", "second", intent="link")
    assert "Second" in text and "Ada Lovelace" in text
    text, _ = page("confirmed", "reauthenticate", "second", intent="reauthenticate")
    assert "Second" in text

    secret = enroll(daemon)
    text, error = page("factor", "SecondFactorRequired", "first", app="mail")
    resolver = error.parameters["resolver"]
    assert "First" in text and resolver not in chromium.page_source and not chromium.find_elements(By.CSS_SELECTOR, "[role=alert]")
    resolve(daemon, resolver, error.parameters["hints"][0]["uid"], oathtool(secret, 1))


ASKS = {"en": "Is this account yours?", "ja": "あなたのアカウントですか？", "it": "Questo account è tuo?"}
ANSWERS = {"en": ("Kept", "Removed"), "ja": ("残しました", "解除しました"), "it": ("Mantenuto", "Rimosso")}


@pytest.mark.parametrize("place", PLACES)
def test_the_page_asks_whether_an_account_that_was_linked_unseen_is_the_users(chromium, make_daemon, make_provider, tmp_path, place):  # noqa: F811
    language, scheme, width = place
    names = ["first", "second", "third"]
    daemon = make_daemon("".join(oidc(make_provider(), name, display_name=name.title()) for name in names)).start()
    prefer(chromium, language, scheme, width=width)
    sign_in(daemon, providerID="first")
    # Ten minutes later somebody finds the program open, and links accounts of their own.
    daemon.stop()
    daemon.start_ahead("+600")
    for name in ["second", "third"]:
        sign_in(daemon, "grace", providerID=name, intent="link")

    def asked(name):
        pending = SignIn(daemon, providerID="first", app="mail")
        chromium.get(pending.url)
        click(chromium, "button[value=ada]")
        text = arrived(chromium, daemon)
        assert pending.completed()["state"] == "completed"
        nothing_secret(chromium, daemon)
        chromium.save_screenshot(str(tmp_path / f"{name}-{language}-{scheme}-{width}.png"))
        return text

    text = asked("asks-two")
    assert "Second" in text and "Third" in text and text.count("Grace Hopper") == 2
    assert chromium.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")
    keep, removal = ANSWERS[language]
    for button, word in [("remove", removal), ("keep", keep)]:
        click(chromium, f"button[value={button}]")
        wait(chromium, lambda driver: word in driver.execute_script(PAGE)["text"])
    text = arrived(chromium, daemon)
    assert keep in text and removal in text and not chromium.find_elements(By.CSS_SELECTOR, "form")
    assert not [entry for entry in chromium.get_log("browser") if entry["level"] == "SEVERE"]
    chromium.save_screenshot(str(tmp_path / f"answered-{language}-{scheme}-{width}.png"))
    user = daemon.call("GetCurrentUser", {"app": "mail"})["user"]
    assert [account["providerID"] for account in user["providerData"]] == ["first", "third"]
    # What was kept shows the user, and nothing is asked again.
    sign_in(daemon, "grace", providerID="third", app="mail", intent="reauthenticate")
    assert ASKS[language] not in asked("asks-nothing")
