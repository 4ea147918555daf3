// SPDX-License-Identifier: Apache-2.0
// duckdb over a log: node duckdb.cjs query|group|summary FILE, for trace.sh.
const path = require("path");
const { DuckDBInstance } = require(
	path.join(process.env.WV_BENCH_MODULES, "@duckdb", "node-api"));

const [kind, file] = process.argv.slice(2);
const log = `read_ndjson_auto('${file}')`;
const questions = {
	query: `select event_id from ${log}
		where event_type = 'capability_denied'
		and principal = 'agent-17'
		and timestamp >= '2026-03-01 01:00:00'
		and timestamp < '2026-03-01 02:00:00'`,
	group: `select event_type, count(*) from ${log} group by all`,
	summary: `select event_type, capability_id, principal, outcome,
		metadata.x_wv_code as code,
		date_trunc('hour', timestamp) as hour, count(*),
		avg(metadata.x_wv_trace.duration_ms),
		max(metadata.x_wv_trace.duration_ms)
		from ${log} group by grouping sets ((event_type),
		(capability_id), (principal), (outcome), (code), (hour))`,
};

(async () => {
	const instance = await DuckDBInstance.create(":memory:");
	const connection = await instance.connect();
	const reader = await connection.runAndReadAll(questions[kind]);
	for (const row of reader.getRows())
		console.log(row.join(" "));
})();
