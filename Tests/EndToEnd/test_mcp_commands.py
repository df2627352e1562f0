"""`postern mcp` beside a service that answers as the daemon would: what it says, what it writes and what it never touches."""
import json
import os
import pathlib
import shlex
import stat
import tomllib

import pytest
from commands import POSTERN, Command, run
from fake_service import Refusal, Service

URL = "https://mcp.linear.app/mcp"
FOUND = {
    "resource": URL, "issuer": "https://linear.app", "scopes": ["read"], "registration": "dynamic", "signedIn": False,
    "findings": [
        {"level": "ok", "title": "metadata", "detail": "found"},
        {"level": "warn", "title": "addresses", "detail": "a proxy hides them", "advice": "nothing"}]}
ACCOUNT = {
    "providerID": "linear", "uid": "linear", "displayName": "Ada", "scopes": ["read"], "refreshable": True, "state": "good", "keptBy": [""]}
STATUS = {
    "version": "0.1.0", "startedAt": "2026-11-21T06:24:00Z", "locked": False, "sessions": 0, "users": 0, "credentials": 0,
    "callbackURLs": ["http://127.0.0.1:7678/__/auth/handler"]}


class World:
    def __init__(self, directory):
        self.directory = directory
        self.home = directory / "home"
        self.config = directory / "home" / ".config" / "postern" / "config.toml"
        self.config.parent.mkdir(parents=True)
        self.status = {**STATUS, "configurationFile": str(self.config)}
        self.found, self.kept = FOUND, []
        self.service = Service(
            directory, ResolveResource=lambda _: self.found, GetStatus=lambda _: self.status, Reload={},
            ListCredentials=lambda _: {"credentials": self.kept}, ListProviders=lambda _: {"providers": [
                {"providerID": name, "displayName": name, "kind": "oauth2", "flows": ["browser"], "scopes": [], "configured": True} for name in self.names()]},
            RevokeCredential={"revokedAtProvider": False}, SignIn=lambda given: {"event": {
                "sessionID": "s", "state": "completed", "expiresAt": "2026-11-21T06:24:00Z", "account": {**ACCOUNT, "providerID": given["providerID"]}}})

    def names(self):
        return list(self.sections())

    def sections(self):
        return tomllib.loads(self.config.read_text()).get("mcp", {}) if self.config.exists() else {}

    @property
    def more(self):
        return {
            "HOME": str(self.home), "XDG_CONFIG_HOME": "", "POSTERN_SYSTEM_ROOT": str(self.directory / "system"), "CODEX_HOME": "", "CLAUDE_CONFIG_DIR": "",
            "DISPLAY": ":99"}

    def postern(self, *words, **more):
        return run(self.service, "mcp", *words, **{**self.more, **more})

    def configure(self, **servers):
        self.config.write_text("".join(f'[mcp.{name}]\nurl = "{url}"\n' for name, url in servers.items()))


@pytest.fixture
def world(tmp_path):
    world = World(tmp_path)
    yield world
    world.service.close()


# ---- add --------------------------------------------------------------------------------


def test_a_server_is_added_and_signed_in_to(world):
    done = world.postern("add", URL)
    assert done.returncode == 0, done.stderr
    assert world.sections() == {"linear": {"url": URL}} and world.service.called("Reload") == [{}]
    assert [(call["providerID"], call["intent"]) for call in world.service.called("SignIn")] == [("linear", "keep")]
    assert world.service.called("SignIn")[0]["agreed"] == {"issuer": "https://linear.app", "resource": URL, "endpointHosts": [], "scopes": ["read"]}
    for fact in (URL, "https://linear.app", "registers itself", "read", "warn  addresses"):
        assert fact in done.stderr, fact
    assert "metadata: found" not in done.stderr and "Ada" in done.stdout


