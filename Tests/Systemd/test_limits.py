"""A daemon that is given less than it asks for."""
import json

import pytest

from machine import HOME, Failed
from package import CONFIGURATION, PUBLIC, process

REASON = "the system could not create a thread"


def limit_processes(machine, count):
    """As LimitNPROC= does, of a service that is running already: of all processes and threads of the user."""
    machine.run("prlimit", f"--pid={process(machine)}", f"--nproc={count}:")


def test_without_a_free_thread_the_caller_gets_an_error_and_others_are_served(installed):
    installed.write(CONFIGURATION, f'[sign-in]\nbrowser = ["{HOME}/browser"]\n{PUBLIC}')
    installed.call("CreateUser", email="ada@example.org", password="correct horse")
    before = process(installed)
    monitoring = installed.ask("Monitor", more=True)
    limit_processes(installed, 1)

    def refused(method, **parameters):
        with pytest.raises(Failed) as failed:
            installed.call(method, **parameters)
        assert REASON in failed.value.parameters["message"] and "TasksMax=" in failed.value.parameters["message"]
        return failed.value.error.rsplit(".")[-1]

    assert refused("Reload") == "ConfigurationInvalid"
    credential = {"email": "ada@example.org", "password": "correct horse"}
    assert refused("SignInWithCredential", credential=credential) == "InternalError"
    asking = installed.ask("SignIn", providerID="legacy", intent="credential", more=True)
    session = json.loads(asking.stdout.readline())["parameters"]["event"]["sessionID"]
    event = next(event for event in map(json.loads, monitoring.stdout) if event["parameters"]["kind"] == "pageNotOpened")
    assert REASON in event["parameters"]["message"]
    installed.call("CancelSession", sessionID=session)
    asking.communicate(timeout=30)
    installed.call("Lock")
    assert refused("Unlock") == "StoreLocked"

    limit_processes(installed, 1000)
    installed.call("Unlock")
    installed.call("Reload")
    assert installed.call("SignInWithCredential", credential=credential)["result"]["user"]["email"] == "ada@example.org"
    assert process(installed) == before
    installed.run("pkill", "-f", "ask.py call io.postern.Monitor", check=False)
    monitoring.communicate(timeout=30)
