"""Twenty processes and one refresh token that rotates: each is sent once, whoever is killed, and none is lost that can be kept.

`python rotation.py` beside this file does it with five-minute tokens for two minutes, and the SDK's own client after it.
"""
import pytest
from commands import run
from postern import ends_with, wait_for
from rotation import REFUSED, TOKEN, WORK, Crowd, Setting, visit
from signing_in import SignIn

# A caller wants a token for another minute: each of these is good for two seconds.
SECONDS = 62


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    setting = Setting(tmp_path_factory.mktemp("rotation"))
    yield setting
    setting.close()


@pytest.fixture
def setting(running):
    running.issuer.seconds, running.issuer.grace = SECONDS, 0
    running.sign_in()
    return running


def test_twenty_processes_share_each_renewal(setting):
    with Crowd(setting.daemon) as crowd:
        wait_for(lambda: setting.issuer.refreshed >= 1, 60, what="a renewal")
    assert set(crowd.statuses) == {TOKEN} and crowd.statuses[TOKEN] > 20, crowd.words
    assert setting.counts() == {"refreshed": len(setting.sent), "sent twice": 0, "replayed in time": 0, "theft": 0, "refused": 0}
    # The first token is of the sign-in; the last renewal may have come when all were at the door already.
    assert setting.issuer.refreshed <= len(crowd.tokens) <= setting.issuer.refreshed + 1


def test_a_kill_between_two_renewals_loses_nothing(setting):
    crowd = setting.killed_between(1, size=5)
    assert not crowd.statuses[REFUSED], crowd.words
    assert setting.counts()["sent twice"] == setting.counts()["theft"] == setting.counts()["refused"] == 0


def test_a_kill_during_a_renewal_loses_nothing_within_the_issuers_grace_period(setting):
    setting.issuer.grace = 60
    for lost in range(1, 3):
        setting.killed_during()
        done = run(setting.daemon, "token", "work", "--refresh")
        assert done.returncode == TOKEN, done.stderr
        assert setting.counts() | {"refreshed": 0} == {"refreshed": 0, "sent twice": lost, "replayed in time": lost, "theft": 0, "refused": 0}


def test_a_kill_during_a_renewal_is_reported_without_a_grace_period(setting):
    setting.killed_during()
    with Crowd(setting.daemon, "--refresh", size=5) as crowd:
        wait_for(lambda: crowd.statuses[REFUSED] >= 10, 60, what="ten that were refused")
    assert set(crowd.statuses) == {REFUSED} and all("postern sign-in work" in words for words in crowd.words), crowd.words
    # Whoever is first is told why.
    assert any("the answer to the previous renewal never arrived" in words for words in crowd.words), crowd.words
    # Nobody knows beforehand whether there is a time of grace, so the spent token may come a second time, but never a third.
    assert setting.counts()["sent twice"] <= 1 and setting.issuer.thefts <= 1
    with ends_with("SignInRequired"):
        setting.daemon.call("GetAccessToken", {**WORK, "forceRefresh": True})
    pending = SignIn(setting.daemon, **WORK, intent="keep")
    assert visit(pending.url).startswith("200 ") and pending.completed()
    thefts = setting.issuer.thefts
    assert run(setting.daemon, "token", "work", "--refresh").returncode == TOKEN and setting.issuer.thefts == thefts
