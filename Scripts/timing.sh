# Source this file. `timed NAME COMMAND…` runs a step and ends the script if it fails; print_timings prints the seconds of every step.
timings=()
timed() {
    local name=$1 start=$SECONDS code=0
    shift
    echo "== $name"
    "$@" || code=$?
    timings+=("$(printf '%6d s  %s' $((SECONDS - start)) "$name")")
    if [ "$code" != 0 ]; then
        echo "== failed with exit code $code: $name"
        exit "$code"
    fi
}
print_timings() {
    echo "== seconds"
    printf '%s\n' "${timings[@]}"
}
