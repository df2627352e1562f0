"""The first sign-in as a person sees it: a shell in tmux, the keys that are typed, and what stands on the screen then."""
import re

import pytest
from commands import environment
from newcomer import ID, fresh, github  # noqa: F401
from postern import BIN, ROOT
from terminal import qr_rows, read_qr
from tmux import PROMPT, Tmux

PAGE = ROOT / "docs" / "use" / "first-sign-in.md"
WIDTHS = [50, 80]


@pytest.fixture
def open_terminal(fresh, tmp_path):
    """Terminals in which `postern` finds the daemon of the test, and a home as a person has it."""
    (tmp_path / ".config").mkdir()
    (tmp_path / ".config" / "postern").symlink_to(fresh.daemon.directory)
    variables = environment(fresh.daemon, **{**fresh.environment, "DISPLAY": ":99", "PATH": f"{BIN}:{fresh.environment['PATH']}"})
    variables.pop("XDG_CONFIG_HOME")
    terminals = []

    def make(columns, rows=60):
        directory = tmp_path / f"terminal{len(terminals)}"
        directory.mkdir()
        terminals.append(Tmux(directory, columns, rows, variables))
        return terminals[-1]

    yield make
    for terminal in terminals:
        terminal.close()


def fill_in(terminal, secret):
    """The dialogue with GitHub, from the command to its end: for git and the API."""
    terminal.command("postern setup github.com")
    terminal.wait_for(r"What are the tokens for\?[^\0]*\] $")
    terminal.type("\n")
    terminal.wait_for("Client ID: $")
    terminal.type(ID + "\n")
    terminal.wait_for(r"Client secret[^\0]*: $")
    terminal.type(secret + "\n")
    terminal.wait_for(r"Write it\? \[Y/n\] $")
    terminal.type("\n")
    terminal.wait_for(r"Set it now\? \[Y/n\] $")
    terminal.type("\n")


def unbroken(terminal):
    """Every line that the terminal had to break is one that is copied as it is, or was typed."""
    whole = terminal.lines(joined=True)
    broken = [line for line in whole if len(line) > terminal.columns]
    assert all(line.startswith("  ") or " " not in line or line.endswith(ID) for line in broken), broken
    # The line that moves has left nothing behind, and nothing was drawn beside anything else.
    assert not re.search("[⠀-⣿]", "\n".join(whole)), whole
    return whole


def recorded(terminal):
    """As it stands in the documentation: with the usual port."""
    return re.sub(r"127\.0\.0\.1(:|%3A)\d+", r"127.0.0.1\g<1>7678", "\n".join(unbroken(terminal)).removesuffix(PROMPT.strip()))


@pytest.mark.parametrize("columns", WIDTHS)
def test_the_first_token_takes_two_commands_and_the_documented_number_of_keys(fresh, open_terminal, columns):
    terminal = open_terminal(columns)
    fill_in(terminal, "shh")
    terminal.wait_for(r"signed in as[^\0]*\n\$ $")
    terminal.command("postern token github.com")
    terminal.wait_for(r"gho_aaaa\n\$ $")
    whole = recorded(terminal)
    assert "shh" not in whole
    assert terminal.commands == 2 and len(fresh.pages) == 2
    # Beside the commands, and what GitHub gave: Enter for git and the API, after the ID, after the secret, to write it down, and for git.
    typed = sum(map(len, ["postern setup github.com\n", ID, "shh", "postern token github.com\n"]))
    assert terminal.keys - typed == 5
    if columns == 80:
        assert f"```\n{whole.rstrip()}\n```\n" in PAGE.read_text(), whole


@pytest.mark.parametrize("columns", [30, 80])
def test_a_device_code_needs_no_secret_and_shows_a_qr_code_only_if_it_fits(fresh, github, open_terminal, tmp_path, columns):
    terminal = open_terminal(columns)
    fill_in(terminal, "")
    # The words beside the moving line, which is the last.
    shown = terminal.wait_for(r"WDJB-MJHT[^\0]*Waiting until[^\0]*left")
    if columns == 30:
        assert "█" not in shown and re.search(r"QR code needs a\s+terminal of\s+\d\d columns", shown), shown
    else:
        assert read_qr("\n".join(terminal.lines()), tmp_path) == f"{github.origin}/login/device"
        assert len(qr_rows("\n".join(terminal.lines()))[0]) <= columns
    # Which options there are is not for a command to say that takes none of them.
    assert "--timeout" not in shown and "--device" not in shown, shown
    github.codes["device"] = "gho_device"
    terminal.wait_for(r"signed in as[^\0]*\n\$ $")
    if columns > 30:
        unbroken(terminal)
    assert terminal.commands == 1 and terminal.keys == len("postern setup github.com\n") + len(ID) + 5


@pytest.mark.parametrize("columns", [30, 80])
def test_other_commands_for_newcomers_wrap_no_words(fresh, open_terminal, columns):
    terminal = open_terminal(columns, rows=200)
    for line in ("postern provider list", "postern provider show github.com", "postern doctor", "postern status", "postern sign-in github.con"):
        terminal.command("clear; " + line + "; echo ended")
        terminal.wait_for(r"\nended\n\$ $")
        unbroken(terminal)
