#!/usr/bin/env bash
# Fuzzes the parsers of external input, with libFuzzer and the seeds in Fuzz/corpus.
#   scripts/fuzz.sh                     every target for 20 s
#   scripts/fuzz.sh all SECONDS         every target for that long
#   scripts/fuzz.sh json 3600           one target, for an hour; findings are in .build-fuzz/
. "$(dirname "$0")/common.sh"

need_swift
need_packages build
out=.build-fuzz
seconds=${2:-20}
mkdir -p "$out"
flags=(-O -package-name postern -parse-as-library -sanitize=fuzzer -I "$out")

# The parsers are plain Swift: each module is built with instrumentation, in the order of the dependencies.
modules=(StrictJSON TOML Secrets PosternValues PosternCore Varlink BridgeCore)
for module in "${modules[@]}"; do
    mapfile -d '' sources < <(find "Sources/$module" -name '*.swift' -print0 | sort -z)
    if [ ! -e "$out/$module.o" ] || [ -n "$(find "Sources/$module" scripts/fuzz.sh -newer "$out/$module.o" -print -quit)" ]; then
        swiftc "${flags[@]}" -wmo -module-name "$module" -emit-module -emit-module-path "$out/$module.swiftmodule" \
            -c "${sources[@]}" -o "$out/$module.o"
    fi
done

targets=("${1:-all}")
[ "${targets[0]}" = all ] && mapfile -t targets < <(cd Fuzz && ls ./*.swift | sed 's#./##; s#\.swift$##')
failed=0
for target in "${targets[@]}"; do
    objects=()
    for module in "${modules[@]}"; do objects+=("$out/$module.o"); done
    swiftc "${flags[@]}" -module-name Fuzz "Fuzz/$target.swift" "${objects[@]}" -o "$out/fuzz-$target"
    mkdir -p "$out/corpus-$target"
    # New inputs are written to the first folder, so that the seeds do not change.
    if "$out/fuzz-$target" -max_total_time="$seconds" -max_len=16384 -timeout=5 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$out/$target-" "$out/corpus-$target" "Fuzz/corpus/$target" >"$out/$target.log" 2>&1; then
        say "fuzz $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$target.log") inputs in $seconds s, nothing found"
    else
        tail -n 30 "$out/$target.log" >&2
        say "fuzz $target: found something; the input is in $out/$target-*"
        failed=1
    fi
done
exit "$failed"
