#!/usr/bin/env python3
"""Adds up JUnit result files; prints 'N passed, N failed, N skipped' and fails if one failed or none ran."""
import pathlib
import sys
import xml.etree.ElementTree as tree

passed = failed = skipped = 0
for path in sys.argv[1:]:
    try:
        cases = tree.parse(path).getroot().iter("testcase")
    except tree.ParseError:
        # Tests that crash leave half a file.
        print(f"{pathlib.Path(path).stem} did not come to its end: counted as one that failed")
        failed += 1
        continue
    for case in cases:
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed or not passed else 0)
