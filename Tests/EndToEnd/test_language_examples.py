"""The examples in C, Go, Rust and Swift: each is built where its tool chain is at hand, signs in with the daemon, and tells what goes wrong."""
import json
import os
import pty
import shutil
import subprocess

import pytest
from device_server import TOKEN, DeviceServer
from person import consent
from postern import BIN, ROOT, oidc
from python_package import Script, message
from signing_in import browser_command, sign_in

EXAMPLES = ROOT / "docs" / "programs" / "examples"
BUILD = {
    "c": ["cc", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-o", "{program}", "{source}", "-ljansson"],
    "go": ["go", "build", "-o", "{program}", "{source}"],
    "rs": ["rustc", "-D", "warnings", "-o", "{program}", "{source}"],
    # Against the modules of this build; the package would build them again.
    "swift": ["swiftc", "-swift-version", "6", "-warnings-as-errors", "-I", str(BIN / "Modules"), "-o", "{program}", "{source}"],
}
SOURCES = {"swift": EXAMPLES / "swift" / "Sources" / "sign-in" / "main.swift"}


@pytest.fixture(scope="module", params=list(BUILD))
def program(request, tmp_path_factory):
    language = request.param
    if shutil.which(BUILD[language][0]) is None:
        pytest.skip(f"needs {BUILD[language][0]}")
    folder = tmp_path_factory.mktemp(language)
    source = SOURCES.get(language, EXAMPLES / f"sign-in.{language}")
    command = [word.format(program=folder / "program", source=source) for word in BUILD[language]]
    if language == "swift":
        command += [str(path) for module in ("PosternClient", "PosternInterface", "Secrets", "StrictJSON", "Varlink")
                    for path in (BIN / f"{module}.build").rglob("*.swift.o")]
    # Go: nothing but its own library, and nothing left behind in the home.
    environment = {**os.environ, "GO111MODULE": "off", "CGO_ENABLED": "0", "GOCACHE": str(folder / "cache"), "GOFLAGS": ""}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return folder / "program"


TIME = "2026-01-02T03:04:05Z"


def is_written_out(program):
    """Its own words and its own parameters; the one in Swift has those of the library."""
    return not program.parent.name.startswith("swift")


@pytest.fixture
def terminal():
    """One where a person sits, for standard input."""
    main, at_it = pty.openpty()
    yield at_it
    os.close(main), os.close(at_it)


def run(program, *arguments, socket=None, stdin=subprocess.DEVNULL, **environment):
    """Its status, and what it said."""
    if socket:
        environment["POSTERN_SOCKET"] = str(socket)
    done = subprocess.run([str(program), *arguments], env=environment, stdin=stdin, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def test_the_program_signs_in_once_and_gets_the_token(make_daemon, demo_provider, tmp_path, program):
    daemon = make_daemon(oidc(demo_provider) + f"browser = {browser_command('ada')}\n").start()
    done = run(program, "demo", socket=daemon.path)
    token = daemon.call("GetAccessToken", {"providerID": "demo"})["accessToken"]
    assert done == (0, f"the account is ada@example.com\n{token}\n", "")
    (tmp_path / "postern").mkdir()
    (tmp_path / "postern" / "io.postern").symlink_to(daemon.path)
    assert run(program, "demo", XDG_RUNTIME_DIR=str(tmp_path), POSTERN_SOCKET="") == done
    assert [each["intent"] for each in daemon.call("ListSessions")["sessions"]] == ["keep"]
    assert daemon.call("GetStatus")["users"] == 0, "the account is the person's"


def test_without_a_daemon_the_program_says_where_it_looked(tmp_path, program):
    for environment, path in [
            ({"POSTERN_SOCKET": str(tmp_path / "none")}, str(tmp_path / "none")), ({"XDG_RUNTIME_DIR": str(tmp_path)}, f"{tmp_path}/postern/io.postern"),
            ({"XDG_RUNTIME_DIR": "relative"}, f"/run/user/{os.getuid()}/postern/io.postern"), ({}, f"/run/user/{os.getuid()}/postern/io.postern")]:
        code, out, error = run(program, "demo", **environment)
        assert (code, out) == (1, "") and ("posternd cannot" if is_written_out(program) else "cannot") + " be reached" in error and f"{path}: " in error and "o such file or directory" in error


def test_an_error_shows_the_daemons_message(make_daemon, demo_provider, program):
    daemon = make_daemon(oidc(demo_provider)).start()
    for provider in ("nope", 'no "quotes" \\ or\nlines'):
        code, out, error = run(program, provider, socket=daemon.path)
        assert (code, out) == (1, "") and "provider" in error and "{" not in error


def test_with_several_accounts_one_must_be_named(make_daemon, demo_provider, program):
    daemon = make_daemon(oidc(demo_provider) + '[account.poet]\nprovider = "demo"\nlogin = "ada@example.com"\n').start()
    for person in ("ada", "grace"):
        sign_in(daemon, person, intent="keep")
    code, out, error = run(program, "demo", socket=daemon.path)
    assert (code, out) == (1, "") and "ada@example.com" in error and "grace@example.org" in error
    token = daemon.call("GetAccessToken", {"providerID": "demo", "uid": "demo-1815"})["accessToken"]
    assert run(program, "poet", socket=daemon.path) == (0, f"the account is ada@example.com\n{token}\n", "")


def test_a_code_for_another_device_is_shown(make_daemon, program, terminal):
    provider = DeviceServer()
    provider.usual = (200, TOKEN)
    try:
        daemon = make_daemon(provider.configuration("demo", flow="device")).start_fast(10)
        code, out, error = run(program, "demo", socket=daemon.path, stdin=terminal)
    finally:
        provider.close()
    assert (code, out) == (0, f"the account is Octo\n{TOKEN['access_token']}\n"), error
    purpose = "" if is_written_out(program) else " to sign in"
    assert f"open {provider.origin}/device on any device and type this code there{purpose}: WDJB-MJHT\n" in error


def test_a_page_that_no_browser_shows_is_printed(make_daemon, demo_provider, program, terminal):
    daemon = make_daemon(oidc(demo_provider) + 'browser = "none"\n').start()
    process = subprocess.Popen(
        [str(program), "demo"], env={"POSTERN_SOCKET": str(daemon.path)}, stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    told = process.stderr.readline()
    assert told.startswith("open this page to sign in: http") or not is_written_out(program) and "open this page to sign in: http" in told, told
    consent(told.split()[-1])
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0 and out.startswith("the account is ada@example.com\n")


def test_without_a_browser_or_terminal_the_call_fails_at_once(make_daemon, demo_provider, program):
    daemon = make_daemon(oidc(demo_provider) + 'browser = "none"\n').start()
    code, out, error = run(program, "demo", socket=daemon.path)
    assert (code, out) == (1, "") and ("there is no terminal" if is_written_out(program) else "nobody has signed in at demo") in error, error


def test_only_a_missing_sign_in_opens_a_page(program):
    refusal = {"code": 0, "message": "so it is", "uids": [], "providerID": "demo", "reason": "none"}
    for error in ("AmbiguousAccount", "StoreLocked"):
        with Script(message(error=f"io.postern.{error}", parameters=refusal)) as server:
            assert run(program, "demo", socket=server.path)[:2] == (1, "")
            assert [call["method"] for call in server.calls] == ["io.postern.GetAccessToken"]
    with Script(message(error="io.postern.SignInRequired", parameters=refusal)) as server:
        code, out, said = run(program, "demo", socket=server.path)
        assert (code, out) == (1, "") and "so it is" in said
        [first, second] = [(call["method"], call["parameters"]) for call in server.calls]
    assert first == ("io.postern.GetAccessToken", {"providerID": "demo"}) and second[0] == "io.postern.SignIn"
    assert {name: second[1].get(name) for name in ("providerID", "intent", "app")} == {"providerID": "demo", "intent": "keep", "app": None}


def test_a_daemon_that_closes_the_connection_is_noticed(program):
    pending = message(parameters={"event": {"sessionID": "s1", "state": "authorizationPending", "expiresAt": TIME}}, continues=True)
    # To the library a reply that announces others is none that its first call may get.
    for parts in ([], [b'{"parameters":{}'], *([[pending], [pending, b"{"]] if is_written_out(program) else [])):
        with Script(*parts) as server:
            code, out, error = run(program, "demo", socket=server.path)
        assert (code, out) == (1, "") and ("posternd closed" if is_written_out(program) else "closed") + " the connection" in error


def test_a_name_with_special_characters_is_printed_unchanged(program):
    stored = {"providerID": "demo", "uid": "8", "scopes": [], "refreshable": True, "state": "good"}
    name = 'Ada "λ" \U0001f600 \\ [{'
    # Every call gets the same, and finds in it what it looks for.
    reply = {"list": [[], {}, 1, -2.5e3, True, None, "]"], "accessToken": "t1", "tokenType": "Bearer", "scopes": [], "uid": "8",
             "credentials": [{**stored, "uid": "7", "email": "x@example.com"}, {**stored, "providerID": "other", "email": "y@example.com"},
                             {**stored, "displayName": name}]}
    with Script(message(parameters=reply)) as server:
        assert run(program, "demo", socket=server.path) == (0, f"the account is {name}\nt1\n", "")
        assert [call["method"] for call in server.calls] == ["io.postern.GetAccessToken", "io.postern.ListCredentials"]
    reply["credentials"][2].update(account="demo", providerID="third", displayName=None, email="ada@example.com")
    with Script(message(parameters=reply)) as server:
        assert run(program, "demo", socket=server.path) == (0, "the account is ada@example.com\nt1\n", "")
    del reply["credentials"][2]["email"]
    with Script(message(parameters=reply)) as server:
        assert run(program, "demo", socket=server.path) == (0, "the account is 8\nt1\n", "")


def test_a_malformed_reply_is_an_error_and_not_a_crash(program):
    for reply in (
            b"\0", b"no\0", b"{}\0", b'{"parameters":{}}\0', b'{"parameters":{"accessToken":7,"uid":"8"}}\0', b'{"parameters":[]}\0',
            b'{"parameters":{"accessToken":"t1","uid":[]}}\0', b"\xff\0", b"[" * 100_000 + b"\0", b'{"error":"io.postern.X"}\0',
            b'{"error":"io.postern.X","parameters":{"message":7}}\0', b'{"parameters":{"event":"\\ud800"}}\0', b'{"a":"\\u12\xc3\xa9\xc3\xa9"}\0'):
        with Script(reply) as server:
            code, out, error = run(program, "demo", socket=server.path)
        assert (code, out) == (1, "") and error.strip(), reply[:40]
        assert "io.postern.X" in error or b"io.postern.X" not in reply


@pytest.mark.release
def test_the_swift_example_uses_a_product_of_this_package():
    if shutil.which("swift") is None:
        pytest.skip("needs swift")

    def manifest(folder):
        done = subprocess.run(["swift", "package", "--package-path", str(folder), "dump-package"], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    example = manifest(EXAMPLES / "swift")
    [dependency] = [each["fileSystem"][0] for each in example["dependencies"]]
    assert dependency["path"] == str(ROOT)
    [target] = example["targets"]
    [(product, package, *_)] = [each["product"] for each in target["dependencies"]]
    assert package == dependency["nameForTargetDependencyResolutionOnly"]
    assert product in [each["name"] for each in manifest(ROOT)["products"]]
    assert (EXAMPLES / "swift" / "Sources" / target["name"]).is_dir()
