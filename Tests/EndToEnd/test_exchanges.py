"""Exchanges with providers over HTTP. The tables have many more cases, which are played in process (ExchangeTests.swift)."""
import pytest
from exchanges import TABLES, Play, all_cases, read


@pytest.mark.parametrize("case", all_cases(), ids=str)
def test_exchange(case, make_daemon):
    Play(case, make_daemon).run()


@pytest.mark.parametrize("old, new, complaint", [
    ("login = octo", "login = hex", "login is 'octo', not 'hex'"),
    ("~ octo", "~ hex", "but the page is"),
    ("form code = good", "form code = bad", "form: code is 'good', not 'bad'"),
    ("request GET /user\n", "request GET /me\n", "GET /user came"),
    ("gives\n    revokedAtProvider = true", "gives\n    revokedAtProvider = false", "revokedAtProvider is True"),
])
def test_a_case_that_is_not_met_fails(make_daemon, old, new, complaint):
    name = "github.com.txt"
    text = (TABLES / name).read_text()
    assert old in text
    with pytest.raises(AssertionError) as caught:
        Play(read(name, text.replace(old, new, 1))[0], make_daemon).run()
    assert complaint in str(caught.value)
