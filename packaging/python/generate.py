#!/usr/bin/env python3
"""Writes src/postern/_interface.py and _methods.py from the description of the interface, io.postern.varlink.

usage: generate.py [--check]

Its output is kept in the tree, like the Swift code from postern-interface-generator. With --check nothing is written, and the exit
status is 1 if the tree differs. Only this script reads the description: the package itself needs neither.
"""

from __future__ import annotations

import dataclasses
import keyword
import pathlib
import re
import sys
import textwrap

PACKAGE = pathlib.Path(__file__).resolve().parent
DESCRIPTION = PACKAGE.parent.parent / "Sources" / "PosternInterface" / "io.postern.varlink"
OUTPUT = PACKAGE / "src" / "postern"
HEADER = '"""Generated from io.postern.varlink: change that, then run packaging/python/generate.py."""\n'

# The sign-in that waits for its end has the shorter name.
NAMES = {"SignIn": "sign_in_events"}


class Mistake(Exception):
    """Something in the description that this script cannot translate to Python."""


# ---- The description --------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Type:
    """`kind` is a basic type, a name, `enum`, `array`, `map` or `optional`."""

    kind: str
    element: Type | None = None
    words: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Member:
    name: str
    type: Type
    comment: tuple[str, ...]
    secret: bool

    @property
    def python_name(self) -> str:
        return snake(self.name)

    @property
    def optional(self) -> bool:
        return self.type.kind == "optional"

    @property
    def bare(self) -> Type:
        return self.type.element if self.optional and self.type.element else self.type


