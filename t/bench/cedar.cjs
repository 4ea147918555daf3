// SPDX-License-Identifier: Apache-2.0
// Cedar over RoutingDecisions: node cedar.cjs RULES FILE.  RULES allow rules
// and one deny, like those of authorize.sh, compiled once; each record is read,
// asked about and answered with a PolicyDecision on standard output.  It keeps
// nothing: no token, no log, no store.
"use strict";
const fs = require("fs");
const path = require("path");
const cedar = require(path.join(process.env.WV_BENCH_MODULES,
	"@cedar-policy/cedar-wasm/nodejs"));

const [rules, file] = process.argv.slice(2);
let text = 'forbid(principal, action == Action::"call", resource)' +
	' when { resource.id like "org.demo.delete_*" };\n';
for (let i = 0; i < Number(rules); i++)
	text += 'permit(principal, action == Action::"call", resource) when {' +
		` resource.id like "org.demo.${i === 0 ? "" : `part${i}.`}*" &&` +
		" context.pattern like \"*\" };\n";
const parsed = cedar.preparsePolicySet("bench", { staticPolicies: text });
if (parsed.type !== "success") throw new Error(JSON.stringify(parsed));

let out = "", n = 0;
for (const line of fs.readFileSync(file, "utf8").split("\n")) {
	if (line === "") continue;
	const record = JSON.parse(line);
	const item = record.choice_cards[0].items[0];
	const principal = { type: "Agent", id: "agent-1" };
	const resource = { type: "Capability", id: item.capability_id };
	const answer = cedar.statefulIsAuthorized({
		principal,
		action: { type: "Action", id: "call" },
		resource,
		context: record.metadata.x_wv_arguments,
		preparsedPolicySetId: "bench",
		validateRequest: false,
		entities: [{ uid: resource, attrs: { id: item.capability_id },
			parents: [] }],
	});
	if (answer.type !== "success") throw new Error(JSON.stringify(answer));
	out += JSON.stringify({
		decision_id: `dec-${n++}`,
		decision: answer.response.decision,
		capability_id: item.capability_id,
		principal: principal.id,
		timestamp: new Date().toISOString(),
	}) + "\n";
	if (out.length > 1 << 16) {
		fs.writeSync(1, out);
		out = "";
	}
}
fs.writeSync(1, out);
