# Sentences that hold or do not, for check-static.sh and check-packages.sh, which source this file.

cases=
failed=0

# holds SENTENCE COMMAND…: a test, which fails with the command's output.
holds() {
    local sentence=$1 said
    shift
    if said=$("$@" 2>&1); then
        say "ok: $sentence"
        cases+="<testcase classname=\"check\" name=\"$sentence\"/>"
    else
        say "NOT OK: $sentence: $said"
        said=$(sed 's/&/\&amp;/g; s/</\&lt;/g; s/"/\&quot;/g' <<<"$said")
        cases+="<testcase classname=\"check\" name=\"$sentence\"><failure message=\"$said\"/></testcase>"
        failed=1
    fi
}

# skipped SENTENCE REASON
skipped() { cases+="<testcase classname=\"check\" name=\"$1\"><skipped message=\"$2\"/></testcase>"; }

# write_results SUITE FILE: as JUnit XML; nothing if no file is named.
write_results() {
    if [ -z "$2" ]; then return 0; fi
    printf '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites><testsuite name="%s">%s</testsuite></testsuites>\n' "$1" "$cases" >"$2"
}
