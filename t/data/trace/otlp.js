// SPDX-License-Identifier: Apache-2.0
// Requests of OTLP/JSON on stdin through the protobuf of OpenTelemetry and
// back: nothing may be lost.  Prints how many spans there were.
const { opentelemetry } = require('@opentelemetry/otlp-transformer/build/src/generated/root');
const T = opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
const hex = new Set(['traceId', 'spanId', 'parentSpanId']);
const fix = (o) => Array.isArray(o) ? o.map(fix) : o && typeof o === 'object' ? Object.fromEntries(Object.entries(o).map(([k, v]) => [k, hex.has(k) ? Buffer.from(v, 'hex') : fix(v)])) : o;
const back = (o) => o instanceof Uint8Array ? Buffer.from(o).toString('hex') : Array.isArray(o) ? o.map(back) : o && typeof o === 'object' ? Object.fromEntries(Object.entries(o).map(([k, v]) => [k, back(v)])) : o;
let n = 0;
for (const line of require('fs').readFileSync(0, 'utf8').trim().split('\n')) {
  const want = JSON.parse(line);
  const m = T.fromObject(fix(want));
  const bad = T.verify(m); if (bad) throw new Error(bad);
  const got = back(T.toObject(T.decode(T.encode(m).finish()), { longs: String }));
  require('assert').deepStrictEqual(JSON.parse(JSON.stringify(got)), want);
  n += got.resourceSpans[0].scopeSpans[0].spans.length;
}
console.log(n);