def test_the_command_lines_options_are_written(world, tmp_path):
    (tmp_path / "secret").write_text("s3cret\n")
    done = world.postern(
        "add", URL, "--as", "work", "--login", "ada@example.com", "--scope", "a", "--scope", "b", "--client-id", "abc", "--client-secret-file",
        str(tmp_path / "secret"), "--no-sign-in", "--json")
    assert done.returncode == 0, done.stderr
    section = world.sections()["work"]
    file = pathlib.Path(section.pop("client-secret")["file"].replace("~", str(world.home)))
    assert section == {"url": URL, "login": "ada@example.com", "scopes": ["a", "b"], "client-id": "abc", "issuer": "https://linear.app"}
    assert file.read_text() == "s3cret\n" and stat.S_IMODE(file.stat().st_mode) == 0o600 and "s3cret" not in world.config.read_text()
    assert json.loads(done.stdout)["name"] == "work" and world.service.called("SignIn") == []


@pytest.mark.parametrize("registration, findings, words, says", [
    ("none", [], [], ["http://127.0.0.1:7678/__/auth/handler", "--client-id ID", "https://linear.app"]),
    ("dynamic", [{"level": "fail", "title": "PKCE", "detail": "S256 is missing"}], [], ["PKCE: S256 is missing", "postern mcp check"]),
    ("none", [{"level": "fail", "title": "PKCE", "detail": "S256 is missing"}], ["--client-id", "x"], ["S256"])])
def test_nothing_is_written_if_a_sign_in_cannot_succeed(world, registration, findings, words, says):
    world.found = {**FOUND, "registration": registration, "findings": findings}
    done = world.postern("add", URL, *words)
    assert done.returncode == 1 and not world.config.exists() and world.service.called("SignIn") == world.service.called("Reload") == []
    for text in says:
        assert text in done.stderr


def test_the_users_own_client_works_where_postern_cannot_register(world):
    world.found = {**FOUND, "registration": "none", "findings": [{"level": "fail", "title": "client", "detail": "none"}]}
    done = world.postern("add", URL, "--client-id", "x", "--no-sign-in")
    assert done.returncode == 0 and world.sections()["linear"]["client-id"] == "x" and "the client ID of the configuration" in done.stderr


ELSEWHERE = {
    **FOUND, "endpointHosts": ["auth.example.com", "tokens.example.com"],
    "findings": [{"level": "fail", "title": "endpoints", "detail": "they are elsewhere"}]}


def test_an_issuers_endpoints_at_other_hosts_are_agreed_to_by_name_and_not_by_yes(world):
    world.found = ELSEWHERE
    for words in [], ["--yes"], ["--json"], ["--endpoint-host", "auth.example.com"]:
        done = world.postern("add", URL, *words)
        assert done.returncode == 1 and not world.config.exists() and world.service.called("SignIn") == [], done.stderr
        assert f"postern mcp add {URL} --endpoint-host auth.example.com --endpoint-host tokens.example.com" in done.stderr, done.stderr
    done = world.postern("add", URL, "--endpoint-host", "Auth.example.com", "--endpoint-host", "tokens.example.com")
    assert done.returncode == 0 and "they are elsewhere" not in done.stderr, done.stderr
    assert world.sections() == {"linear": {"url": URL, "endpoint-hosts": ["Auth.example.com", "tokens.example.com"]}}
    assert [call["providerID"] for call in world.service.called("SignIn")] == ["linear"]


def test_a_person_is_shown_each_host_and_asked_with_no_as_the_usual_answer(world):
    world.found = ELSEWHERE
    for answer, agrees in ("\n", False), ("y\n", True):
        command = Command(world.service, "mcp", "add", URL, "--no-sign-in", terminal=True, **world.more)
        command.read_until(r"https://linear\.app has endpoints at auth\.example\.com and tokens\.example\.com[^?]*\?[^?]*\[y/N\]")
        command.type(answer)
        if agrees:
            command.read_until(r"Add it as linear\? \[Y/n\]")
            command.type("\n")
        assert command.end()[0] == (0 if agrees else 2) and world.config.exists() == agrees
    assert world.sections()["linear"]["endpoint-hosts"] == ["auth.example.com", "tokens.example.com"]


def changing(world, **found):
    """The first sign-in finds another server than was shown, and later ones what the person then agreed to."""
    signs_in, agreed = world.service.answers["SignIn"], []

    def answer(given):
        agreed.append(given["agreed"])
        if len(agreed) > 1:
            return signs_in(given)
        world.found = {**FOUND, **found}
        raise Refusal("ServerChanged", providerID="linear", message="its issuer is https://new.example now, and was https://linear.app")
    world.service.answers["SignIn"] = answer
    return agreed


