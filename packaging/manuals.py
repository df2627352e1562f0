#!/usr/bin/env python3
"""Writes the manuals, each from what it is about, so that none can say anything else.

  packaging/manuals.py --bin-dir DIR --output DIR

The commands' pages come from the programs' own description of their options, io.postern(7) from the interface, and the others from
the documents below docs, wherever they are there: postern.toml(5), postern-helpers(7), postern-mail(7), postern-mcp(7),
postern-providers(7) and postern-relay(7). Messages name these pages, which are found wherever Postern is installed. The date is that of SOURCE_DATE_EPOCH, or today. Python's own library is all that it needs.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import subprocess
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent

ENVIRONMENT = {
    "POSTERN_SOCKET": "The daemon's socket, in place of the one in the runtime directory.",
    "XDG_RUNTIME_DIR": "The user's runtime directory.",
    "XDG_CONFIG_HOME": "Where the configuration's directory is; ~/.config where it is not set.",
    "XDG_STATE_HOME": "Where the directory of the store is; ~/.local/state where it is not set.",
}
FILES = {
    "$XDG_RUNTIME_DIR/postern/io.postern": "The daemon's socket.",
    "$XDG_RUNTIME_DIR/postern-mcp/mcp.sock": "The socket of postern-mcp.socket, see postern-mcp(7).",
    "~/.config/postern/config.toml": "The configuration, see postern.toml(5).",
    "~/.config/postern/config.d/*.toml": "Read after it.",
    "/etc/postern/config.toml": "Of the administrator, with config.d beside it; read before the user's.",
    "/usr/share/postern/providers.d/*.toml": "Providers that packages bring; read first.",
    "~/.local/state/postern/postern.db": "The store. It is encrypted.",
    "/usr/share/doc/postern": "The documents. An installation elsewhere has them in its own share/doc/postern.",
}
DAEMON_STATUS = {
    "0": "It was told to end, or had no work for as long as daemon.idle-exit says.",
    "1": "It cannot serve.",
    "64": "Wrong usage.",
    "78": "The configuration is not taken.",
}
# The pages that the others refer to.
SEE_ALSO = [
    ("postern", "1"), ("postern.toml", "5"), ("io.postern", "7"), ("postern-helpers", "7"), ("postern-mcp", "7"), ("postern-providers", "7"), ("posternd", "8"),
    ("postern-mcp", "8")]
# The documents that are pages. A document's name is that of one file only, apart from decisions about it.
DOCUMENTS = {
    "configuration.md": ("postern.toml", "5", "configuration of posternd"),
    "helpers.md": ("postern-helpers", "7", "tokens for git, docker, kubectl and other programs"),
    "mail.md": ("postern-mail", "7", "tokens for mail programs"),
    "mcp.md": ("postern-mcp", "7", "one sign-in for all MCP clients"),
    "relay.md": ("postern-relay", "7", "a page of one's own that forwards a provider's answer"),
    "providers": ("postern-providers", "7", "how to register at each provider"),
}


# roff

def escaped(text):
    """Escapes characters with a meaning in roff, and those beyond ASCII."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("^", "\\(ha").replace("~", "\\(ti").replace("`", "\\(ga")
    text = text.replace("'", "\\(aq") if text.startswith("'") else text
    return "".join(c if ord(c) < 128 else f"\\[u{ord(c):04X}]" for c in text)


def argument(text):
    """One argument of a macro, in which the name of a macro or a delimiter would be interpreted."""
    text = escaped(text).replace('"', "\\(dq")
    if re.fullmatch(r"[A-Z][a-z]|[.,:;()\[\]?!|]", text):
        text = "\\&" + text
    return f'"{text}"' if " " in text or not text else text


def arguments(text):
    """Several arguments, each protected separately."""
    return " ".join(argument(word) for word in text.split(" "))


def sentences(text):
    """Each sentence begins on a new line of the manual's source."""
    return re.split(r"(?<=[.?!])\)? +(?=[A-Z\"`$(~\[])", text)


def linked(match):
    """A link's text; of one that shows a document's name, the page that the document is."""
    words, target = match[1], match[2].split("#")[0]
    place = pathlib.PurePosixPath(target)
    name = {"providers": "providers", "decisions": None}.get(place.parent.name, place.name)
    page = DOCUMENTS.get(name)
    return f"{page[0]}({page[1]})" if page and words.endswith(".md") else words


def inline(text):
    """Markdown's code, emphasis and links converted to roff; other text unchanged."""
    text = re.sub(r"\[([^\]]*)\]\(([^)]*)\)", linked, text) if "](" in text else text
    text = re.sub(r"<(https?://[^>]*)>", r"\1", text)
    shown, is_bold = [], False
    for part in re.split(r"(`[^`]+`|\*\*|(?<![\w*])\*[^\s*`](?:[^*`]*[^\s*`])?\*(?![\w*]))", text):
        if part == "**":
            is_bold = not is_bold
        elif len(part) > 2 and part[0] == part[-1] and part[0] in "`*":
            shown.append(f"\\f{'B' if part[0] == '`' else 'I'}{escaped(part[1:-1])}\\fP")
        else:
            shown.append(f"\\fB{escaped(part)}\\fP" if is_bold and part else escaped(part))
    return "".join(shown)


def prose(text, markdown=False):
    lines = []
    text = " ".join(text.split())
    if markdown:
        # Each sentence is converted alone.
        text = re.sub(r"\*\*.+?\*\*", lambda bold: re.sub(r"([.?!]) ", r"\1** **", bold[0]), text)
    for sentence in sentences(text):
        sentence = inline(sentence) if markdown else escaped(sentence)
        for line in textwrap.wrap(sentence, 76, break_long_words=False, break_on_hyphens=False):
            lines.append("\\&" + line if line[0] in ".'" else line)
    return lines


def literal(lines):
    shown = [escaped(line) for line in lines]
    return [".Bd -literal -offset indent", *("\\&" + line if line[:1] in (".", "'") else line for line in shown), ".Ed"]


def tagged(items, tag, markdown=False):
    """A list of pairs. The tag is a macro's whole line."""
    lines = [".Bl -tag -width Ds"]
    for name, text in items:
        lines += [f".It {tag(name)}", *prose(text, markdown)]
    return [*lines, ".El"]


class Page:
    def __init__(self, name, section, abstract, date):
        self.name, self.section = name, section
        day = f"{date:%B} {date.day}, {date.year}"
        self.lines = [
            f".Dd {day}", f".Dt {escaped(name.upper())} {section}", ".Os", ".Sh NAME",
            f".Nm {escaped(name)}", f".Nd {escaped(abstract.rstrip('.').strip())}",
        ]

    def heading(self, text, macro="Sh"):
        self.lines.append(f".{macro} {arguments(text)}")

    def paragraphs(self, groups):
        """Several groups of lines; the first has no paragraph space after a heading."""
        for group in groups:
            if not self.lines[-1].startswith((".Sh", ".Ss", ".Bl")) and not group[0].startswith((".Bd", ".Bl")):
                self.lines.append(".Pp")
            self.lines += group

    def see_also(self, references):
        self.heading("SEE ALSO")
        wanted = sorted({r for r in references if r != (self.name, self.section)}, key=lambda r: (r[1], r[0]))
        for position, (name, section) in enumerate(wanted):
            self.lines.append(f".Xr {escaped(name)} {section}" + (" ," if position + 1 < len(wanted) else ""))

    def write(self, directory):
        place = directory / f"man{self.section}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{self.name}.{self.section}").write_text("\n".join(self.lines) + "\n")


# Programs

def described(program):
    shown = subprocess.run([program, "--experimental-dump-help"], check=True, capture_output=True, text=True, timeout=60).stdout
    document = json.loads(shown)
    if document["serializationVersion"] != 0:
        raise SystemExit(f"{program} describes itself in version {document['serializationVersion']}; this script knows 0")
    return document["command"]


def sections(discussion):
    """The text before the first line of capitals, and the text below each such line."""
    found, name = {"": []}, ""
    for line in (discussion or "").splitlines():
        if re.fullmatch(r"[A-Z][A-Z ]+", line):
            name = line
            found[name] = []
        else:
            found[name].append(line)
    return found


def groups(lines):
    """Paragraphs as prose, and indented lines unchanged."""
    for block in re.split(r"\n\s*\n", "\n".join(lines)):
        block = block.strip("\n")
        if not block.strip():
            continue
        if all(line.startswith("  ") for line in block.splitlines()):
            yield literal([line[2:] for line in block.splitlines()])
        else:
            yield prose(block)


def pairs(lines):
    """A table of two columns: `0   done`."""
    return [tuple(line.strip().split(None, 1)) for line in lines if line.strip()]


def visible(command):
    return [a for a in command.get("arguments", []) if a.get("shouldDisplay", True)]


def subcommands(command):
    return [c for c in command.get("subcommands", []) if c.get("shouldDisplay", True) and c["commandName"] != "help"]


def names(option):
    shown = {"short": "Fl {}", "longWithSingleDash": "Fl {}", "long": "Fl \\-{}"}
    return [shown[n["kind"]].format(escaped(n["name"])) for n in option["names"]]


def value(option):
    return f"Ar {argument(option.get('valueName') or 'value')}"


def tag(option):
    if option["kind"] == "positional":
        return value(option) + (" ..." if option["isRepeating"] else "")
    words = names(option)
    if option["kind"] == "option":
        words[-1] += " " + value(option)
    return " , ".join(words)


def text(option):
    words = option.get("abstract", "")
    if not words.endswith((".", ")", "")):
        words += "."
    if option.get("defaultValue") and "(default:" not in words:
        words += f" The default is {option['defaultValue']}."
    return words


def usage(words, command):
    """The lines of a synopsis."""
    lines = [f".Nm {argument(words)}"]
    if subcommands(command) and not own(command):
        return [*lines, ".Ar command", ".Op Ar argument ..."]
    for option in own(command):
        if option["kind"] == "positional":
            word = value(option)
        else:
            preferred = option["preferredName"]
            word = names({"names": [preferred]})[0] + (" " + value(option) if option["kind"] == "option" else "")
        if option["isRepeating"]:
            word += " ..."
        lines.append(f".Op {word}" if option["isOptional"] else f".{word}")
    return lines


def own(command):
    """The options without those that every command has; a group of commands that does nothing itself has none."""
    return [o for o in visible(command) if [n["name"] for n in o.get("names", [])] not in (["version"], ["h", "help"])]


def options(command):
    lines = [".Bl -tag -width Ds"]
    for option in visible(command):
        lines += [f".It {tag(option)}", *prose(text(option))]
    return [*lines, ".El"]


def statuses(page, table):
    page.heading("EXIT STATUS")
    page.lines += tagged([(number, words[0].upper() + words[1:].rstrip(".") + ".") for number, words in table], lambda n: n)


def places(page):
    page.heading("ENVIRONMENT")
    page.lines += tagged(ENVIRONMENT.items(), lambda name: f"Ev {name}")
    page.heading("FILES")
    page.lines += tagged(FILES.items(), lambda name: f"Pa {escaped(name)}")


def below(page, discussion, *, skip=()):
    """The parts of a discussion with their own headings; the examples last, as usual in manuals."""
    for name, lines in sorted(discussion.items(), key=lambda item: item[0] == "EXAMPLES"):
        if name and name not in skip and name != "EXAMPLES":
            page.heading(name)
            page.paragraphs(groups(lines))


def examples(page, discussion):
    if "EXAMPLES" in discussion:
        page.heading("EXAMPLES")
        page.paragraphs(groups(discussion["EXAMPLES"]))


def synopsis(page, words, command):
    page.heading("SYNOPSIS")
    inner = subcommands(command)
    for name, each in ([(words, command)] if own(command) or not inner else []) + [(f"{words} {c['commandName']}", c) for c in inner]:
        page.lines += usage(name, each)


def commands(page, words, command):
    """Its subcommands, and its own options."""
    inner = subcommands(command)
    if inner:
        page.heading("COMMANDS")
        for each in inner:
            page.heading(f"{words} {each['commandName']}", "Ss")
            told = sections(each.get("discussion"))
            page.paragraphs([prose(each["abstract"]), *groups(told[""]), options(each)])
            for name, lines in told.items():
                if name:
                    page.paragraphs([prose(name.capitalize() + ":"), *groups(lines)])
    if own(command) or not inner:
        page.heading("OPTIONS")
        page.lines += options(command)


def command_page(root, command, date):
    """One command of postern; its subcommands are sections of the page."""
    page = Page(f"postern-{command['commandName']}", "1", command["abstract"], date)
    words = f"postern {command['commandName']}"
    synopsis(page, words, command)
    discussion = sections(command.get("discussion"))
    page.heading("DESCRIPTION")
    page.paragraphs(list(groups(discussion[""])) or [prose(command["abstract"])])
    for alias in command.get("aliases", []):
        page.paragraphs([prose(f"postern {alias} is another name for it.")])
    below(page, discussion)
    commands(page, words, command)
    statuses(page, pairs(sections(root["discussion"])["EXIT STATUS"]))
    examples(page, discussion)
    page.see_also(SEE_ALSO)
    return page


def main_page(root, date):
    page = Page("postern", "1", root["abstract"], date)
    page.heading("SYNOPSIS")
    page.lines += usage("postern", root)
    discussion = sections(root["discussion"])
    page.heading("DESCRIPTION")
    page.paragraphs(groups(discussion[""]))
    below(page, discussion, skip=("EXIT STATUS",))
    page.heading("COMMANDS")
    page.lines += [".Bl -tag -width Ds"]
    for each in subcommands(root):
        page.lines += [f".It Xr postern\\-{escaped(each['commandName'])} 1", *prose(each["abstract"])]
    page.lines += [".El"]
    page.heading("OPTIONS")
    page.lines += options(root)
    places(page)
    statuses(page, pairs(discussion["EXIT STATUS"]))
    examples(page, discussion)
    page.see_also(SEE_ALSO + [(f"postern-{c['commandName']}", "1") for c in subcommands(root)])
    return page


def program_page(command, section, date, table=None):
    page = Page(command["commandName"], section, command["abstract"], date)
    words = command["commandName"]
    synopsis(page, words, command)
    discussion = sections(command.get("discussion"))
    page.heading("DESCRIPTION")
    page.paragraphs(list(groups(discussion[""])) or [prose(command["abstract"])])
    below(page, discussion)
    commands(page, words, command)
    if table:
        places(page)
        statuses(page, table.items())
    examples(page, discussion)
    page.see_also(SEE_ALSO)
    return page


# Documents

def document(name):
    """Where it is among the folders of docs."""
    [found] = (path for path in (ROOT / "docs").rglob(name) if path.parent.name != "decisions")
    return found


ITEM = r"(-|\d+\.) +"
# In a paragraph a number at the margin is one of the text's, unless it is 1 (CommonMark).
ITEM_IN_TEXT = r"(-|1\.) +"


def blocks(lines):
    """Paragraphs, code, tables and lists, each as the roff lines of one group; an item of a list has blocks of its own."""
    position, collected = 0, []
    while position < len(lines):
        line = lines[position]
        end = position + 1
        group = None
        if line.startswith("```"):
            end = lines.index("```", position + 1) + 1
            group = literal(lines[position + 1:end - 1])
        elif line.startswith("|"):
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            group = table(lines[position:end])
        elif re.match(ITEM_IN_TEXT if collected else ITEM, line):
            end = end_of_list(lines, position)
            group = items(lines[position:end])
        elif line.strip():
            collected.append(line)
        if collected and (group or not line.strip() or end == len(lines)):
            yield prose(" ".join(collected), markdown=True)
            collected = []
        if group:
            yield group
        position = end


def end_of_list(lines, position):
    """A line at the margin that begins no item ends it."""
    while position < len(lines) and (not lines[position].strip() or lines[position].startswith("  ") or re.match(ITEM, lines[position])):
        position += 1
    return position


def items(lines):
    each = []
    for line in lines:
        begun = re.match(ITEM, line)
        if begun:
            indent = len(begun[0])
            each.append([line[indent:]])
        else:
            each[-1].append(line[min(indent, len(line) - len(line.lstrip())):])
    shown = [".Bl -enum" if lines[0][0].isdigit() else ".Bl -bullet"]
    for item in each:
        shown.append(".It")
        for number, group in enumerate(blocks(item)):
            shown += ([".Pp"] if number and not group[0].startswith((".Bd", ".Bl")) else []) + group
    return [*shown, ".El"]


def parts(lines):
    """The level, the name and the lines of each part that has a heading; before the first one the level is 0."""
    found, is_code = [(0, "", [])], False
    for line in lines:
        is_code ^= line.lstrip().startswith("```")
        if line.startswith("#") and not is_code:
            marks, name = line.split(" ", 1)
            found.append((len(marks), name.replace("`", ""), []))
        else:
            found[-1][2].append(line)
    return found


def document_page(name, date):
    """One document, or all of a folder, each of which is then a section."""
    page = Page(*DOCUMENTS[name], date)
    place = document(name)
    files = sorted(place.glob("*.md")) if place.is_dir() else [place]
    page.heading("DESCRIPTION")
    if place.is_dir():
        page.paragraphs([prose("What to register, and where to put what the provider gives: postern setup PROVIDER leads through it.")])
    for file in files:
        for level, heading, lines in parts(file.read_text().splitlines()):
            depth = level - (0 if place.is_dir() else 1)
            if depth > 0:
                # Names of programs and of the configuration's sections keep their case.
                shown = f"{heading} SECTION" if heading.startswith("[") else heading if heading.islower() or depth > 1 else heading.upper()
                page.heading(shown, "Sh" if depth == 1 else "Ss")
            page.paragraphs(blocks(lines))
    page.heading("FILES")
    # What a page calls a document without a place is there.
    named = [item for item in FILES.items() if "config" in item[0] or "doc" in item[0]]
    page.lines += tagged(named, lambda name: f"Pa {escaped(name)}")
    page.see_also(SEE_ALSO)
    return page


def table(lines):
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))] for line in lines]
    header, items = cells[0], cells[2:]
    pairs = []
    for first, *middle, last in items:
        said = [f"({name}: {cell})" for name, cell in zip(header[1:], middle) if cell]
        last = last.replace("\\|", "|")
        pairs.append((first, f"{last[:1].upper()}{last[1:].rstrip('.')}. {' '.join(said)}".strip()))
    return tagged(pairs, lambda name: inline(name).replace('"', "\\(dq"), markdown=True)


