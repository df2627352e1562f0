# Read by Benchmarks/run.sh and scripts/check-instructions.sh; bash.

# make_programs DIRECTORY PROGRAM…: those programs as packages ship them, and the clients and controls in C, all in that directory.
# The programs come from POSTERN_BIN_DIR, and those that it does not have from a release build.
make_programs() {
    local into=$1 program source missing=() built=
    shift
    for program in "$@"; do
        [ -x "${POSTERN_BIN_DIR:-/nonexistent}/$program" ] || missing+=("$program")
    done
    if [ ${#missing[@]} != 0 ]; then
        say "building for release: ${missing[*]} …"
        built=$(packaging/build.sh "${missing[@]}")
    fi
    for program in "$@"; do
        # Unstripped, their symbols would count as mapped files.
        if [ -x "${POSTERN_BIN_DIR:-/nonexistent}/$program" ]; then strip -o "$into/$program" "$POSTERN_BIN_DIR/$program"
        else strip -o "$into/$program" "$built/$program"; fi
    done
    for source in Benchmarks/clients/*.c Benchmarks/controls/*.c; do
        gcc -O2 -Wall -Wextra -o "$into/$(basename "$source" .c)" "$source"
    done
}
