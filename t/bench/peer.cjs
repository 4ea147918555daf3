// SPDX-License-Identifier: Apache-2.0
// ajv, for whatever draft a schema says, as fast as it goes: without formats,
// the first fault only.
"use strict";
const path = require("path");
const need = (name) => require(path.join(process.env.WV_BENCH_MODULES, name));

exports.compile = (schema) => {
	const draft = schema.$schema || "";
	const Ajv = draft.includes("2020-12") ? need("ajv/dist/2020").default :
		draft.includes("draft-04") ? need("ajv-draft-04").default :
		need("ajv").default;
	const options = { strict: false, validateFormats: false, logger: false };
	return new Ajv(options).compile(schema);
};
