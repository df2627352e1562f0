#!/usr/bin/env python3
"""Adds up JUnit result files; prints 'N passed, N failed, N skipped' and fails if one failed or none ran."""
import sys
import xml.etree.ElementTree as tree

passed = failed = skipped = 0
for path in sys.argv[1:]:
    for case in tree.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None:
            skipped += 1
        else:
            passed += 1
print(f"{passed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed or not passed else 0)
