"""Helpers as other programs find them: by their own names, in the search path."""
import subprocess

from commands import POSTERN, environment


def links(folder, *names):
    """A folder for the search path in which each name is a link to `postern`."""
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).symlink_to(POSTERN)
    return folder


def ask(daemon, *arguments, stdin="", program=POSTERN, **more):
    """One question to a helper: `ask(daemon, "git", "get", stdin=…)`."""
    words = ["helper", *arguments] if program == POSTERN else arguments
    data = stdin if isinstance(stdin, bytes) else stdin.encode()
    result = subprocess.run([str(program), *words], input=data, capture_output=True, timeout=60, env=environment(daemon, **more))
    result.stdout, result.stderr = result.stdout.decode(), result.stderr.decode()
    return result
