#!/usr/bin/env python3
"""Counts what docs/inside/decisions/layout.md gives figures of: lines of code, and which folders of a module use which.

  scripts/count-structure.py            prints the figures
  scripts/count-structure.py --arrows   prints the arrows between the folders too, with the types that they come from
  scripts/count-structure.py --check    ends with 1, and says why, if a room uses one that it must not, or a class takes too many parts

A folder directly below a module is a room. A room uses another one if the name of a type that is declared at the top level of the other one
stands in its code. Comments and strings are left out; what is interpolated into a string is code.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = ROOT / "Sources"

# The rooms of each module that has any, and which others each may use. A folder that is not named here is an error.
ROOMS = {
    "PosternCore": {
        "Values": "",
        "Providers": "Values",
        "Tokens": "Values Providers",
        "Accounts": "Values Providers Tokens",
        "SignIn": "Values Providers Tokens Accounts",
    },
    "PosternApplication": {
        "Ground": "",
        "Providers": "Ground",
        "Tokens": "Ground Providers",
        "Accounts": "Ground Providers",
        "SignIn": "Ground Providers Tokens Accounts",
        "Service": "Ground Providers Tokens Accounts SignIn",
    },
    "PosternStore": {
        "Files": "",
        "Database": "Files",
        "Sealing": "Files Database",
        "Key": "Files Database Sealing",
        "Providers": "Files Database Sealing",
        "Tokens": "Files Database Sealing Providers",
        "Accounts": "Files Database Sealing Providers Tokens",
        "SignIn": "Files Database Sealing Providers Tokens Accounts",
    },
    "postern": {
        "Ground": "",
        "SignIn": "Ground",
        "Tokens": "Ground SignIn",
        "Daemon": "Ground SignIn Tokens",
        "Configuration": "Ground SignIn Tokens Daemon",
        "Accounts": "Ground SignIn Tokens Daemon Configuration",
        "Trial": "Ground SignIn Tokens Daemon Configuration Accounts",
    },
}


def code(text):
    """The text with comments and the characters of strings as blanks; lines stay where they are."""
    found, place, end = [], 0, len(text)

    def blank(upto):
        nonlocal place
        found.append(re.sub(r"[^\n]", " ", text[place:upto]))
        place = upto

    def string():
        nonlocal place
        hashes = re.match("#*", text[place:]).group()
        quotes = '"""' if text.startswith('"""', place + len(hashes)) else '"'
        closing, escape = quotes + hashes, "\\" + hashes
        blank(place + len(hashes) + len(quotes))
        while place < end:
            if text.startswith(closing, place):
                return blank(place + len(closing))
            if text.startswith(escape + "(", place):
                blank(place + len(escape))
                parentheses()
            elif text.startswith(escape, place):
                blank(min(end, place + len(escape) + 1))
            else:
                blank(place + 1)

    def parentheses():
        nonlocal place
        depth = 0
        while place < end:
            if not step():
                depth += (text[place] == "(") - (text[place] == ")")
                found.append(text[place])
                place += 1
                if depth == 0:
                    return

    def step():
        """Whether a comment or a string began here, and was read."""
        if text.startswith("//", place):
            line = text.find("\n", place)
            blank(end if line < 0 else line)
        elif text.startswith("/*", place):
            depth, here = 0, place
            while here < end:
                if text.startswith("/*", here):
                    depth, here = depth + 1, here + 2
                elif text.startswith("*/", here):
                    depth, here = depth - 1, here + 2
                    if depth == 0:
                        break
                else:
                    here += 1
            blank(here)
        elif re.match('#*"', text[place:place + 8]):
            string()
        else:
            return False
        return True

    while place < end:
        if not step():
            found.append(text[place])
            place += 1
    return "".join(found)


DECLARATION = re.compile(r"\b(?:struct|class|enum|actor|protocol|typealias)\s+([A-Z]\w*)")
HIDDEN = re.compile(r"\b(?:private|fileprivate)\b[^\n{]*$")


def declared(text):
    """The types at the top level of a file that other files can name."""
    names, depth, line = set(), 0, ""
    for row in text.split("\n"):
        if depth == 0:
            for match in DECLARATION.finditer(row):
                if not HIDDEN.search(row[:match.start()]):
                    names.add(match[1])
        depth += row.count("{") - row.count("}")
    return names


def nested(text):
    """The types below the top level of a file; within their room, such a name means them."""
    return set(match[1] for match in DECLARATION.finditer(text)) - declared(text)


MOST_PARTS = 7
TYPE_OR_INIT = re.compile(r"[{}]|\b(class|actor|struct|enum|extension|protocol)\s+(?!func\b|var\b|let\b)(\w+)|(?<![.\w])init\s*[?]?\s*[(]")


def parts_of_classes(text):
    """The classes and actors of a file, and how many parameters each of their initialisers has."""
    stack, coming = [], None
    for match in TYPE_OR_INIT.finditer(text):
        if match[0] == "{":
            stack.append(coming)
            coming = None
        elif match[0] == "}":
            if stack:
                stack.pop()
        elif match[1]:
            coming = match.group(1, 2)
        elif stack and stack[-1] and stack[-1][0] in ("class", "actor"):
            depth, count, here = 1, 0, match.end()
            while depth and here < len(text):
                depth += (text[here] in "([") - (text[here] in ")]")
                count += depth == 1 and text[here] == ":"
                here += 1
            yield stack[-1][1], count


class Module:
    def __init__(self, folder):
        self.name = folder.name
        self.texts = {path: code(path.read_text()) for path in sorted(folder.rglob("*.swift"))}
        self.room = {path: self._room(folder, path) for path in self.texts}
        home = {}
        for path, text in self.texts.items():
            for name in declared(text):
                home.setdefault(name, set()).add(self.room[path])
        own = {}
        for path, text in self.texts.items():
            own.setdefault(self.room[path], set()).update(nested(text))
        self.arrows = {}
        for path, text in self.texts.items():
            here = self.room[path]
            # What stands behind a full stop is a member of something else: Interface.SignIn.
            for word in set(re.findall(r"(?<![.\w])[A-Z]\w*", text)) - own.get(here, set()):
                rooms = home.get(word, set())
                # A name that several rooms declare says nothing.
                if here and len(rooms) == 1 and (there := next(iter(rooms))) and there != here:
                    self.arrows.setdefault((here, there), {}).setdefault(word, set()).add(path.name)

    @staticmethod
    def _room(folder, path):
        """Empty for a file directly in the module: it joins the rooms."""
        parts = path.relative_to(folder).parts
        return parts[0] if len(parts) > 1 else ""

    @property
    def rooms(self):
        return sorted(set(self.room.values()) - {""})

    @property
    def mutual(self):
        return sorted((a, b) for a, b in self.arrows if a < b and (b, a) in self.arrows)

    @property
    def lines(self):
        return sum(1 for text in self.texts.values() for line in text.split("\n") if line.strip())

    @property
    def parts(self):
        """Every initialiser of a class."""
        return [(name, count) for text in self.texts.values() for name, count in parts_of_classes(text)]

    def problems(self):
        allowed = ROOMS.get(self.name)
        found = [f"{self.name}: {name} takes {count} parts; at most {MOST_PARTS}" for name, count in self.parts if count > MOST_PARTS]
        if allowed is None:
            return found + [f"{self.name}: {a} and {b} need each other" for a, b in self.mutual]
        found += [f"{self.name}/{room} is no room that this script knows" for room in self.rooms if room not in allowed]
        found += [f"{self.name}/{room} is not there" for room in allowed if room not in self.rooms]
        for (here, there), names in sorted(self.arrows.items()):
            if here in allowed and there not in allowed[here].split():
                found += [
                    f"{self.name}/{here} must not use {there}: {name} in {', '.join(sorted(files))}" for name, files in sorted(names.items())]
        return found


def main():
    options = set(sys.argv[1:])
    if options - {"--check", "--arrows"}:
        sys.exit(__doc__)
    modules = [Module(folder) for folder in sorted(SOURCES.iterdir()) if any(folder.rglob("*.swift"))]
    if "--check" in options:
        problems = [problem for module in modules for problem in module.problems()]
        print("\n".join(problems), end="\n" if problems else "")
        sys.exit(1 if problems else 0)
    print(f"{'module':32} files  lines of code  rooms  arrows  mutual pairs")
    for module in modules:
        print(f"{module.name:32} {len(module.texts):5}  {module.lines:13}  {len(module.rooms):5}  {len(module.arrows):6}  {len(module.mutual):12}")
        if "--arrows" in options:
            for (here, there), names in sorted(module.arrows.items()):
                mark = "<->" if (there, here) in module.arrows else "-->"
                print(f"    {here} {mark} {there}: " + ", ".join(f"{name} ({len(files)})" for name, files in sorted(names.items())))
    print(f"the most parts that a class takes: {max(count for module in modules for _, count in module.parts)}")
    print(f"{'all':32} {sum(len(module.texts) for module in modules):5}  {sum(module.lines for module in modules):13}")


main()