def test_a_server_that_changed_since_it_was_shown_is_shown_and_asked_about_again(world):
    agreed = changing(world, issuer="https://new.example", endpointHosts=["auth.example.com"])
    command = Command(world.service, "mcp", "add", URL, terminal=True, **world.more)
    command.read_until(r"Add it as linear\? \[Y/n\]")
    command.type("\n")
    command.read_until(r"its issuer is https://new\.example now[\s\S]*signs in at\s+https://new\.example[\s\S]*auth\.example\.com[^?]*\?[^?]*\[y/N\]")
    command.type("y\n")
    command.read_until(r"Sign in to that\? \[y/N\]")
    command.type("y\n")
    assert command.end()[0] == 0
    assert [(a["issuer"], a["endpointHosts"]) for a in agreed] == [("https://linear.app", []), ("https://new.example", ["auth.example.com"])]
    assert world.sections() == {"linear": {"url": URL, "endpoint-hosts": ["auth.example.com"]}}


@pytest.mark.parametrize("words", [[], ["--yes"], ["--json"]])
def test_without_anybody_to_ask_a_server_that_changed_is_named_and_not_signed_in_to(world, words):
    agreed = changing(world, issuer="https://new.example")
    done = world.postern("add", URL, *words)
    assert done.returncode == 1 and len(agreed) == 1 and "its issuer is https://new.example now" in done.stderr, done.stderr
    assert "postern mcp check linear" in done.stderr


def test_nobody_can_agree_to_another_issuers_host(world):
    world.found = {**FOUND, "findings": ELSEWHERE["findings"]}
    done = world.postern("add", URL, "--endpoint-host", "auth.example.com", "--yes")
    assert done.returncode == 1 and "they are elsewhere" in done.stderr and not world.config.exists()


def test_a_host_is_added_to_a_server_that_is_there(world):
    world.configure(linear=URL)
    for host, hosts in ("a.example.com", ["a.example.com"]), ("b.example.com", ["a.example.com", "b.example.com"]):
        done = world.postern("add", URL, "--as", "linear", "--endpoint-host", host)
        assert done.returncode == 0 and world.sections() == {"linear": {"url": URL, "endpoint-hosts": hosts}}, done.stderr
    assert [call["providerID"] for call in world.service.called("SignIn")] == ["linear"] * 2
    # The account that is there stays.
    world.kept = [ACCOUNT]
    assert world.postern("add", URL, "--endpoint-host", "c.example.com").returncode == 0 and len(world.service.called("SignIn")) == 2


def test_a_server_is_known_however_its_url_is_written(world):
    world.configure(linear=URL)
    world.found = {**FOUND, "name": "linear"}
    done = world.postern("add", "HTTPS://mcp.linear.app/%6Dcp")
    assert done.returncode == 1 and "already, as linear" in done.stderr and list(world.sections()) == ["linear"], done.stderr


def test_an_existing_server_is_not_added_again(world):
    world.configure(linear=URL)
    before = world.config.read_bytes()
    done = world.postern("add", URL + "/")
    assert done.returncode == 1 and "already, as linear" in done.stderr and "postern sign-in linear" in done.stderr
    done = world.postern("add", URL, "--yes")
    assert done.returncode == 0 and [call["providerID"] for call in world.service.called("SignIn")] == ["linear"]
    command = Command(world.service, "mcp", "add", URL, terminal=True, **world.more)
    command.read_until(r"Sign in\? \[Y/n\]")
    command.type("n\n")
    assert command.end()[0] == 2 and world.config.read_bytes() == before and world.service.called("ResolveResource") == []
    # A second account there is a second name.
    assert world.postern("add", URL, "--as", "second", "--no-sign-in").returncode == 0 and list(world.sections()) == ["linear", "second"]


def test_an_invalid_server_or_name_is_refused(world):
    world.configure(taken="https://other.example.org/mcp")
    for words in [""], ["linear"], ["ftp://h/"], [URL, "--as", "github.com"], [URL, "--as", "A b"], [URL, "--as", "taken"]:
        assert world.postern("add", *words).returncode == 64 and list(world.sections()) == ["taken"]


