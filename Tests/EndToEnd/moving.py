"""The pages of docs/use/moving-from: their unchanged lines, and a shell to run them in."""
import os
import re
import subprocess

from commands import environment
from helpers import links
from postern import ROOT

PAGES = ROOT / "docs" / "use" / "moving-from"
# The cells of a table's row. A bar in a cell is written with a backslash.
CELL = re.compile(r"(?<!\\)\|")


def text(page):
    return (PAGES / f"{page}.md").read_text()


def lines(page):
    """Every command of the page, in order: all code below "you run", and the blocks for a shell."""
    found, inside = [], None
    for line in text(page).splitlines():
        if line.startswith("```"):
            inside = None if inside else line[3:] or "text"
        elif inside == "sh":
            found.append(line)
        elif inside is None and line.startswith("|"):
            cells = CELL.split(line)
            assert len(cells) == 4, line
            found += [code.replace("\\|", "|") for code in re.findall(r"`([^`]+)`", cells[2])]
    return found


def changed(words, changes):
    for old, new in changes:
        words = words.replace(old, new)
    return words


def configuration(page, *changes):
    """The page's configuration, adapted to the servers of the test: the text to be replaced must be there."""
    blocks = "\n".join(re.findall(r"^```toml\n(.*?)^```", text(page), re.M | re.S))
    for old, new in changes:
        assert old in blocks, (page, old)
        blocks = blocks.replace(old, new)
    return blocks


class Shell:
    """A user's shell on a desktop: `postern` in the search path, a new home directory, nothing else set up."""

    def __init__(self, daemon, folder, *changes, **more):
        self.daemon, self.changes = daemon, changes
        self.home = folder / "home"
        self.home.mkdir()
        links(folder / "bin", "postern", "git-credential-postern")
        self.environment = environment(
            daemon, HOME=str(self.home), PATH=f"{folder / 'bin'}:{os.environ['PATH']}", XDG_CONFIG_HOME=str(self.home / ".config"), DISPLAY=":99",
            GIT_CONFIG_NOSYSTEM="1", GIT_TERMINAL_PROMPT="0", **more)

    def start(self, line):
        return subprocess.Popen(
            ["bash", "-c", changed(line, self.changes)], cwd=self.home, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, process_group=0)

    def run(self, line, status=0):
        process = self.start(f"set -euo pipefail\n{line}")
        out, err = process.communicate(timeout=60)
        assert process.returncode == status, (line, process.returncode, out, err)
        return out, err
