"""`postern sessions` of sign-ins that ended without success: each in words of its own."""
import json

import pytest
from commands import run
from person import answer, browser, parameters
from postern import VarlinkError, ends_with, free_port, oidc, wait_for
from signing_in import SignIn, sign_in


def ended(pending):
    """By which error the sign-in ended."""
    with pytest.raises(VarlinkError) as caught:
        pending.rest()
    return caught.value.short


def test_cancelled_declined_timed_out_and_refused_are_distinguished(make_daemon, make_provider):
    daemon = make_daemon(oidc(make_provider(), "first", trust_email=True) + oidc(make_provider(), "second")).start()
    sign_in(daemon, providerID="first")
    daemon.call("SignOut")

    cancelled = SignIn(daemon, providerID="first", app="cancelled")
    daemon.call("CancelSession", {"sessionID": cancelled.id})
    assert ended(cancelled) == "SignInCancelled"

    declined = SignIn(daemon, providerID="first", app="declined")
    browser().get(answer(declined.url, None))
    assert ended(declined) == "SignInDenied"

    late = SignIn(daemon, providerID="first", app="late", timeoutSeconds=1)
    assert ended(late) == "SignInTimedOut"

    # An address that a user has already: the account rules say no.
    refused = SignIn(daemon, providerID="second", app="refused")
    browser().get(answer(refused.url))
    assert ended(refused) == "AccountExistsWithDifferentCredential"

    # A page that is open still.
    waiting = SignIn(daemon, providerID="first", app="waiting")
    assert parameters(waiting.url)["state"]

    log = daemon.log.read_text()
    assert "sign-in at first was cancelled" in log and "sign-in at first ended: nobody finished it in time" in log

    expected = {cancelled.id: "cancelled", declined.id: "declined", late.id: "timed out", refused.id: "refused", waiting.id: "authorizationPending"}

    def shown():
        rows = [line.split() for line in run(daemon, "sessions").stdout.splitlines()[1:]]
        found = {row[0]: " ".join(row[3:-1]) for row in rows}
        return found if set(expected) <= set(found) else None

    assert expected.items() <= wait_for(shown, what="the sessions").items()
    told = {session["sessionID"]: session.get("failure") for session in json.loads(run(daemon, "sessions", "--json").stdout)["sessions"]}
    assert [told[one.id] for one in (cancelled, declined, late, refused, waiting)] == ["cancelled", "denied", "timedOut", "refused", None]


def test_an_unreachable_provider_is_reported_in_one_sentence(make_daemon):
    port = free_port()
    daemon = make_daemon(oidc(f"http://127.0.0.1:{port}")).start()
    with ends_with("ProviderUnreachable") as caught:
        daemon.call("SignIn", {"providerID": "demo"}, more=True)
    assert caught.value.parameters["message"] == f"demo: '127.0.0.1' cannot be reached at port {port}: Connection refused"
    assert daemon.call("ListSessions")["sessions"] == []
