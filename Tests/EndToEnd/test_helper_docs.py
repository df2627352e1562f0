"""The lines of docs/use/helpers.md that make links and wrappers, as they stand there."""
import json
import re
import subprocess

import pytest
from commands import POSTERN
from helper_programs import at_home, link, shared, token_of
from postern import ROOT

TEXT = (ROOT / "docs" / "use" / "helpers.md").read_text()


def block(heading, kind):
    """The first block of that kind below the heading."""
    return TEXT.split(f"\n## {heading}\n", 1)[1].split(f"```{kind}\n", 1)[1].split("```", 1)[0]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A daemon, and the environment of a shell that has `postern` in its search path and a home of its own."""
    folder = tmp_path_factory.mktemp("world")
    with shared(folder / "daemon", "https://registry.example.org", "https://pypi.example.org") as daemon:
        link(folder / "bin", "postern")
        yield daemon, folder / "home", at_home(daemon, folder / "home", folder / "bin")


def test_every_protocol_has_a_section():
    offered = re.findall(r"^  ([a-z-]+)  ", run_help().split("PROTOCOLS\n", 1)[1].split("EXAMPLES", 1)[0], re.M)
    rows = re.findall(r"^\| `([a-z-]+)` \| .*\| \[.*\]\(#(.*)\) \|$", TEXT, re.M)
    assert [name for name, _ in rows] == offered and len(offered) == 12
    headings = {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^## (.*)$", TEXT, re.M)}
    assert {place for _, place in rows} <= headings


def run_help():
    return subprocess.run([POSTERN, "helper", "--help"], capture_output=True, text=True, timeout=20).stdout


def shell(line, environment, **more):
    done = subprocess.run(["sh", "-ec", line], env=environment, capture_output=True, text=True, timeout=60, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_documented_link_for_terraform_works(world):
    daemon, home, environment = world
    shell(block("Terraform, OpenTofu", "sh"), environment)
    out = shell('"$HOME/.terraform.d/plugins/terraform-credentials-postern" get registry.example.org', environment)
    assert json.loads(out) == {"token": token_of(daemon)}
    assert re.search(r'credentials_helper "postern" \{\n  args = \[\]', block("Terraform, OpenTofu", "hcl"))


def test_the_documented_link_for_keyring_works(world):
    daemon, home, environment = world
    lines = [line for line in block("pip, uv", "sh").splitlines() if line.startswith("mkdir")]
    shell("\n".join(lines), environment)
    out = shell('PATH="$HOME/.local/lib/postern-keyring:$PATH" keyring get https://pypi.example.org/simple/ oauth2accesstoken', environment)
    assert out == token_of(daemon) + "\n"


def test_the_documented_registry_entry_works(world):
    """docker looks up the registry's name as it is in the names of images; with a scheme before it the entry is never found."""
    daemon, home, environment = world
    (name, helper), = json.loads(block("docker, podman, skopeo, buildah", "json"))["credHelpers"].items()
    assert re.fullmatch(r"[a-z0-9.-]+(:\d+)?", name) and f'for = ["https://{name}"]' in block("docker, podman, skopeo, buildah", "toml")
    out = shell(f"printf %s {name} | postern helper docker get", environment)
    assert json.loads(out)["Secret"] == token_of(daemon) and helper == "postern"
    section = TEXT.split("\n## docker, podman, skopeo, buildah\n", 1)[1].split("\n## ", 1)[0]
    assert '`"127.0.0.1:5000": "postern"` in `credHelpers`' in section and '`for = ["http://127.0.0.1:5000"]`' in section


def test_the_documented_wrapper_for_pnpm_works(world):
    daemon, home, environment = world
    (home / ".local" / "bin").mkdir(parents=True)
    wrapper = block("pnpm", "sh").splitlines()[0].replace("pnpm NAME", "pnpm demo")
    shell(wrapper, environment)
    assert shell('"$HOME/.local/bin/postern-npm"', environment, stdin=subprocess.DEVNULL) == f"Bearer {token_of(daemon)}\n"


def test_the_documented_mcp_client_command_works(world):
    daemon, home, environment = world
    command = json.loads(block("MCP clients", "json"))["mcpServers"]["work"]["headersHelper"].replace("NAME", "demo")
    out = shell(command, {**environment, "CLAUDE_CODE_MCP_SERVER_URL": "https://registry.example.org/mcp"})
    assert json.loads(out) == {"Authorization": f"Bearer {token_of(daemon)}"}


def test_the_documented_go_setting_works(world):
    daemon, home, environment = world
    command = re.search(r"GOAUTH='([^;']*);", block("Go", "sh"))[1].replace("goproxy.example.org", "registry.example.org")
    assert shell(command, environment) == f"https://registry.example.org\n\nAuthorization: Bearer {token_of(daemon)}\n\n"