# io.postern(7)

def interface_page(date):
    page = Page("io.postern", "7", "the Varlink interface of posternd", date)
    source = (ROOT / "Sources/PosternInterface/io.postern.varlink").read_text()
    preface, rest = source.split("interface io.postern\n", 1)
    page.heading("DESCRIPTION")
    page.paragraphs([
        prose("The daemon answers calls of this interface on its socket. postern-call(1) makes one from a shell, and varlinkctl(1) does as well."),
        *comments(preface.splitlines())])
    pending, definition = [], []
    for line in rest.splitlines():
        heading = re.fullmatch(r"# -+ (.*?) -+", line)
        if heading:
            # ERRORS is the heading for the errors of C functions.
            page.heading({"ERRORS": "ERROR REPLIES"}.get(heading[1].upper(), heading[1].upper()))
        elif line.startswith("#"):
            pending.append(line)
        elif re.match(r"(type|method|error) ", line) or definition:
            # A second line of a definition is indented, or closes it.
            if re.match(r"(type|method|error) ", line) and definition:
                define(page, pending_of, definition)
                definition = []
            if not definition:
                pending_of, pending = pending, []
            if line.strip():
                definition.append(line)
            else:
                define(page, pending_of, definition)
                definition = []
        if (heading or line.startswith("#")) and definition:
            define(page, pending_of, definition)
            definition = []
    if definition:
        define(page, pending_of, definition)
    page.see_also(SEE_ALSO + [("postern-call", "1")])
    return page


def comments(lines):
    return [prose(block, markdown=True) for block in "\n".join(line.lstrip("#").strip() for line in lines).split("\n\n") if block.strip()]


def define(page, told, lines):
    kind, name = re.match(r"(\w+) (\w+)", lines[0]).groups()
    page.heading(f"{kind} {name}", "Ss")
    page.paragraphs([*comments(told), literal(lines)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin-dir", type=pathlib.Path, required=True, help="where the built programs are")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="where man1, man5, man7 and man8 are written")
    given = parser.parse_args()
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.datetime.now(datetime.timezone.utc)
    date = (datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc) if epoch else now).date()
    root = described(given.bin_dir / "postern")
    pages = [main_page(root, date), *(command_page(root, command, date) for command in subcommands(root))]
    pages.append(program_page(described(given.bin_dir / "posternd"), "8", date, DAEMON_STATUS))
    pages.append(program_page(described(given.bin_dir / "postern-mcp"), "8", date))
    pages.append(program_page(described(given.bin_dir / "postern-demo-provider"), "1", date))
    pages += [interface_page(date), *(document_page(name, date) for name in DOCUMENTS)]
    for page in pages:
        page.write(given.output)


if __name__ == "__main__":
    main()
