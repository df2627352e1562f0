"""What `postern` shows to a person at a terminal, which differs from what a program reads."""
import datetime

import pytest
from commands import run
from fake_service import Service
from terminal import shown


def moment(**distance):
    """RFC 3339, so far from now."""
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**distance)).strftime("%Y-%m-%dT%H:%M:%SZ")


def session(end):
    return {"sessionID": "s1", "providerID": "work", "app": "default", "intent": "signIn", "state": "authorizationPending",
            "startedAt": moment(minutes=-1), "expiresAt": end}


@pytest.fixture
def service(tmp_path):
    service = Service(tmp_path)
    yield service
    service.close()


def test_times_are_local_and_near_on_a_terminal_and_exact_for_a_program(service):
    end = moment(minutes=9, seconds=20)
    service.answers["ListSessions"] = {"sessions": [session(end)]}
    assert "in 9 min" in shown(service, 200, "sessions")[1]
    assert end in run(service, "sessions").stdout
    assert end in shown(service, 200, "sessions", "--json")[1]
    service.answers["ListSessions"] = {"sessions": [session("2026-01-21T06:24:00Z")]}
    assert "2026-01-21 11:54" in shown(service, 200, "sessions", TZ="IST-5:30")[1]
