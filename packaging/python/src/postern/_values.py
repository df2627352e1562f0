"""Reads the values in a reply. The daemon is another program, so the type of each value is checked."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Optional, TypeVar

from ._errors import MalformedReply

T = TypeVar("T")

#: Takes a value and its position; returns the typed value or raises MalformedReply.
Reader = Callable[[object, str], T]


def wrong(value: object, place: str, expected: str) -> MalformedReply:
    # The value itself may be a secret.
    return MalformedReply(f"{place or 'the reply'} is {type(value).__name__} and not {expected}")


def string(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise wrong(value, place, "a string")
    return value


def integer(value: object, place: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong(value, place, "a whole number")
    return value


def boolean(value: object, place: str) -> bool:
    if not isinstance(value, bool):
        raise wrong(value, place, "true or false")
    return value


def structure(value: object, place: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise wrong(value, place, "an object")
    return value


def record(value: object, place: str) -> Dict[str, Any]:
    return dict(structure(value, place))


def one_of(*words: T) -> Reader[T]:
    def read(value: object, place: str) -> T:
        # The program's own object, not the received one.
        for word in words:
            if word == value:
                return word
        known = ", ".join(str(word) for word in words)
        raise MalformedReply(f"{place} is none of {known}: are daemon and package of the same version?")

    return read


def array(read: Reader[T]) -> Reader[List[T]]:
    def read_all(value: object, place: str) -> List[T]:
        if not isinstance(value, list):
            raise wrong(value, place, "a list")
        return [read(item, f"{place}[{index}]") for index, item in enumerate(value)]

    return read_all


def table(read: Reader[T]) -> Reader[Dict[str, T]]:
    def read_all(value: object, place: str) -> Dict[str, T]:
        return {key: read(item, f"{place}.{key}") for key, item in structure(value, place).items()}

    return read_all


def required(members: Mapping[str, object], name: str, read: Reader[T]) -> T:
    if members.get(name) is None:
        raise MalformedReply(f"{name} is missing")
    return read(members[name], name)


def optional(members: Mapping[str, object], name: str, read: Reader[T]) -> Optional[T]:
    """JSON's null counts as absent."""
    value = members.get(name)
    return None if value is None else read(value, name)


def one(name: str, read: Reader[T]) -> Reader[T]:
    """The one member of a reply."""
    return lambda value, place: required(structure(value, place), name, read)


def maybe_one(name: str, read: Reader[T]) -> Reader[Optional[T]]:
    return lambda value, place: optional(structure(value, place), name, read)


def nothing(value: object, place: str) -> None:
    structure(value, place)


def given(values: Mapping[str, object]) -> Dict[str, object]:
    """Without the values that the caller omitted."""
    return {name: value for name, value in values.items() if value is not None}
