"""The calls of the tests about users, in short form."""
import concurrent.futures

from postern import VarlinkError
from sealed import make_sign_ins_old

PASSWORD = "correct horse"


def create(daemon, email="ada@example.com", password=PASSWORD, **more):
    return daemon.call("CreateUser", {"email": email, "password": password, **more})["result"]


def sign_in_with(daemon, email="ada@example.com", password=PASSWORD, intent="signIn", **more):
    credential = {"email": email, "password": password}
    return daemon.call("SignInWithCredential", {"credential": credential, "intent": intent, **more})["result"]


def current(daemon, app="default"):
    return daemon.call("GetCurrentUser", {"app": app}).get("user")


def providers(user):
    return [data["providerID"] for data in user["providerData"]]


def long_ago(daemon):
    """Makes the sign-ins of all apps appear old. The daemon is restarted."""
    daemon.stop()
    make_sign_ins_old(daemon)
    daemon.start()


def at_once(*calls):
    """The result or error of each of several simultaneous calls."""
    def outcome(call):
        try:
            return call()
        except VarlinkError as error:
            return error.short

    with concurrent.futures.ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(outcome, calls))
