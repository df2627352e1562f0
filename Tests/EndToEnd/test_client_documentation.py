"""The documentation of the Swift library: it is complete, and is built without a warning."""
import json
import os
import shutil
import subprocess

import pytest
from postern import BIN, ROOT


pytestmark = pytest.mark.release


@pytest.fixture(scope="module")
def documentation(tmp_path_factory):
    if shutil.which("docc") is None:
        pytest.skip("needs docc")
    folder = tmp_path_factory.mktemp("documentation") / "new"
    done = subprocess.run(
        [str(ROOT / "scripts" / "documentation.sh"), str(folder)], env={**os.environ, "POSTERN_BIN_DIR": str(BIN)}, capture_output=True, text=True,
        timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def symbols(folder):
    for path in (folder / "graph").glob("*.symbols.json"):
        yield from json.loads(path.read_text())["symbols"]


def test_every_public_declaration_is_documented(documentation):
    found = {".".join(symbol["pathComponents"]): symbol for symbol in symbols(documentation) if symbol["kind"]["identifier"] != "swift.extension"}
    assert {"PosternClient.signIn(with:options:)", "PosternError.refused(_:)", "User"} <= set(found)
    missing = [name for name, symbol in found.items() if not any(line["text"].strip() for line in symbol.get("docComment", {}).get("lines", []))]
    assert missing == []


def test_the_landing_page_lists_every_type_of_the_library(documentation):
    page = json.loads((documentation / "site" / "data" / "documentation" / "posternclient.json").read_text())
    titles = [section["title"] for section in page["topicSections"]]
    # Of what no group has, docc makes groups by kind.
    assert not {"Classes", "Structures", "Enumerations", "Type Aliases", "Articles"} & set(titles), titles
