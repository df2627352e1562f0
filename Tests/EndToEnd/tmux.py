"""A shell in tmux: what a person types, and what the terminal then shows."""
import os
import re
import shlex
import shutil
import subprocess

import pytest

from postern import wait_for

PROMPT = "$ "


class Tmux:
    """A terminal of that size with a shell in it. The server is the test's own, and reads nobody's configuration."""

    def __init__(self, directory, columns, rows, environment):
        if shutil.which("tmux") is None:
            pytest.fail("tmux: missing; scripts/test.sh installs what the tests need")
        # Socket paths are short.
        self.words = ["tmux", "-S", os.path.relpath(directory / "tmux"), "-f", "/dev/null"]
        self.columns, self.keys, self.commands = columns, 0, 0
        self.environment = {**environment, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        shell = directory / "shell"
        shell.write_text(f"PS1={shlex.quote(PROMPT)}; export TERM=tmux-256color\n")
        # Alternate screens and a status line would hide the text to be read.
        self.run("new-session", "-d", "-x", str(columns), "-y", str(rows), f"exec env ENV={shlex.quote(str(shell))} sh -i", ";",
                 "set-option", "-g", "status", "off", ";", "set-option", "-g", "history-limit", "2000")
        self.wait_for(r"\$ $")

    def run(self, *words):
        done = subprocess.run([*self.words, *words], env=self.environment, capture_output=True, text=True, timeout=30)
        assert done.returncode == 0, f"{words}: {done.stderr}"
        return done.stdout

    def lines(self, joined=False):
        """All lines, including those that have scrolled away; `joined`: lines that the terminal wrapped are one."""
        text = self.run("capture-pane", "-p", "-S", "-", *(["-J"] if joined else []))
        return [line.rstrip() for line in text.rstrip().split("\n")]

    def wait_for(self, pattern):
        """The text that contains the pattern; wrapped lines are joined."""
        def found():
            text = "\n".join(self.lines(joined=True)) + " "
            return text if re.search(pattern, text) else None

        try:
            return wait_for(found, seconds=60, what=pattern)
        except AssertionError:
            raise AssertionError(f"no {pattern} in:\n" + "\n".join(self.lines())) from None

    def type(self, text):
        """Types keys, which the terminal receives one by one."""
        self.keys += len(text)
        for part in re.split(r"(\n)", text):
            if part:
                self.run("send-keys", *(["Enter"] if part == "\n" else ["-l", "--", part]))

    def command(self, line):
        self.commands += 1
        self.type(line + "\n")

    def close(self):
        subprocess.run([*self.words, "kill-server"], env=self.environment, capture_output=True, timeout=30)