def test_a_change_refused_by_the_daemon_is_undone(world):
    world.config.write_text("# mine\n")
    world.service.answers["Reload"] = Refusal("InternalError")
    assert world.postern("add", URL).returncode == 1 and world.config.read_text() == "# mine\n"


# ---- list, check and remove -------------------------------------------------------------------


def test_servers_are_listed_with_their_signed_in_accounts(world):
    assert "postern mcp add URL" in world.postern("list").stderr
    world.configure(linear=URL, other="https://other.example.org/mcp")
    world.kept = [ACCOUNT]
    lines = world.postern("list").stdout.splitlines()
    assert lines[0].split() == ["NAME", "URL", "ACCOUNT", "STATE"] and lines[1].split() == ["linear", URL, "Ada", "good"]
    assert lines[2].split(maxsplit=3) == ["other", "https://other.example.org/mcp", "-", "nobody is signed in"]
    servers = json.loads(world.postern("list", "--json").stdout)["servers"]
    assert [(server["name"], server["state"]) for server in servers] == [("linear", "good"), ("other", "signInNeeded")]


@pytest.mark.parametrize("word", ["linear", URL])
def test_check_prints_one_line_per_rule(world, word):
    world.configure(linear=URL)
    done = world.postern("check", word)
    assert done.returncode == 0 and done.stdout.splitlines() == ["ok    metadata: found", "warn  addresses: a proxy hides them", "      fix: nothing"]
    assert world.service.called("ResolveResource") == [{"url": URL} | ({"name": "linear"} if word == "linear" else {})]
    document = json.loads(world.postern("check", word, "--json").stdout)
    assert document["findings"][1] == {"level": "warn", "title": "addresses", "detail": "a proxy hides them", "fix": "nothing"}
    assert {key: document[key] for key in ("url", "resource", "issuer", "scopes", "registration", "signedIn")} == {
        "url": URL, "resource": URL, "issuer": "https://linear.app", "scopes": ["read"], "registration": "dynamic", "signedIn": False}
    world.found = {**FOUND, "findings": [{"level": "fail", "title": "PKCE", "detail": "S256 is missing"}]}
    assert world.postern("check", word).returncode == world.postern("check", word, "--json").returncode == 1


def test_an_unknown_server_gets_a_suggestion(world):
    world.configure(linear=URL)
    for command in (["check", "lienar"], ["remove", "lienar", "--yes"], ["config", "codex", "lienar"]):
        done = world.postern(*command)
        assert done.returncode == 64 and "did you mean linear?" in done.stderr, done.stderr


@pytest.mark.parametrize("words, keeps", [([], True), (["--revoke"], None)])
def test_a_server_is_removed(world, words, keeps):
    world.configure(linear=URL, other="https://other.example.org/mcp")
    world.kept = [ACCOUNT]
    assert world.postern("remove", "linear", *words).returncode == 64 and list(world.sections()) == ["linear", "other"]
    done = world.postern("remove", "linear", *words, "--yes")
    assert done.returncode == 0 and list(world.sections()) == ["other"], done.stderr
    assert [(call["providerID"], call.get("keepGrant")) for call in world.service.called("RevokeCredential")] == [("linear", keeps)]


# ---- the client document ------------------------------------------------------------------------


def test_the_client_document_has_the_redirect_uris_of_the_current_port(world):
    url = "https://example.org/postern/client.json"
    assert world.postern("document").returncode == 64
    done = world.postern("document", "--url", url)
    document = json.loads(done.stdout)
    assert done.stderr == "" and document["client_id"] == url and document["redirect_uris"][0] == "http://127.0.0.1:7678/__/auth/handler"
    world.config.write_text(f'[registration]\nclient-document = "{url}"\n')
    assert world.postern("document").stdout == done.stdout
    # Without a daemon the configuration says which port it will be.
    assert world.postern("document", POSTERN_SOCKET=str(world.directory / "none"), XDG_CONFIG_HOME=str(world.home / ".config")).stdout == done.stdout
    assert world.postern("document", "--url", "https://example.org/").returncode == 64


