// SPDX-License-Identifier: Apache-2.0
// The calls of wv-call without it: node mcp-client.cjs TOOL FILE COMMAND ARG…
// starts the server, calls the tool with the arguments of each PolicyDecision
// of FILE, one after the other, and writes each result.  It checks nothing.
"use strict";
const fs = require("fs");
const { spawn } = require("child_process");
const [tool, file, command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] });
const waiting = new Map();
let rest = "", last = 0;

server.stdout.setEncoding("utf8");
server.stdout.on("data", (text) => {
	const lines = (rest + text).split("\n");
	rest = lines.pop();
	for (const line of lines) {
		const answer = JSON.parse(line);
		if (!waiting.has(answer.id)) continue;
		waiting.get(answer.id)(answer);
		waiting.delete(answer.id);
	}
});

function send(method, params, id) {
	server.stdin.write(JSON.stringify(
		{ jsonrpc: "2.0", id, method, params }) + "\n");
}

function ask(method, params) {
	const id = ++last;
	return new Promise((resolve) => {
		waiting.set(id, resolve);
		send(method, params, id);
	});
}

async function main() {
	await ask("initialize", { protocolVersion: "2025-06-18",
		capabilities: {}, clientInfo: { name: "bench", version: "1" } });
	send("notifications/initialized");
	await ask("tools/list", {});
	for (const line of fs.readFileSync(file, "utf8").split("\n")) {
		if (line === "") continue;
		const { arguments: given } =
			JSON.parse(line).metadata.x_wv_invocation;
		const answer = await ask("tools/call",
			{ name: tool, arguments: given });
		process.stdout.write(JSON.stringify(answer.result) + "\n");
	}
	server.stdin.end();
}
main();
