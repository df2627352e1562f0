"""The backend for the Python package `keyring`, as that finds it, and the programs that use it: twine, poetry, pip."""
import json
import shutil
import subprocess
import sys
import tomllib

import pytest
from helper_programs import at_home, helper, signed_in, token_of
from package_index import package_index
from postern import oidc
from python_package import FOLDER, SOURCES
from signing_in import sign_in

ACCOUNT = "https://pypi.example.org"
URL = f"{ACCOUNT}/legacy/"

# Another backend, which stores; and what `keyring` says to each question.
SCRIPT = """
import json, sys
import keyring, keyring.backend, keyring.credentials

class Other(keyring.backend.KeyringBackend):
    priority = 5 if "chained" in sys.argv else -1
    stored = {}
    def get_password(self, service, username): return self.stored.get(service)
    def set_password(self, service, username, password): self.stored[service] = password
    def delete_password(self, service, username): del self.stored[service]

for method, *arguments in json.loads(sys.argv[1]):
    try:
        answer = getattr(keyring, method)(*arguments)
    except Exception as error:
        answer = [type(base).__name__ if isinstance(base, Exception) else base.__name__ for base in type(error).__mro__[:5]] + [str(error)]
    if isinstance(answer, keyring.credentials.Credential):
        answer = [answer.username, answer.password]
    print(json.dumps(answer))
print(json.dumps(type(keyring.get_keyring()).__name__))
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """As an installed wheel: `keyring` looks for its backends in what is said of packages."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "postern").symlink_to(SOURCES / "postern")
    [(name, module)] = tomllib.loads((FOLDER / "pyproject.toml").read_text())["project"]["entry-points"]["keyring.backends"].items()
    said = folder / "postern-1.dist-info"
    said.mkdir()
    (said / "METADATA").write_text("Metadata-Version: 2.1\nName: postern\nVersion: 1\n")
    (said / "entry_points.txt").write_text(f"[keyring.backends]\n{name} = {module}\n")
    return folder


