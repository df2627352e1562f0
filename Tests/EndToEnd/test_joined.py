"""Programs that ask the same share one page, one person and one answer."""
import json

import pytest
from person import answer, browser, consent
from postern import VarlinkError, ends_with, free_port, oidc, wait_for
from signing_in import SignIn


@pytest.fixture
def opening(make_daemon, demo_provider, tmp_path):
    """A daemon whose browser only writes down what it was asked to open; the daemon, and a function that reads it: [(seconds, URL)]."""
    pages = tmp_path / "pages"
    pages.touch()
    command = ["/bin/sh", "-c", f'echo "$(date +%s.%N) $0" >> {pages}']
    daemon = make_daemon(oidc(demo_provider), browser=json.dumps(command)).start()

    def opened():
        lines = [line.split() for line in pages.read_text().splitlines()]
        return [(float(line[0]), line[1]) for line in lines if len(line) == 2]

    return daemon, opened


def ask(daemon, more=True, **parameters):
    client = daemon.client()
    client.send("SignIn", {"providerID": "demo", **parameters}, more=more)
    return client


def last(client):
    while True:
        event = client.receive()["event"]
        if event["state"] == "completed":
            return event


def first_page(opened):
    return wait_for(opened, what="a page")[0][1]


def test_programs_that_ask_the_same_share_one_page_and_all_get_the_result(opening):
    daemon, opened = opening
    clients = [ask(daemon, more=number % 2 == 0) for number in range(20)]
    consent(first_page(opened))
    events = [last(client) for client in clients]
    assert len({event["sessionID"] for event in events}) == 1
    assert {event["result"]["user"]["email"] for event in events} == {"ada@example.com"}
    assert len({event["credential"]["accessToken"] for event in events}) == 1
    assert len(opened()) == 1
    assert daemon.call("GetStatus")["users"] == 1 and len(daemon.call("ListSessions")["sessions"]) == 1


def test_the_order_of_scopes_and_parameters_makes_no_other_question(opening):
    daemon, opened = opening
    first = ask(daemon, scopes=["openid", "email"], customParameters={"a": "1", "b": "2"})
    session = first.receive()["event"]["sessionID"]
    second = ask(daemon, scopes=["email", "openid", "email"], customParameters={"b": "2", "a": "1"})
    assert second.receive()["event"]["sessionID"] == session
    consent(first_page(opened))
    assert last(first)["sessionID"] == last(second)["sessionID"] == session
    assert len(opened()) == 1


@pytest.mark.parametrize("other", [
    {"scopes": ["openid"]}, {"app": "other"}, {"intent": "credential"}, {"loginHint": "grace"}, {"customParameters": {"prompt": "login"}}])
def test_another_question_is_another_sign_in(demo, other):
    assert SignIn(demo).id != SignIn(demo, **other).id


def test_one_who_leaves_does_not_cancel_it_for_the_others(opening):
    daemon, opened = opening
    leaving, staying = ask(daemon), ask(daemon)
    assert leaving.receive()["event"]["sessionID"] == staying.receive()["event"]["sessionID"]
    leaving.close()
    consent(first_page(opened))
    assert last(staying)["result"]["user"]
    assert len(opened()) == 1


def test_all_may_leave_and_one_may_come_back(opening):
    daemon, opened = opening
    for client in [ask(daemon), ask(daemon)]:
        client.receive()
        client.close()
    page = first_page(opened)
    back = ask(daemon)
    back.receive()
    consent(page)
    assert last(back)["result"]["user"]
    assert len(opened()) == 1  # the question was on the screen all the time


def test_cancelling_ends_it_for_all(demo):
    first, second = SignIn(demo), SignIn(demo)
    assert first.id == second.id
    demo.call("CancelSession", {"sessionID": first.id})
    for pending in (first, second):
        with ends_with("SignInCancelled"):
            pending.completed()


def test_a_refusal_reaches_all(demo):
    pending = [SignIn(demo) for _ in range(5)]
    consent(pending[0].url, None)
    for each in pending:
        with ends_with("SignInDenied"):
            each.completed()


def test_one_who_joined_with_less_patience_gives_up_alone(demo):
    patient, hasty = SignIn(demo), SignIn(demo, timeoutSeconds=1)
    assert patient.id == hasty.id
    with ends_with("SignInTimedOut"):
        hasty.completed()
    assert patient.client.silent(0)
    consent(patient.url)
    assert patient.completed()["state"] == "completed"


def test_one_who_joined_with_more_patience_keeps_what_was_promised(demo):
    """A question asked for one second, joined for a minute: the second program is not cut off with the first."""
    hasty, patient = SignIn(demo, timeoutSeconds=1), SignIn(demo, timeoutSeconds=60)
    with ends_with("SignInTimedOut"):
        hasty.completed()
    if patient.id == hasty.id:
        assert patient.client.silent(0.2)
    consent(patient.url)
    assert patient.completed()["state"] == "completed"


def test_each_who_joined_for_a_credential_gets_a_handle_of_its_own(demo):
    pending = [SignIn(demo, intent="credential") for _ in range(5)]
    assert len({each.id for each in pending}) == 1
    consent(pending[0].url)
    handles = [each.completed()["credential"]["handle"] for each in pending]
    assert len(set(handles)) == 5
    users = [demo.call("SignInWithCredential", {"credential": {"handle": handle}, "app": f"app{n}"})["result"] for n, handle in enumerate(handles)]
    assert len({user["user"]["uid"] for user in users}) == 1
    assert [user["additionalUserInfo"]["isNewUser"] for user in users] == [True] + [False] * 4