def test_a_port_other_than_the_configured_one_is_reported(world):
    world.status = {
        **world.status, "callbackURLs": ["http://127.0.0.1:40001/__/auth/handler"], "problems": ["127.0.0.1:7678 is taken by another program; free it"]}
    done = world.postern("document", "--url", "https://example.org/client.json")
    assert done.returncode == 0 and "http://127.0.0.1:40001/" in done.stdout and "could not get port 7678" in done.stderr


# ---- clients ------------------------------------------------------------------------------------


def claude(name="linear", **more):
    return {"type": "http", "url": URL, "headersHelper": f"{POSTERN} helper mcp-headers {name}", **more}


def codex(name="linear"):
    return {"url": URL, "http_headers_helper": f"{POSTERN} helper mcp-headers {name} --url {URL}"}


def test_the_printed_configurations_follow_each_clients_documentation(world):
    world.configure(linear=URL)
    done = world.postern("config", "claude-code")
    assert json.loads(done.stdout) == {"mcpServers": {"linear": claude()}} and "~/.claude.json" in done.stderr
    done = world.postern("config", "codex", "linear", "--headers")
    assert tomllib.loads(done.stdout) == {"mcp_servers": {"linear": codex()}} and "~/.codex/config.toml" in done.stderr
    stdio = {"command": POSTERN, "args": ["mcp", "run", "linear"]}
    for client, place, block in (
            ("claude-code", "~/.claude.json", {"mcpServers": {"linear": {"type": "stdio", **stdio}}}),
            ("zed", "~/.config/zed/settings.json", {"context_servers": {"linear": stdio}})):
        done = world.postern("config", client, *(["--bridge"] if client == "claude-code" else []))
        assert json.loads(done.stdout) == block and place in done.stderr, done.stderr
    assert tomllib.loads(world.postern("config", "codex", "--bridge").stdout) == {"mcp_servers": {"linear": stdio}}
    done = world.postern("config", "goose")
    assert f"    cmd: {POSTERN}\n    args: [mcp, run, linear]\n" in done.stdout and "~/.config/goose/config.yaml" in done.stderr
    done = world.postern("config", "zed", "--headers")
    assert done.returncode == 64 and done.stdout == "" and "only as text" in done.stderr
    assert world.postern("config", "emacs").returncode == 64


def test_words_are_quoted_for_the_shell_and_for_the_file(world):
    url = "https://h/(it's)/mcp"
    world.config.write_text(f'[mcp."a.b"]\nurl = "{url}"\n')
    table = tomllib.loads(world.postern("config", "codex").stdout)["mcp_servers"]["a-b"]
    assert table["url"] == url and shlex.split(table["http_headers_helper"]) == [POSTERN, "helper", "mcp-headers", "a.b", "--url", url]


CLAUDE = "{\n\t\"numStartups\": 7,\n\t\"mcpServers\": {\n\t\t\"x\": {\"command\": \"y\"}\n\t},\n\t\"projects\": {\"/p\": {\"mcpServers\": {}}}\n}\n"


def test_claude_code_s_own_file_is_edited_in_place(world):
    world.configure(linear=URL)
    target = world.home / "dotfiles.json"
    target.write_text(CLAUDE)
    target.chmod(0o640)
    file = world.home / ".claude.json"
    file.symlink_to(target)
    # Nobody was asked.
    assert world.postern("config", "claude-code", "--write").returncode == 64 and target.read_text() == CLAUDE
    command = Command(world.service, "mcp", "config", "claude-code", "--write", terminal=True, **world.more)
    command.read_until(r"Write it\? \[Y/n\]")
    assert "+ mcpServers.linear = " in command.text and "mcpServers.x" not in command.text
    command.type("y\n")
    assert command.end()[0] == 0, command.text
    assert file.is_symlink() and stat.S_IMODE(target.stat().st_mode) == 0o640
    lines = target.read_text()
    assert lines.startswith('{\n\t"numStartups": 7,\n\t"mcpServers": {\n\t\t"x": {"command": "y"},\n\t\t"linear": {\n\t\t\t"type": "http",\n')
    assert lines.endswith('\n\t\t}\n\t},\n\t"projects": {"/p": {"mcpServers": {}}}\n}\n')
    assert json.loads(lines) == {**json.loads(CLAUDE), "mcpServers": {"x": {"command": "y"}, "linear": claude()}}
    # Again it has that already; another URL replaces it, and what the user has added stays.
    done = world.postern("config", "claude-code", "--write", "--yes")
    assert done.returncode == 0 and "has that already" in done.stderr and target.read_text() == lines
    document = json.loads(lines)
    document["mcpServers"]["linear"] = {"timeout": 5, **claude(), "url": "https://old.example.org/"}
    target.write_text(json.dumps(document))
    assert world.postern("config", "claude-code", "--write", "--yes").returncode == 0
    assert json.loads(target.read_text())["mcpServers"]["linear"] == {"timeout": 5, **claude()}


