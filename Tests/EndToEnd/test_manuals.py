"""The manuals as the programs that read them see them, and whether they say all that there is to say."""
import json
import os
import re
import subprocess

import pytest
from postern import BIN, ROOT


# The pages that documents are made into, each with its files.
DOCUMENTS = {
    f"{page}": [file for name in names for file in (ROOT / "docs").rglob(name)] for page, names in {
        "postern.toml.5": ["configuration.md"], "postern-helpers.7": ["helpers.md"], "postern-mail.7": ["mail.md"], "postern-relay.7": ["relay.md"],
        "postern-mcp.7": ["use/mcp.md"], "postern-providers.7": ["providers/*.md"]}.items()}


@pytest.fixture(scope="module")
def manuals(tmp_path_factory):
    directory = tmp_path_factory.mktemp("manuals")
    write(directory)
    return {path.name: path for path in directory.glob("man*/*")}


def write(directory):
    subprocess.run(
        [ROOT / "packaging/manuals.py", "--bin-dir", BIN, "--output", directory], check=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1795300000"})


def described(program):
    shown = subprocess.run([BIN / program, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    return json.loads(shown)["command"]


def shown(page):
    """As a person reads it."""
    text = subprocess.run(["mandoc", "-T", "utf8", "-O", "width=300", page], check=True, capture_output=True, text=True).stdout
    return re.sub(r".\x08", "", text).replace("\u00a0", " ")


def test_each_command_has_a_page(manuals):
    commands = [c["commandName"] for c in described("postern")["subcommands"] if c["shouldDisplay"] and c["commandName"] != "help"]
    assert set(manuals) == {
        "postern.1", "posternd.8", "postern-mcp.8", "postern.toml.5", "io.postern.7", "postern-demo-provider.1", *DOCUMENTS, *(f"postern-{name}.1" for name in commands)}


def test_mandoc_reports_no_problem(manuals):
    problems = []
    for page in manuals.values():
        said = subprocess.run(["mandoc", "-T", "lint", page], capture_output=True, text=True).stdout
        for line in said.splitlines():
            absent = re.search(r"referenced manual not found: Xr (\S+) (\d)", line)
            # Not installed here; but it must be one of these.
            if not absent or f"{absent[1]}.{absent[2]}".replace("\\-", "-") not in manuals:
                problems.append(line)
    assert problems == []


@pytest.mark.release
def test_man_reports_no_warning(manuals):
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "80"}
    for page in manuals.values():
        done = subprocess.run(
            ["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, check=True)
        assert done.stderr == "", page.name


def test_apropos_can_index_every_manual(manuals):
    for name, page in manuals.items():
        done = subprocess.run(["lexgrog", page], check=True, capture_output=True, text=True)
        assert re.fullmatch(rf'.*: "{re.escape(name[:-2])} - [^".]+"\n', done.stdout), name


def arguments(command):
    for argument in command.get("arguments", []):
        if argument.get("shouldDisplay", True):
            yield argument
    for inner in command.get("subcommands", []):
        yield from arguments(inner)


def test_each_manual_describes_every_option(manuals):
    pages = {f"postern-{c['commandName']}.1": c for c in described("postern")["subcommands"] if f"postern-{c['commandName']}.1" in manuals}
    pages |= {"posternd.8": described("posternd"), "postern-mcp.8": described("postern-mcp"), "postern-demo-provider.1": described("postern-demo-provider")}
    assert len(pages) > 30
    for page, command in pages.items():
        text = " ".join(shown(manuals[page]).split())
        for argument in arguments(command):
            assert " ".join(argument.get("abstract", "").split()) in text, page
            for name in argument.get("names", []):
                assert ("--" if name["kind"] == "long" else "-") + name["name"] in text, page


def test_the_configuration_manual_has_every_key(manuals):
    text = shown(manuals["postern.toml.5"])
    keys = re.findall(r"^\| `([^`]+)`", DOCUMENTS["postern.toml.5"][0].read_text(), re.MULTILINE)
    assert len(keys) > 50
    # At the head of a paragraph of its own.
    assert [key for key in keys if not re.search(rf"^ +{re.escape(key)}", text, re.MULTILINE)] == []


@pytest.mark.parametrize("page", DOCUMENTS)
def test_lists_in_a_document_are_lists_in_its_manual(manuals, page):
    text = shown(manuals[page])
    items = [(number, bullet) for file in DOCUMENTS[page] for number, bullet in
             re.findall(r"^ *(?:(\d+\.)|(-)) +\S", re.sub(r"^ *```.*?^ *```", "", file.read_text(), flags=re.MULTILINE | re.DOTALL), re.MULTILINE)]
    assert len(items) > 1 and DOCUMENTS[page]
    assert len(re.findall(r"^ +\u2022 +\S", text, re.MULTILINE)) == len([1 for _, bullet in items if bullet])
    # Nor is a part of Markdown left in the text.
    assert re.findall(r"^ +[-*] |\]\(|\*\*\w|: - ", re.sub(r"(?m)^ {11}.*", "", text), re.MULTILINE) == []
    source = manuals[page].read_text()
    assert source.count("\n.Bl -enum") + source.count("\n.Bl -bullet") + source.count("\n.Bl -tag") == source.count("\n.El")


def literals(folder="Sources"):
    """The lines of the programs' sources, without comments."""
    for path in (ROOT / folder).rglob("*.swift"):
        for line in path.read_text().splitlines():
            if not line.lstrip().startswith("//"):
                yield path.name, line.split(" // ")[0]


def test_messages_refer_to_installed_manuals_and_never_to_repository_files(manuals):
    lines = list(literals())
    named = [(path, name) for path, line in lines for name in re.findall(r"\bman (postern[\w.-]*\w|io\.postern)", line)]
    assert {name for _, name in named} >= {"postern-helpers", "postern-providers", "postern-relay", "postern.toml"}
    assert [one for one in named if one[1] not in {page.rsplit(".", 1)[0] for page in manuals}] == []
    assert [one for one in lines if re.search(r"\bdocs/|\w\.md\b|packaging/(?!install\.sh)", one[1])] == []
    for unit in (ROOT / "systemd").iterdir():
        for name, section in re.findall(r"man:([\w.-]+)\((\d)\)", unit.read_text()):
            assert f"{name}.{section}" in manuals, unit


def test_the_manual_has_the_interface_verbatim(manuals):
    text = shown(manuals["io.postern.7"])
    source = (ROOT / "Sources/PosternInterface/io.postern.varlink").read_text().split("interface io.postern\n")[1]
    definitions = [line.strip() for line in source.splitlines() if line.strip() and not line.startswith("#")]
    lines = {line.strip() for line in text.splitlines()}
    assert len(definitions) > 200 and [line for line in definitions if line not in lines] == []


def test_the_statuses_are_the_same_everywhere(manuals):
    of_the_help = described("postern")["discussion"].split("EXIT STATUS\n")[1]
    table = [tuple(line.split(None, 1)) for line in of_the_help.splitlines() if line.strip()]
    assert table == re.findall(
        r"^\| (\d+) \| (.+) \|$", next((ROOT / "docs").rglob("exit-statuses.md")).read_text(), re.MULTILINE)
    for name in ("postern.1", "postern-token.1"):
        text = shown(manuals[name]).split("EXIT STATUS")[1]
        assert [(n, w.rstrip(".").lower()) for n, w in re.findall(r"^ +(\d+) +(.+)$", text, re.MULTILINE)][: len(table)] == [
            (n, w.lower()) for n, w in table]


def test_the_same_sources_make_the_same_pages(manuals, tmp_path):
    write(tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.glob("man*/*")} == {name: path.read_bytes() for name, path in manuals.items()}


def test_a_manual_names_the_aliases_of_its_command(manuals):
    assert "postern login is another name for it." in shown(manuals["postern-sign-in.1"])
