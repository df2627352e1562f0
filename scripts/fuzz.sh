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

fuzz() {
    local target=$1 module objects=()
    for module in "${modules[@]}"; do objects+=("$out/$module.o"); done
    # The function has the file's name, as Swift writes it: signed-answer is signedAnswer.
    cat >"$out/entry-$target.swift" <<END
@_cdecl("LLVMFuzzerTestOneInput")
public func entry(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Fuzz.$(sed 's/-\(.\)/\U\1/g' <<<"$target")(Array(UnsafeRawBufferPointer(start: start, count: count)))
    return 0
}
END
    swiftc "${flags[@]}" -module-name FuzzTarget Fuzz/Fuzz.swift "Fuzz/Targets/$target.swift" "$out/entry-$target.swift" "${objects[@]}" \
        -o "$out/fuzz-$target"
    mkdir -p "$out/corpus-$target"
    # New inputs are written to the first folder, so that the seeds do not change.
    if "$out/fuzz-$target" -max_total_time="$seconds" -max_len=16384 -timeout=5 -rss_limit_mb=1024 -print_final_stats=1 \
        -artifact_prefix="$out/$target-" "$out/corpus-$target" "Fuzz/corpus/$target" >"$out/$target.log" 2>&1; then
        say "fuzz $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$target.log") inputs in $seconds s, nothing found"
    else
        tail -n 30 "$out/$target.log" >&2
        say "fuzz $target: found something; the input is in $out/$target-*"
        return 1
    fi
}
targets=("${1:-all}")
[ "${targets[0]}" = all ] && mapfile -t targets < <(cd Fuzz/Targets && ls ./*.swift | sed 's#./##; s#\.swift$##')
# As many at a time as there are processors.
status=0 jobs=()
for target in "${targets[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
    fuzz "$target" &
    jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job" || status=1; done
exit "$status"
