// SPDX-License-Identifier: Apache-2.0
// node route.cjs PEER CATALOG QUERIES [EXAMPLES]: what route.c measures, by
// minisearch or okapibm25.
const fs = require('fs');
const [peer, catalog, queries, examples] = process.argv.slice(2);
const load = require('module').createRequire(
	process.env.WV_BENCH_MODULES + '/');
const lines = (f) =>
	fs.readFileSync(f, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
const tools = lines(catalog);
const more = new Map(examples
	? lines(examples).map((e) => [e.id, e.examples.join(' ')]) : []);
const split = (s) => s.replace(/([a-z])([A-Z])/g, '$1 $2');
const docs = tools.map((t) => ({ id: t.id, name: split(t.name),
	text: t.description, examples: more.get(t.id) || '' }));
const now = () => { const u = process.cpuUsage();
	return (u.user + u.system) / 1e3; };

const peers = {
	minisearch() {
		const MiniSearch = load('minisearch');
		const m = new MiniSearch({ fields: ['name', 'text', 'examples'] });
		m.addAll(docs);
		return (q) => m.search(q, { boost: { name: 2 } })
			.slice(0, 5).map((r) => r.id);
	},
	okapibm25() {
		const bm25 = load('okapibm25').default;
		const words = (s) => s.toLowerCase().match(/[a-z0-9]+/g) || [];
		const texts = docs.map((d) =>
			words([d.name, d.text, d.examples].join(' ')).join(' '));
		return (q) => {
			const s = bm25(texts, words(q));
			return s.map((v, i) => i).sort((a, b) => s[b] - s[a])
				.slice(0, 5).filter((i) => s[i] > 0)
				.map((i) => docs[i].id);
		};
	},
};

const start = now();
const search = peers[peer]();
const built = now();
let asked = lines(queries);
if (process.env.WV_BENCH_MOST)
	asked = asked.slice(0, +process.env.WV_BENCH_MOST);
const halves = [[0, 0, 0], [0, 0, 0]];
const before = now();
const found = asked.map((q) => search(q.query));
const after = now();
asked.forEach((q, i) => {
	const h = halves[i < asked.length / 2 ? 0 : 1];
	const place = found[i].findIndex((id) => q.expect.includes(id));
	h[0] += place === 0; h[1] += place >= 0; h[2]++;
});
console.log(halves.map((h) => `R@1 ${(h[0] / h[2]).toFixed(4)} ` +
	`R@5 ${(h[1] / h[2]).toFixed(4)}  `).join('') +
	`build ${(built - start).toFixed(1)} ms, ` +
	`query ${((after - before) / asked.length).toFixed(4)} ms`);