@dataclasses.dataclass(frozen=True)
class Definition:
    kind: str
    name: str
    comment: tuple[str, ...]
    members: tuple[Member, ...] = ()
    reply: tuple[Member, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def streams(self) -> bool:
        return any(line.startswith(("With `more`:", "With `more` only:")) for line in self.comment)


TOKEN = re.compile(
    r"(?P<gap>[ \t]+)|(?P<line>\n)|#(?P<comment>[^\n]*)|(?P<sign>->|\[\]|\[string\]|[?(),:])|(?P<word>[A-Za-z][A-Za-z0-9_.]*)"
)


class Reader:
    """Parses Varlink's interface definition language, as far as io.postern uses it."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, tuple[str, ...]]] = []
        comment: list[str] = []
        place, empty = 0, True
        while place < len(text):
            found = TOKEN.match(text, place)
            if found is None:
                raise Mistake(f"cannot read {text[place : place + 30]!r}")
            place = found.end()
            if found["comment"] is not None:
                comment.append(found["comment"].strip())
            elif found["line"] is not None:
                # A comment followed by an empty line belongs to nothing.
                if empty:
                    comment.clear()
                empty = True
                continue
            elif found["gap"] is not None:
                continue
            else:
                self.tokens.append((found["sign"] or found["word"], tuple(comment)))
                comment.clear()
            empty = False
        self.place = 0

    def peek(self) -> str | None:
        return self.tokens[self.place][0] if self.place < len(self.tokens) else None

    def take(self, expected: str | None = None) -> str:
        token = self.peek()
        if token is None or expected not in (None, token):
            raise Mistake(f"{expected or 'a word'} is missing before {token!r}")
        self.place += 1
        return token

    def comment(self) -> tuple[str, ...]:
        return self.tokens[self.place][1]

    def definitions(self) -> list[Definition]:
        self.take("interface")
        self.take()
        found = []
        while self.peek() is not None:
            comment, kind = self.comment(), self.take()
            name, secrets = self.take(), secret_names(comment)
            words: tuple[str, ...] = ()
            members: tuple[Member, ...] = ()
            reply: tuple[Member, ...] = ()
            if kind == "type" and self.is_enum():
                words = self.words()
            elif kind in ("type", "error"):
                members = self.members(secrets)
            elif kind == "method":
                members = self.members(secrets)
                self.take("->")
                reply = self.members(secrets)
            else:
                raise Mistake(f"{kind} is no type, method or error")
            strangers = secrets - {member.name for member in members + reply}
            if strangers:
                raise Mistake(f"{name} has no member {', '.join(sorted(strangers))}, which its comment calls secret")
            found.append(Definition(kind, name, comment, members, reply, words))
        return found

    def is_enum(self) -> bool:
        """At a parenthesis: whether the names that follow have no types."""
        return self.tokens[self.place + 2][0] in (",", ")") and self.tokens[self.place + 1][0] != ")"

    def words(self) -> tuple[str, ...]:
        self.take("(")
        words = [self.take()]
        while self.peek() == ",":
            self.take()
            words.append(self.take())
        self.take(")")
        return tuple(words)

    def members(self, secrets: set[str]) -> tuple[Member, ...]:
        self.take("(")
        members: list[Member] = []
        while self.peek() != ")":
            if members:
                self.take(",")
            comment, name = self.comment(), self.take()
            self.take(":")
            members.append(Member(name, self.type(), comment, name in secrets))
        self.take(")")
        return tuple(members)

    def type(self) -> Type:
        prefix = {"?": "optional", "[]": "array", "[string]": "map"}.get(self.peek() or "")
        if prefix:
            self.take()
            return Type(prefix, self.type())
        if self.peek() == "(":
            if not self.is_enum():
                raise Mistake("a structure without a name has no class in Python: give it a name")
            return Type("enum", words=self.words())
        return Type(self.take())


def secret_names(comment: tuple[str, ...]) -> set[str]:
    """Reads the mark as the Swift generator does: a list that a full stop ends."""
    found = re.search(r"(?:^|\n)Secret: ([^.]*)\.", "\n".join(comment))
    return set(re.split(r",\s*", found[1])) if found else set()


# ---- Python -----------------------------------------------------------------


def snake(name: str) -> str:
    """`providerIDs` → `provider_ids`, `GetIDToken` → `get_id_token`."""
    name = re.sub(r"([A-Z]{2,})s(?![a-z])", lambda found: found[1].capitalize() + "s", name)
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    return name + "_" if keyword.iskeyword(name) else name


BASIC = {"string": ("str", "string"), "int": ("int", "integer"), "bool": ("bool", "boolean"), "object": ("Dict[str, Any]", "record")}


def annotation(kind: Type) -> str:
    if kind.kind in BASIC:
        return BASIC[kind.kind][0]
    if kind.kind == "enum":
        return f"Literal[{', '.join(quoted(word) for word in kind.words)}]"
    if kind.element is None:
        return kind.kind
    element = annotation(kind.element)
    return {"optional": f"Optional[{element}]", "array": f"List[{element}]", "map": f"Dict[str, {element}]"}[kind.kind]


def decoder(kind: Type, enums: set[str]) -> str:
    if kind.kind in BASIC:
        return BASIC[kind.kind][1]
    if kind.kind == "enum":
        return f"one_of({', '.join(quoted(word) for word in kind.words)})"
    if kind.kind == "array" and kind.element:
        return f"array({decoder(kind.element, enums)})"
    if kind.kind == "map" and kind.element:
        return f"table({decoder(kind.element, enums)})"
    return f"read_{snake(kind.kind)}" if kind.kind in enums else f"{kind.kind}._read"


def reading(member: Member, enums: set[str]) -> str:
    how = "optional" if member.optional else "required"
    return f"{how}(members, {quoted(member.name)}, {decoder(member.bare, enums)})"


def quoted(text: str) -> str:
    return f'"{text}"'


def spoken(comment: tuple[str, ...]) -> str:
    """The comment for Python: without the marks, with Python's names."""
    lines: list[str] = []
    inside = False
    for line in comment:
        if inside or line.startswith(("Secret:", "Needs:")):
            inside = not line.endswith(".")
        else:
            lines.append(line)
    text = " ".join(lines)
    text = text.replace("With `more` only: what", "What").replace("With `more`: an", "An").replace(" Without: only the last.", "")
    text = re.sub(r"`([a-z][A-Za-z]*)`", lambda found: f"`{snake(found[1])}`", text)
    return text.replace("which needs `more` to learn the URL", "which learns the URL from the first event")


def documentation(text: str, indent: str) -> list[str]:
    if not text:
        return []
    lines = textwrap.wrap(f'"""{text}"""', 120 - len(indent), break_long_words=False, break_on_hyphens=False)
    if len(lines) > 1:
        lines = textwrap.wrap(f'"""{text}', 120 - len(indent), break_long_words=False, break_on_hyphens=False) + ['"""']
    return [indent + line for line in lines]


def wrapped(head: str, parts: list[str], tail: str, indent: str) -> list[str]:
    """`head`, the parts separated by commas, and `tail`: on one line, or with each part on its own."""
    line = f"{indent}{head}{', '.join(parts)}{tail}"
    return [line] if len(line) <= 120 else [f"{indent}{head}", *(f"{indent}    {part}," for part in parts), f"{indent}{tail}"]


def imports(module: str, names: set[str], text: str) -> list[str]:
    used = sorted(name for name in names if re.search(rf"\b{name}\b", text))
    line = f"from {module} import {', '.join(used)}"
    return [line] if len(line) <= 120 else [f"from {module} import (", *(f"    {name}," for name in used), ")"]


class Writer:
    def __init__(self, definitions: list[Definition]) -> None:
        self.definitions = definitions
        self.enums = {each.name for each in definitions if each.kind == "type" and each.words}
        self.sent = self.reachable([member.type for each in definitions if each.kind == "method" for member in each.members])

    def reachable(self, types: list[Type]) -> set[str]:
        """The structures that callers send: only these are written as JSON."""
        structures = {each.name: each for each in self.definitions if each.kind == "type" and not each.words}
        found: set[str] = set()
        while types:
            kind = types.pop()
            if kind.element:
                types.append(kind.element)
            elif kind.kind in structures and kind.kind not in found:
                found.add(kind.kind)
                types += [member.type for member in structures[kind.kind].members]
        return found

    # -- types and errors --

    def interface(self) -> str:
        body: list[str] = []
        names: list[str] = []
        for each in self.definitions:
            if each.kind == "type" and each.words:
                body += self.enum(each)
                names.append(each.name)
            elif each.kind == "type":
                body += self.structure(each.name, spoken(each.comment), each.members)
                names.append(each.name)
            elif each.kind == "method" and len(each.reply) > 1:
                body += self.structure(f"{each.name}Reply", f"What `{each.name}` answers.", each.reply)
                names.append(f"{each.name}Reply")
            elif each.kind == "error":
                body += self.error(each)
                names.append(each.name)
        errors = [each.name for each in self.definitions if each.kind == "error"]
        body += ["", "", "#: The errors of the interface, by the names that the wire has for them."]
        body += ["ERRORS: Dict[str, Type[ReplyError]] = {", *(f'    "io.postern.{name}": {name},' for name in errors), "}"]
        body += ["", "__all__ = [", *(f'    "{name}",' for name in sorted(names)), "]"]
        text = "\n".join(body)
        typing = {"Any", "Dict", "List", "Literal", "Mapping", "Optional", "Type"}
        values = {"array", "boolean", "integer", "one_of", "optional", "record", "required", "string", "structure", "table", "given"}
        head = [
            HEADER + "\nfrom __future__ import annotations\n",
            "from dataclasses import dataclass, field",
            *imports("typing", typing, text),
            "",
        ]
        return "\n".join([*head, "from ._errors import ReplyError", *imports("._values", values, text), text]) + "\n"

    def enum(self, each: Definition) -> list[str]:
        words = ", ".join(quoted(word) for word in each.words)
        comment = [f"#: {line}" for line in textwrap.wrap(spoken(each.comment), 110)]
        return [
            "",
            "",
            *comment,
            f"{each.name} = Literal[{words}]",
            "",
            "",
            f"def read_{snake(each.name)}(value: object, place: str) -> {each.name}:",
            f"    words: List[{each.name}] = [{words}]",
            "    return one_of(*words)(value, place)",
        ]

    def structure(self, name: str, text: str, members: tuple[Member, ...]) -> list[str]:
        lines = ["", "", "@dataclass(frozen=True)", f"class {name}:", *documentation(text, "    "), ""]
        # Optional members have a default, so they come last.
        for member in sorted(members, key=lambda member: member.optional):
            lines += [f"    #: {line}" for line in textwrap.wrap(spoken(member.comment), 110)]
            settings = (["default=None"] if member.optional else []) + (["repr=False"] if member.secret else [])
            value = " = None" if settings == ["default=None"] else f" = field({', '.join(settings)})" if settings else ""
            lines.append(f"    {member.python_name}: {annotation(member.type)}{value}")
        lines += [
            "",
            "    @classmethod",
            f"    def _read(cls, value: object, place: str) -> {name}:",
            "        members = structure(value, place)",
            "        return cls(",
        ]
        lines += [f"            {member.python_name}={reading(member, self.enums)}," for member in members] + ["        )"]
        if name in self.sent:
            lines += ["", "    def _json(self) -> Dict[str, object]:", "        return given(", "            {"]
            lines += [f'                "{member.name}": {self.encoded(member, "self.")},' for member in members] + [
                "            }",
                "        )",
            ]
        return lines

    def encoded(self, member: Member, prefix: str = "") -> str:
        """The expression that converts a parameter to JSON."""
        name = prefix + member.python_name
        kind = member.bare
        element = kind.element if kind.kind == "array" else None
        if element and element.kind in self.sent:
            text = f"[item._json() for item in {name}]"
        elif kind.kind in self.sent:
            text = f"{name}._json()"
        else:
            return name
        return f"None if {name} is None else {text}" if member.optional else text

    def error(self, each: Definition) -> list[str]:
        own = [member for member in each.members if member.name not in ("code", "message")]
        lines = [
            "",
            "",
            f"class {each.name}(ReplyError):",
            *(documentation(spoken(each.comment), "    ") or [f'    """`{each.name}` of the interface."""']),
        ]
        lines += ["", f'    error_name = "io.postern.{each.name}"']
        lines += [f"    {member.python_name}: {annotation(member.type)}" for member in own]
        if own:
            lines += ["", "    def _take(self, members: Mapping[str, object]) -> None:"]
            lines += [f"        self.{member.python_name} = {reading(member, self.enums)}" for member in own]
        return lines

    # -- methods --

    def methods(self) -> str:
        methods = [each for each in self.definitions if each.kind == "method"]
        body: list[str] = []
        for prefix, replies, call in (("", "Replies", "def"), ("Async", "AsyncReplies", "async def")):
            kind = "the answers as an iterator" if not prefix else "coroutines, and answers as an asynchronous iterator"
            body += [
                "",
                "",
                f"class {prefix}Methods:",
                f'    """The methods of the interface: {kind}. The parameter `app` is the client\'s own.',
                "",
                "    Of an answer with one member, that is returned.",
                '    """',
                "",
                "    app: str",
                "",
                f"    {call} _call(self, method: str, parameters: Mapping[str, object], read: Reader[T]) -> T:",
                "        raise NotImplementedError",
                "",
                f"    def _stream(self, method: str, parameters: Mapping[str, object], read: Reader[T]) -> {replies}[T]:",
                "        raise NotImplementedError",
            ]
            for each in methods:
                body += self.method(each, prefix, replies)
        text = "\n".join(body)
        types = {each.name for each in self.definitions if each.kind == "type"}
        types |= {f"{each.name}Reply" for each in methods if len(each.reply) > 1} | {f"read_{snake(name)}" for name in self.enums}
        typing = {"Any", "Dict", "List", "Literal", "Mapping", "Optional", "TypeVar"}
        values = {"Reader", "array", "boolean", "given", "integer", "maybe_one", "nothing", "one", "string", "table"}
        head = [HEADER + "\nfrom __future__ import annotations\n", *imports("typing", typing, text + " TypeVar"), ""]
        head += [
            "from ._aio import AsyncReplies",
            "from ._connection import Replies",
            *imports("._interface", types, text),
            *imports("._values", values, text),
        ]
        return "\n".join([*head, "", 'T = TypeVar("T")', text]) + "\n"

    def method(self, each: Definition, prefix: str, replies: str) -> list[str]:
        asked = [member for member in each.members if member.name != "app"]
        needed = [f"{member.python_name}: {annotation(member.type)}" for member in asked if not member.optional]
        may = [f"{member.python_name}: {annotation(member.type)} = None" for member in asked if member.optional]
        parameters = ["self", *needed, *(["*", *may] if may else [])]
        result, read = self.result(each)
        # What is kept for the person concerns no app.
        app = 'None if intent == "keep" else self.app' if any(member.name == "intent" for member in asked) else "self.app"
        sent = [f'"{member.name}": {app if member.name == "app" else self.encoded(member)}' for member in each.members]
        head = "async def" if prefix and not each.streams else "def"
        returned = f"{replies}[{result}]" if each.streams else result
        lines = ["", *wrapped(f"{head} {NAMES.get(each.name, snake(each.name))}(", parameters, f") -> {returned}:", "    ")]
        lines += documentation(spoken(each.comment), "        ")
        call = "self._stream(" if each.streams else "await self._call(" if prefix else "self._call("
        values = wrapped("given({", sent, "})", "") if sent else ["{}"]
        first = f'        {"" if result == "None" else "return "}{call}"{each.name}", '
        if len(values) == 1 and len(first + values[0] + read) < 119:
            return [*lines, f"{first}{values[0]}, {read})"]
        parts = [
            f'            "{each.name}",',
            "            given(",
            "                {",
            *(f"                    {part}," for part in sent),
            "                }",
            "            ),",
            f"            {read},",
        ]
        return [*lines, first.split('"')[0].rstrip(), *parts, "        )"]

    def result(self, each: Definition) -> tuple[str, str]:
        """The type that a call returns, and the reader for it."""
        if not each.reply:
            return "None", "nothing"
        if len(each.reply) > 1:
            return f"{each.name}Reply", f"{each.name}Reply._read"
        member = each.reply[0]
        how = "maybe_one" if member.optional else "one"
        return annotation(member.type), f'{how}("{member.name}", {decoder(member.bare, self.enums)})'


def files(description: str) -> dict[str, str]:
    """The generated modules, by name."""
    writer = Writer(Reader(description).definitions())
    return {"_interface.py": writer.interface(), "_methods.py": writer.methods()}


def main() -> int:
    different = 0
    for name, text in files(DESCRIPTION.read_text()).items():
        file = OUTPUT / name
        if "--check" in sys.argv[1:]:
            if not file.exists() or file.read_text() != text:
                print(f"{file} is not what the description makes of it: run {__file__}", file=sys.stderr)
                different = 1
        else:
            file.write_text(text)
    return different


if __name__ == "__main__":
    sys.exit(main())
