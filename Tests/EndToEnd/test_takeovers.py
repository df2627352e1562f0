"""Somebody who found an app open, or holds a token or a handle, tries to become its user: who, when, what, and what comes of it.

Ada signed in ten minutes ago, at `work`; Eve's account is one at `club`. `takeovers.txt` has a row for each attempt. The rules themselves are
tested with a fake clock (TakeOverTests, AccountModelTests); here they are joined with a process, a disk, a clock and pages.
"""
import pytest
from person import Form, browser
from plain_provider import PlainProvider
from postern import ROOT, VarlinkError
from signing_in import SignIn

PEOPLE = {"ada": {"id": "ada", "name": "Ada", "email": "ada@example.com"}, "eve": {"id": "eve", "name": "Eve", "email": "eve@example.com"}}
TABLE = ROOT / "Tests/EndToEnd/takeovers.txt"


def rows():
    """Attempts in the order of the table, by who makes them and when."""
    found = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            who, when, what, answer = [word.strip() for word in line.split("|")]
            found.setdefault((who, when), []).append((what, answer))
    return found


class Scene:
    def __init__(self, make_daemon, providers):
        self.providers, self.clock = providers, 0
        # The owner of an address at `work` is known; `club` says nothing that counts.
        self.daemon = make_daemon("".join(
            provider.configuration(
                name, trust_email=name == "work", introspection_endpoint=f"{provider.token_origin}/introspect").replace("client-id", 'profile = { uid = "id" }\nclient-id')
            for name, provider in providers.items())).start()

    def signs_in(self, who, provider, answer=None, **parameters):
        """With a page; returns its result. `answer` is what the person says to the question of the page."""
        self.providers[provider].person = {**PEOPLE[who], "email_verified": provider == "work"}
        pending = SignIn(self.daemon, providerID=provider, **parameters)
        session = browser()
        page = session.get(pending.url)
        completed = pending.completed()
        form = Form(page.text)
        if answer:
            assert form.action, page.text
            session.headers["Sec-Fetch-Site"] = "same-origin"
            page = session.post(f"{self.daemon.origin}{form.action}", data={**form.fields, "answer": answer})
            assert page.status_code == 200 and Form(page.text).action is None, page.text
        return completed

    def presents(self, who, provider, **parameters):
        """A kept access token, and nothing else."""
        self.providers[provider].person = PEOPLE[who]
        return self.uses({"providerID": provider, "accessToken": f"kept-{who}"}, **parameters)

    def uses(self, credential, **parameters):
        return self.daemon.call("SignInWithCredential", {"credential": credential, **parameters})

    def passes(self, seconds):
        """With a restart, since only then can the clock be another."""
        self.clock += seconds
        self.daemon.stop()
        self.daemon.start_ahead(f"+{self.clock}")

    # Who: each has linked Eve's account, and says in which app they are.

    def finder(self):
        self.signs_in("ada", "work")
        self.passes(600)
        self.signs_in("eve", "club", intent="link")
        return "default"

    def newcomer(self):
        """The account is linked by a finder; its owner signs in elsewhere."""
        self.finder()
        self.signs_in("eve", "club", app="hers")
        return "hers"

    def holder(self):
        """Of an access token of Ada's, before she ever came."""
        self.presents("ada", "work", app="hers")
        self.signs_in("eve", "club", app="hers", intent="link")
        return "hers"

    def keeper(self):
        """Of a handle that Ada's page gave before the link."""
        self.signs_in("ada", "work")
        self.passes(400)
        handle = self.signs_in("ada", "work", app="hers", intent="credential")["credential"]["handle"]
        self.signs_in("eve", "club", intent="link")
        self.uses({"handle": handle}, app="mail")
        self.passes(400)
        return "default"

    # When

    def at_once(self):
        pass

    def after_a_restart(self):
        self.passes(1)

    def after_ada_signed_in(self):
        """And left the question of the page."""
        self.signs_in("ada", "work", app="mail")

    def after_ada_kept_it(self):
        self.signs_in("ada", "work", app="mail", answer="keep")
        self.passes(301)

    def after_ada_removed_it(self):
        self.signs_in("ada", "work", app="mail", answer="remove")

    def after_her_token_was_used(self):
        self.presents("ada", "work", app="mail")

    def after_a_month(self):
        self.passes(31 * 86_400)

    # What

    def reauthenticates(self, app):
        self.signs_in("eve", "club", app=app, intent="reauthenticate")

    def sets_a_password(self, app):
        self.daemon.call("UpdateUser", {"password": "eve knows this one", "app": app})

    def takes_an_address(self, app):
        self.daemon.call("UpdateUser", {"email": "eve@elsewhere.example", "app": app})

    def unlinks_ada(self, app):
        self.daemon.call("UnlinkProvider", {"providerID": "work", "app": app})

    def enrolls_a_factor(self, app):
        self.daemon.call("EnrollSecondFactor", {"factorID": "totp", "app": app})

    def deletes_the_user(self, app):
        self.daemon.call("DeleteUser", {"app": app})

    def becomes_her_elsewhere(self, app):
        """Whether Eve's account signs another app in as Ada's user."""
        uid = self.signs_in("eve", "club", app="another")["result"]["user"]["uid"]
        assert uid == self.uid, "another user"


@pytest.fixture(scope="module")
def providers():
    providers = {name: PlainProvider() for name in ("work", "club")}
    yield providers
    for provider in providers.values():
        provider.close()


def tried(scene, what, app):
    try:
        getattr(scene, what.replace(" ", "_"))(app)
    except VarlinkError as error:
        return error.short
    except AssertionError as difference:
        if "another user" in str(difference):
            return "another user"
        raise
    return "done"


def test_the_table_has_a_row_for_every_attempt():
    assert sum(len(attempts) for attempts in rows().values()) >= 80


@pytest.mark.parametrize("who, when", [pytest.param(*key, id=f"{key[0]} {key[1]}") for key in rows()])
def test_an_attempt_to_become_the_user(who, when, make_daemon, providers):
    scene = Scene(make_daemon, providers)
    app = getattr(scene, who)()
    scene.uid = scene.daemon.call("GetCurrentUser", {"app": app})["user"]["uid"]
    getattr(scene, when.replace(" ", "_"))()
    found = [(what, tried(scene, what, app)) for what, _ in rows()[who, when]]
    assert found == rows()[who, when]
