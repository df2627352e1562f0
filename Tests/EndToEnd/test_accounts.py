"""The cases in `accounts/*.txt`."""
import pytest
from accounts import ALL, FILES, Play, all_cases, read
from plain_provider import PlainProvider


@pytest.fixture(scope="module")
def providers():
    providers = {name: PlainProvider() for name in ALL}
    yield providers
    for provider in providers.values():
        provider.close()


@pytest.mark.parametrize("case", all_cases(), ids=str)
def test_case(case, make_daemon, providers):
    Play(case, make_daemon, providers).run()


def test_every_number_of_the_reference_is_played_or_has_its_reason():
    numbers = {part for case in all_cases() for part in case.number.split("+")}
    for line in (FILES / "not-applicable.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            span, _, reason = line.partition(" ")
            assert reason.strip(), line
            first, _, last = span.partition("-")
            numbers |= {first} if not last else {str(number) for number in range(int(first), int(last) + 1)}
    wanted = {str(number) for number in range(1, 109)} | set("ABCDEFGHIJKLMNOP")
    assert wanted <= numbers, sorted(wanted - numbers)


def test_no_file_is_without_cases():
    assert all(read(path) for path in FILES.glob("*.txt") if path.stem != "not-applicable")
