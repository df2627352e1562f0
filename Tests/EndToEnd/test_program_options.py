"""The options of the daemon and of the demo provider: help, completion, and what is said of a wrong one."""
import os
import shlex
import subprocess

import pytest
from postern import BIN

#: The scripts ask the program that PATH has.
PATH = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
PROGRAMS = {"posternd": ["config", "log-level", "check-config"], "postern-demo-provider": ["port", "client-secret-file", "lifetime"]}


def run(program, *arguments):
    return subprocess.run([BIN / program, *arguments], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("program, options", PROGRAMS.items())
def test_help_is_printed_to_standard_output_with_status_0(program, options):
    for argument in ("--help", "-h"):
        done = run(program, argument)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("OVERVIEW: ") and f"\nUSAGE: {program} [" in done.stdout
        assert all(f"\n  --{option} " in done.stdout for option in options)


def test_every_program_has_the_commands_version():
    assert run("posternd", "--version").stdout == run("postern", "--version").stdout
    # It is released with the others, and has none of its own.
    assert run("postern-demo-provider", "--version").returncode == 64


@pytest.mark.parametrize("arguments, sentence", [
    (["posternd", "--conf", "x"], "there is no option '--conf'; did you mean '--config'?"),
    (["posternd", "--log-level", "loud"], "--log-level 'loud': give one of error, warning, notice, info, debug"),
    (["posternd", "--listen", "nowhere"], "--listen 'nowhere': give ADDRESS:PORT, as in 127.0.0.1:7678 or [::1]:7678"),
    (["postern-demo-provider", "--client-id", ""], "--client-id must not be empty"),
    (["postern-demo-provider", "--client-secret-file", "/nonexistent"], "the file /nonexistent cannot be read"),
    (["postern-demo-provider", "--client-secret-file", "/dev/null"], "the first line of /dev/null must have 1 to 4096 bytes"),
])
def test_a_usage_error_is_reported_with_the_correct_usage(arguments, sentence):
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (64, "")
    lines = done.stderr.splitlines()
    assert lines[0] == f"{arguments[0]}: {sentence}"
    usage = next(position for position, line in enumerate(lines) if line.startswith(f"Usage: {arguments[0]} ["))
    assert all(line.startswith("    ") for line in lines[usage + 1:-1]) and all(len(line) <= 80 for line in lines[usage:])
    assert lines[-1] == f"  See '{arguments[0]} --help' for more information."


@pytest.mark.parametrize("words", [
    "posternd --help", "posternd --version", "posternd --generate-completion-script bash", "postern-demo-provider --help",
    "postern-mcp --help", "postern --help", "postern --version", "postern help", "postern token --help", "postern curl --help",
    "postern --generate-completion-script bash",
])
def test_an_unwritable_standard_output_is_a_failure(words):
    program, *arguments = words.split()
    with open("/dev/full", "w") as full:
        done = subprocess.run([BIN / program, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, f"{program}: the result could not be written: No space left on device\n")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """As the installer makes them."""
    directory = tmp_path_factory.mktemp("scripts")
    for program in (*PROGRAMS, "postern-mcp"):
        for shell in ("bash", "zsh", "fish"):
            done = run(program, "--generate-completion-script", shell)
            assert (done.returncode, done.stderr) == (0, "")
            (directory / f"{program}.{shell}").write_text(done.stdout)
    return directory


def test_the_shells_accept_the_scripts(scripts):
    for script in scripts.iterdir():
        subprocess.run([script.suffix[1:], "-n", script], check=True, capture_output=True)


def offered(scripts, program, *words):
    function = f"_{program.replace('-', '_')}"
    script = f"""
        . {shlex.quote(str(scripts / program))}.bash
        compopt() {{ :; }}  # it takes a completion of readline's own
        COMP_WORDS=({shlex.join([program, *words])}) COMP_CWORD={len(words)}
        {function}
        printf '%s\\n' "${{COMPREPLY[@]}}"
        """
    done = subprocess.run(["bash", "--norc", "-c", script], env=PATH, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if line]


def test_bash_offers_the_options(scripts, tmp_path):
    (tmp_path / "a file.toml").touch()
    (tmp_path / "a directory").mkdir()
    assert {"--config", "--check-config", "--version", "--help"} <= set(offered(scripts, "posternd", ""))
    assert offered(scripts, "posternd", "--che") == ["--check-config"]
    assert offered(scripts, "posternd", "--log-level", "") == ["error", "warning", "notice", "info", "debug"]
    assert offered(scripts, "posternd", "--listen", "") == []
    beginning = os.path.join(tmp_path, "a")
    assert sorted(offered(scripts, "posternd", "--config", beginning)) == [beginning + " directory", beginning + " file.toml"]
    assert offered(scripts, "posternd", "--state-directory", beginning) == [beginning + " directory"]
    assert offered(scripts, "postern-demo-provider", "--li") == ["--lifetime"]
    assert offered(scripts, "postern-mcp", "s") == ["stdio", "serve"]
    assert offered(scripts, "postern-mcp", "serve", "--id") == ["--idle"]
