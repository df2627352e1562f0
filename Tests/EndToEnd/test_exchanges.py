"""Every provider in its exact ways: the tables in `exchanges/`, played to the daemon."""
import pytest
from exchanges import Play, all_cases, read


@pytest.mark.parametrize("case", all_cases(), ids=str)
def test_exchange(case, make_daemon):
    Play(case, make_daemon).run()


# ---- The tables themselves -------------------------------------------------------

TABLE = """
provider demo
config
    kind = "oauth2"
    client-id = "c"
    authorization-endpoint = "${origin}/authorize"
    token-endpoint = "${origin}/token"
    userinfo-endpoint = "${origin}/me"
== a sign-in
page /authorize
    client_id = c
    not nonce
back
    code = good
request POST /token
    form code = good
    not form client_secret
answer 200
    {"access_token": "a", "token_type": "bearer"}
request GET /me
    header Authorization = Bearer a
answer 200
    {"id": "1"}
completed
    user.providerData.0.uid = "1"
    not user.email
"""


def play(text, tmp_path, make_daemon):
    file = tmp_path / "table.txt"
    file.write_text(text)
    for case in read(file):
        Play(case, make_daemon).run()


def test_a_table_that_is_met_passes(tmp_path, make_daemon):
    play(TABLE, tmp_path, make_daemon)


@pytest.mark.parametrize("old, new, complaint", [
    ("client_id = c", "client_id = d", "the page's client_id is 'c', not 'd'"),
    ("not nonce", "not state", "the page's state is there"),
    ("page /authorize", "page /other", "the page is "),
    ("form code = good", "form code = bad", "form code is 'good', not 'bad'"),
    ("not form client_secret", "not form client_id", "form client_id is there"),
    ("request GET /me", "request GET /you", "GET /me came"),
    ("Bearer a", "Bearer b", "header Authorization is 'Bearer a'"),
    ("completed", "request GET /more\nanswer 200\n    {}\ncompleted", "this request never came"),
    ('request GET /me\n    header Authorization = Bearer a\nanswer 200\n    {"id": "1"}\n', "", "nobody expected GET /me"),
    ('uid = "1"', 'uid = "2"', "user.providerData.0.uid is '1'"),
    ("not user.email", "user.email = *", "there is no user.email"),
    ("completed", "fails ExchangeFailed", "no error, but"),
    ('{"id": "1"}', "{}", "id"),
])
def test_a_table_that_is_not_met_fails(tmp_path, make_daemon, old, new, complaint):
    assert TABLE.count(old) >= 1
    with pytest.raises(AssertionError) as caught:
        play(TABLE.replace(old, new, 1), tmp_path, make_daemon)
    assert complaint in str(caught.value)