@pytest.fixture
def ask(site, tmp_path):
    """Asks `keyring`; the answers, and standard error."""
    def ask(daemon, *questions, chained=False):
        done = subprocess.run([sys.executable, "-c", SCRIPT, json.dumps(questions), *(["chained"] if chained else [])],
                              env=world(daemon, site, tmp_path), capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        *answers, backend = map(json.loads, done.stdout.splitlines())
        assert backend == ("ChainerBackend" if chained else "PosternBackend" if daemon.path.exists() else "Keyring")
        return answers, done.stderr

    return ask


def world(daemon, site, tmp_path, **more):
    """Without the desktop's keyring, whatever the machine of the test has."""
    return {**at_home(daemon, tmp_path / "home", PYTHONPATH=str(site), DBUS_SESSION_BUS_ADDRESS="unix:path=/nowhere", XDG_CONFIG_HOME=str(tmp_path / "home"),
                      XDG_DATA_HOME=str(tmp_path / "home")), **more}


def both(service, username):
    return [["get_credential", service, username], ["get_password", service, username]]


# ---- What it answers ------------------------------------------------------------


def test_a_url_that_an_account_serves_gets_its_token(make_daemon, demo_provider, ask):
    daemon = signed_in(make_daemon, demo_provider, ACCOUNT)
    token = token_of(daemon)
    names = [None, "oauth2", "__token__", "00000000-0000-0000-0000-000000000000", "ada@example.com", "demo-1815"]
    answers, words = ask(daemon, *(question for name in names for question in both(URL, name)))
    assert answers == [answer for name in names for answer in ([name or "oauth2", token], token)] and words == ""


def test_any_other_url_or_user_name_gets_nothing(make_daemon, demo_provider, ask):
    """A host alone would be asked for by pip, and its index may be one of plain http."""
    daemon = signed_in(make_daemon, demo_provider, ACCOUNT)
    services = ["pypi.example.org", "pypi.example.org:443", "http://pypi.example.org/legacy/", "https://pypi.example.org.evil.example/", "HTTPS://pypi.example.org/",
                "https://pypi.example.org@evil.example/", "https://pypi.example.org\\@evil.example/", "https://pypi.example.org/\n", "https://pypi.example.org/ x",
                "https://pypi.example.org/" + "a" * 8192, "https://", "", "poetry-repository-pypi", "https://pypi.exämple.org/", "https://pypi.example.org:443443/"]
    questions = [question for service in services for question in both(service, "__token__")] + both(URL, "grace") + both(URL, "grace@example.org")
    answers, words = ask(daemon, *questions)
    assert answers == [None] * len(questions) and words == ""


def test_a_password_is_never_stored(make_daemon, demo_provider, ask):
    daemon = signed_in(make_daemon, demo_provider, ACCOUNT)
    (stored, deleted), _ = ask(daemon, ["set_password", URL, "u", "secret"], ["delete_password", URL, "u"])
    assert "PasswordSetError" in stored and "stores no password" in stored[-1]
    assert "PasswordDeleteError" in deleted and "postern revoke" in deleted[-1]


def test_other_backends_answer_and_store_as_before(make_daemon, demo_provider, ask):
    daemon = signed_in(make_daemon, demo_provider, ACCOUNT)
    other = "https://other.example.org/"
    answers, words = ask(daemon, ["set_password", other, "u", "p"], ["set_password", URL, "u", "p"], ["get_password", other, "u"], ["get_password", URL, "oauth2"],
                         ["get_password", URL, "grace"], ["delete_password", other, "u"], ["get_password", other, "u"], chained=True)
    assert answers == [None, None, "p", token_of(daemon), "p", None, None] and words == ""


# ---- What stands in the way --------------------------------------------------------


def test_a_missing_sign_in_is_answered_with_the_command(make_daemon, demo_provider, ask):
    daemon = make_daemon(oidc(demo_provider, serves=[ACCOUNT])).start()
    answers, words = ask(daemon, ["get_credential", URL, None])
    assert answers == [None] and words.endswith("; sign in with: postern sign-in demo\n") and words.count("\n") == 1
    assert daemon.call("ListSessions") == {"sessions": []}


def test_with_several_accounts_none_is_chosen_arbitrarily(make_daemon, demo_provider, ask):
    daemon = signed_in(make_daemon, demo_provider, ACCOUNT)
    sign_in(daemon, "grace")
    tokens = {uid: daemon.call("GetAccessToken", {"providerID": "demo", "uid": uid})["accessToken"] for uid in ("demo-1815", "demo-1906")}
    answers, words = ask(daemon, *both(URL, "grace@example.org"), *both(URL, "demo-1815"))
    assert answers == [["grace@example.org", tokens["demo-1906"]], tokens["demo-1906"], ["demo-1815", tokens["demo-1815"]], tokens["demo-1815"]] and words == ""
    answers, words = ask(daemon, ["get_credential", URL, None])
    assert answers == [None] and "the tokens of several accounts are equally for" in words and words.count("\n") == 1


def test_the_backend_answers_like_the_helper(make_daemon, demo_provider, ask):
    """Whatever is configured: which account a URL means is decided twice, in Swift and in Python."""
    accounts = f'''
[account.navy]
provider = "demo"
login = "grace@example.org"
for = ["{ACCOUNT}/navy/"]
[account.poet]
provider = "demo"
login = "ada@example.com"
for = ["{ACCOUNT}/", "{ACCOUNT}/navy/poems/"]
[account.nobody]
provider = "demo"
login = "nobody@example.com"
for = ["{ACCOUNT}/nobody/"]
'''
    daemon = signed_in(make_daemon, demo_provider, f"{ACCOUNT}/all/", more=accounts)
    sign_in(daemon, "grace", providerID="navy")
    names = [None, "oauth2", "poet", "navy", "demo", "nobody", "ada@example.com", "grace@example.org", "demo-1815", "demo-1906", "Ada Lovelace", "x", "x\ny"]
    questions = [(ACCOUNT + path, name) for path in ("", "/", "/x", "/all/x", "/navy/x", "/navy/poems/x", "/navy", "/nobody/x", "/all/../navy/x") for name in names]
    answers, _ = ask(daemon, *(["get_credential", *question] for question in questions))
    expected = []
    for url, name in questions:
        status, out, _ = helper(daemon, "keyring", "--mode=creds", "--output=json", "get", url, *([] if name is None else [name]))
        expected.append(None if status else list(json.loads(out).values()))
    assert dict(zip(questions, answers)) == dict(zip(questions, expected))
    assert len({answer[1] for answer in answers if answer}) == 2


def test_a_locked_store_is_reported(make_daemon, demo_provider, ask):
    daemon = signed_in(make_daemon, demo_provider, ACCOUNT)
    daemon.call("Lock")
    answers, words = ask(daemon, ["get_credential", URL, None])
    assert answers == [None] and "locked" in words and words.count("\n") == 1


@pytest.mark.parametrize("how", ["killed", "stopped", "never started"])
def test_without_a_daemon_the_backend_is_silent(make_daemon, ask, how):
    """A program may ask for any of its passwords; most people who install a package have no daemon."""
    daemon = make_daemon()
    if how != "never started":
        daemon.start()
        daemon.kill() if how == "killed" else daemon.stop()
    answers, words = ask(daemon, ["get_password", URL, "oauth2"])
    if daemon.path.exists():
        assert answers == [None] and words == ""
    else:
        assert "NoKeyringError" in answers[0], "as without the package"


def test_without_keyring_the_package_works(site):
    done = subprocess.run([sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(site)!r}); import postern; print('keyring' in sys.modules)"],
                          capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("False\n", "")


# ---- Programs ------------------------------------------------------------------------


@pytest.fixture
def index(tmp_path):
    with package_index(tmp_path / "index") as index:
        yield index


def test_twine_uploads_with_a_token_from_postern(make_daemon, demo_provider, index, site, tmp_path):
    daemon = signed_in(make_daemon, demo_provider, index.upload_url)
    index.secret = token_of(daemon)
    done = subprocess.run([sys.executable, "-m", "twine", "upload", "--non-interactive", "--disable-progress-bar", "--repository-url", index.upload_url, str(index.wheel)],
                          env=world(daemon, site, tmp_path), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    (path, body), = index.uploads
    assert path == "/legacy/" and index.wheel.read_bytes() in body and index.seen == [("/legacy/", "oauth2", index.secret)]
    assert index.secret not in done.stdout + done.stderr


def test_twine_says_that_nobody_is_signed_in(make_daemon, demo_provider, index, site, tmp_path):
    daemon = make_daemon(oidc(demo_provider, serves=[index.upload_url])).start()
    done = subprocess.run([sys.executable, "-m", "twine", "upload", "--non-interactive", "--disable-progress-bar", "--repository-url", index.upload_url, str(index.wheel)],
                          env=world(daemon, site, tmp_path, COLUMNS="400"), capture_output=True, text=True, timeout=120)
    assert done.returncode != 0 and index.seen == []
    assert "postern sign-in demo" in done.stdout + done.stderr


def test_pip_importing_keyring_gets_a_token_from_postern(make_daemon, demo_provider, index, site, tmp_path):
    daemon = signed_in(make_daemon, demo_provider, index.url, f"{index.origin}/files/")
    index.secret = token_of(daemon)
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--no-input", "--no-deps", "--no-cache-dir", "--disable-pip-version-check", "--keyring-provider", "import",
         "-i", index.url, "-d", str(tmp_path / "got"), "thing"],
        env=world(daemon, site, tmp_path, PIP_CONFIG_FILE="/dev/null"), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "got" / index.wheel.name).exists() and ("/simple/thing/", "oauth2", index.secret) in index.seen


@pytest.mark.skipif(not shutil.which("poetry"), reason="needs poetry, which has forty dependencies")
def test_poetry_publishes_with_a_token_from_postern(make_daemon, demo_provider, index, site, tmp_path):
    daemon = signed_in(make_daemon, demo_provider, index.upload_url)
    index.secret = token_of(daemon)
    project = tmp_path / "project"
    (project / "dist").mkdir(parents=True)
    shutil.copy(index.wheel, project / "dist")
    (project / "pyproject.toml").write_text('[project]\nname = "thing"\nversion = "1.0"\n[tool.poetry]\npackages = []\n')
    environment = world(daemon, site, tmp_path, POETRY_REPOSITORIES_LOCAL_URL=index.upload_url)
    done = subprocess.run(["poetry", "publish", "--no-interaction", "-r", "local"], cwd=project, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    (path, body), = index.uploads
    assert path == "/legacy/" and index.wheel.read_bytes() in body and index.seen[-1] == ("/legacy/", "oauth2", index.secret)
