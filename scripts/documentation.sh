#!/usr/bin/env bash
# Writes the documentation of the Swift library as a website; a warning is an error. Needs a debug build.
#   scripts/documentation.sh FOLDER    FOLDER must not be there yet
# FOLDER/graph has the library's public declarations.
. "$(dirname "$0")/common.sh"

folder=${1:?FOLDER is missing}
[ ! -e "$folder" ] || { say "$folder is there already; name a new folder"; exit 2; }
modules=${POSTERN_BIN_DIR:-.build/debug}/Modules
[ -e "$modules/PosternClient.swiftmodule" ] || { say "$modules has no PosternClient; run: swift build --target PosternClient"; exit 2; }

mkdir -p "$folder/graph"
swift-symbolgraph-extract -module-name PosternClient -target "$(uname -m)-unknown-linux-gnu" -I "$modules" \
    -minimum-access-level public -emit-extension-block-symbols -output-dir "$folder/graph"
docc convert Sources/PosternClient/PosternClient.docc --additional-symbol-graph-dir "$folder/graph" \
    --fallback-display-name PosternClient --fallback-bundle-identifier io.postern.PosternClient \
    --warnings-as-errors --output-path "$folder/site"
