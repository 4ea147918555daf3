// SPDX-License-Identifier: Apache-2.0
// ajv over JSON lines: node ajv.cjs SCHEMA FILE; status 1 if any is invalid.
"use strict";
const fs = require("fs");
const { StringDecoder } = require("string_decoder");
const { compile } = require("./peer.cjs");

const [schema, file] = process.argv.slice(2);
const validate = compile(JSON.parse(fs.readFileSync(schema, "utf8")));

let rest = "", invalid = 0;
const fd = fs.openSync(file);
const block = Buffer.alloc(1 << 20);
const decoder = new StringDecoder("utf8");
const judge = (line) => {
	if (line !== "" && !validate(JSON.parse(line))) invalid++;
};
for (let n; (n = fs.readSync(fd, block)) > 0;) {
	const lines = (rest + decoder.write(block.subarray(0, n))).split("\n");
	rest = lines.pop();
	lines.forEach(judge);
}
judge(rest);
process.exit(invalid > 0 ? 1 : 0);