def test_a_file_that_is_not_understood_or_an_entry_of_another_s_stays(world):
    world.configure(linear=URL)
    codex_file = world.home / ".codex" / "config.toml"
    codex_file.parent.mkdir()
    for client, file, text in [
            ("claude-code", world.home / ".claude.json", '{"a":1,}'), ("codex", codex_file, "x ="),
            ("claude-code", world.home / ".claude.json", '{"mcpServers":{"linear":{"type":"http","url":"https://mcp.linear.app/mcp"}}}'),
            ("codex", codex_file, '[mcp_servers.linear]\nurl = "https://mcp.linear.app/mcp"\n')]:
        file.write_text(text)
        done = world.postern("config", client, "--write", "--yes")
        assert done.returncode == 1 and file.read_text() == text and "nothing was written" in done.stderr


ZED = '// mine\n{\n  "theme": "x", // nice\n}\n'


def test_the_files_of_the_other_clients_are_edited_in_place(world):
    world.configure(linear=URL)
    settings = world.home / ".config" / "zed" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(ZED)
    done = world.postern("config", "zed", "--write", "--yes")
    assert done.returncode == 0 and "+ context_servers.linear = " in done.stderr, done.stderr
    text = settings.read_text()
    assert text.startswith('// mine\n{\n  "theme": "x",\n  "context_servers": {\n    "linear": {\n') and text.endswith("}, // nice\n}\n"), text
    done = world.postern("config", "zed", "--write", "--yes")
    assert done.returncode == 0 and "has that already" in done.stderr and settings.read_text() == text
    goose = world.home / ".config" / "goose" / "config.yaml"
    for _ in range(2):
        done = world.postern("config", "goose", "--write", "--yes")
        assert done.returncode == 0 and goose.read_text() == world.postern("config", "goose").stdout, done.stderr
    assert "has that already" in done.stderr


CODEX = '# mine\nmodel = "o4"   # the usual one\n\n[mcp_servers.x]\ncommand = "y"\n\n# last words\n'


def test_codex_s_own_file_is_edited_in_place(world):
    world.configure(linear=URL)
    directory = world.directory / "codex"
    file = directory / "config.toml"
    done = world.postern("config", "codex", "--write", "--yes", CODEX_HOME=str(directory))
    assert done.returncode == 0 and tomllib.loads(file.read_text()) == {"mcp_servers": {"linear": codex()}}, done.stderr
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text(CODEX)
    done = world.postern("config", "codex", "--write", "--yes", CODEX_HOME=str(directory))
    assert "+ mcp_servers.linear.url = " in done.stderr
    text = file.read_text()
    assert tomllib.loads(text) == {**tomllib.loads(CODEX), "mcp_servers": {"x": {"command": "y"}, "linear": codex()}}
    assert [line for line in CODEX.splitlines() if line not in text.splitlines()] == []
    assert "has that already" in world.postern("config", "codex", "--write", "--yes", CODEX_HOME=str(directory)).stderr
    file.write_text(text.replace(URL, "https://old.example.org/mcp") + "startup_timeout_sec = 20\n")
    assert world.postern("config", "codex", "--write", "--yes", CODEX_HOME=str(directory)).returncode == 0
    assert tomllib.loads(file.read_text())["mcp_servers"]["linear"] == {**codex(), "startup_timeout_sec": 20}


def test_a_client_file_that_is_not_a_regular_file_is_left_unchanged(world):
    world.configure(linear=URL)
    os.mkfifo(world.home / ".claude.json")
    assert world.postern("config", "claude-code", "--write", "--yes").returncode == 1
