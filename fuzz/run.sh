#!/bin/sh
# Builds a fuzz target with the stable toolchain and runs it: `fuzz/run.sh TARGET [SECONDS]`.
# The first inputs come from fuzz/seeds.sh; what is found goes to fuzz/corpus/TARGET and fuzz/artifacts/TARGET.
set -eu
cd "$(dirname "$0")"
target=$1
seconds=${2:-600}
features=
[ "$target" = requests ] && features="--features requests"
triple=$(rustc -vV | sed -n 's/^host: //p')
RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares" \
    cargo build --release --target "$triple" --bin "$target" $features
mkdir -p "corpus/$target" "artifacts/$target"
exec nice "target/$triple/release/$target" -max_total_time="$seconds" -rss_limit_mb=4096 -timeout=20 -max_len=4096 \
    -artifact_prefix="artifacts/$target/" -print_final_stats=1 "corpus/$target"