def test_who_joins_while_the_code_is_exchanged_gets_the_result_too(make_daemon, make_provider):
    daemon = make_daemon(oidc(make_provider("--delay-token-ms", "500"))).start()
    first = SignIn(daemon)
    browser().get(answer(first.url), allow_redirects=False)
    assert first.client.receive()["event"]["state"] == "exchanging"
    joined = daemon.client()
    joined.send("SignIn", {"providerID": "demo", "presentation": "client"}, more=True)
    event = joined.receive()["event"]
    assert (event["sessionID"], event["state"]) == (first.id, "exchanging")
    assert first.completed()["sessionID"] == last(joined)["sessionID"]


def test_a_client_that_shows_the_page_leaves_the_daemon_nothing_to_open(opening):
    daemon, opened = opening
    shown = ask(daemon, presentation="client")
    url = shown.receive()["event"]["authorizationURL"]
    joined = ask(daemon)
    joined.receive()
    consent(url)
    assert last(joined)["sessionID"] == last(shown)["sessionID"]
    assert opened() == []


def test_the_daemon_opens_one_page_of_a_provider_in_five_seconds(opening):
    daemon, opened = opening
    clients = [ask(daemon, app=f"app{number}") for number in range(2)]
    urls = {client.receive()["event"]["authorizationURL"] for client in clients}
    pages = wait_for(lambda: len(opened()) == 2 and opened(), what="the second page")
    assert {url for _, url in pages} == urls
    assert pages[1][0] - pages[0][0] > 3  # the program that wrote it down took its time to start, each time


def test_a_page_whose_turn_comes_too_late_is_not_opened(opening):
    daemon, opened = opening
    first, second = ask(daemon, app="a"), ask(daemon, app="b")
    first.receive()
    page = second.receive()["event"]["authorizationURL"]
    first_page(opened)
    consent(page)
    assert last(second)
    third = ask(daemon, app="c")
    late = third.receive()["event"]["authorizationURL"]
    pages = wait_for(lambda: len(opened()) >= 2 and opened(), what="the third page")
    assert [url for _, url in pages][1] == late


def test_who_waits_gets_a_page_when_the_program_that_had_it_leaves(opening):
    """It asked without `more`, so it would never learn where the page is."""
    daemon, opened = opening
    shown = ask(daemon, presentation="client")
    url = shown.receive()["event"]["authorizationURL"]
    waiting = ask(daemon, more=False)
    joined = daemon.client()
    joined.send("Monitor", more=True)
    assert daemon.call("GetStatus")["sessions"] == 1 and opened() == []
    shown.close()
    assert first_page(opened) == url
    consent(url)
    assert last(waiting)["result"]["user"]


@pytest.mark.parametrize("presentation", ["client", "daemon"])
def test_after_a_restart_a_page_is_opened_for_who_asks_unless_the_daemon_had_opened_it(make_daemon, demo_provider, tmp_path, presentation):
    pages = tmp_path / "pages"
    pages.touch()
    command = json.dumps(["/bin/sh", "-c", f'echo "$0" >> {pages}'])
    daemon = make_daemon(oidc(demo_provider), port=free_port(), browser=command).start()
    first = ask(daemon, presentation=presentation)
    url = first.receive()["event"]["authorizationURL"]
    if presentation == "daemon":
        wait_for(pages.read_text, what="the page")
    daemon.kill()
    daemon.start()
    waiting = ask(daemon, more=False)
    if presentation == "client":
        url = wait_for(pages.read_text, what="the page").split()[0]
    consent(url)
    assert last(waiting)["result"]["user"]
    assert len(pages.read_text().split()) == 1


def test_who_attached_waits_as_long_as_the_sign_in_lives(demo):
    hasty = SignIn(demo, timeoutSeconds=3)
    attached = demo.client()
    attached.send("AttachSession", {"sessionID": hasty.id}, more=True)
    attached.receive()
    patient = SignIn(demo, timeoutSeconds=60)
    with ends_with("SignInTimedOut"):
        hasty.completed()
    if patient.id == hasty.id:
        assert attached.silent(0.2)
        consent(patient.url)
        assert last(attached)["result"]["user"]


def test_a_credential_whose_program_is_gone_can_still_be_fetched(demo):
    for _ in range(20):
        pending = SignIn(demo, intent="credential")
        callback = answer(pending.url)
        browser().get(callback, allow_redirects=False)
        pending.client.close()  # somewhere between the callback and the answer

        def fetched():
            try:
                return demo.call("AttachSession", {"sessionID": pending.id})["event"]["credential"]["handle"]
            except VarlinkError as error:
                # Its answer was written before the program went.
                return "delivered" if "delivered" in str(error) else None

        handle = wait_for(fetched, what="the credential")
        if handle != "delivered":
            assert demo.call("SignInWithCredential", {"credential": {"handle": handle}})["result"]["user"]


def test_a_page_whose_turn_comes_when_everybody_has_left_is_not_opened(opening):
    daemon, opened = opening
    first, left, staying = (ask(daemon, app=app) for app in "abc")
    urls = [client.receive()["event"]["authorizationURL"] for client in (first, left, staying)]
    left.close()
    wait_for(lambda: len(opened()) >= 2, what="the second page")
    assert [url for _, url in opened()] == [urls[0], urls[2]]
