// SPDX-License-Identifier: Apache-2.0
// node firewall-mix.cjs FOLDER [MEGABYTES]: writes outputs of tools, JSON of 10
// to 50 KB a line, the same at every run:
//   clean.jsonl    what has nothing to hide: issues, rows, pods, files, logs
//   secrets.jsonl  the same with one secret or address in 10 KB
//   corpus.jsonl   the labelled texts of t/data/firewall, one beside the other
//   opaque.jsonl   numbers, UUIDs, URLs, digests, base64
//   people.jsonl   an address in 330 bytes, among long numbers and letters that
//                  are not ASCII
//   short.jsonl    lines of some twenty bytes
'use strict';
const fs = require('fs');
const path = require('path');

let state = 42;
function next(n) {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return Math.floor(state / 4294967296 * n);
}
const pick = (list) => list[next(list.length)];
const times = (n, make) => Array.from({ length: n }, make);
const chars = (set, n) => times(n, () => set[next(set.length)]).join('');
const HEX = '0123456789abcdef';
const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const hex = (n) => chars(HEX, n);
const uuid = () => [8, 4, 4, 4, 12].map(hex).join('-');
const time = () => `2026-0${1 + next(9)}-${10 + next(19)}T` +
	`${10 + next(14)}:${10 + next(50)}:${10 + next(50)}Z`;

const words = ('the a of and to in is for that with on as by it from this be ' +
	'are not at or an when which was can all one has but if each build ' +
	'server cache request response failed retry pipeline branch merge ' +
	'commit deploy release user order invoice report metric latency queue ' +
	'worker thread memory parser schema table column index query result ' +
	'returns value error warning test suite coverage module package ' +
	'version upgrade downtime region cluster node label config timeout ' +
	'connection pool client handler route page layout button click event ' +
	'customer delivery shipment warehouse stock price discount').split(' ');

function sentence() {
	const s = times(6 + next(12), () => pick(words)).join(' ');
	return s[0].toUpperCase() + s.slice(1) + '.';
}
const prose = (n) => times(n, sentence).join(' ');

function issue(i) {
	return {
		id: 1900000000 + next(99999999), number: i, state: pick(['open',
			'closed']),
		title: sentence().slice(0, -1), url:
			`https://git.example.com/acme/shop/issues/${i}`,
		user: { login: pick(['mira', 'jonas', 'lee', 'sofia']), id:
			next(99999), type: 'User', site_admin: false },
		labels: times(next(4), () => ({ name: pick(['bug', 'docs',
			'api', 'ui']), color: hex(6), default: false })),
		comments: next(30), created_at: time(), updated_at: time(),
		closed_at: null, body: times(1 + next(5), () => prose(1 +
			next(4))).join('\n\n'),
	};
}

function row(i) {
	return { order_id: 100000 + i, customer: pick(['North', 'Harbor',
		'Alder']) + ' ' + pick(['Foods', 'Supply', 'Labs']), total:
		(next(99999) / 100).toFixed(2), quantity: next(40), paid:
		next(2) === 1, region: pick(['eu-west-1', 'us-east-2']),
		placed: time(), note: next(4) ? null : sentence() };
}

function pod() {
	const name = `${pick(['cart', 'mail', 'search'])}-${hex(9)}-${hex(5)}`;
	return { metadata: { name, namespace: 'prod', uid: uuid(),
		resourceVersion: String(next(9999999)), labels: { app: 'shop',
			tier: 'backend', 'pod-template-hash': hex(9) } },
		spec: { nodeName: `node-${next(40)}`, restartPolicy: 'Always',
			containers: [{ name: 'main', image:
				`registry.example.com/shop/main:1.${next(40)}`,
				ports: [{ containerPort: 8080, protocol: 'TCP' }],
				resources: { limits: { cpu: '500m', memory:
					'512Mi' } } }] },
		status: { phase: pick(['Running', 'Pending']), startTime:
			time(), restartCount: next(3), conditions: times(4,
			() => ({ type: pick(['Ready', 'Initialized']), status:
				'True', lastTransitionTime: time() })) } };
}

function source() {
	const lines = times(30 + next(60), () => '\t'.repeat(1 + next(3)) + pick([
		() => `if (${pick(words)} == NULL || ${pick(words)} < ${next(99)})`,
		() => `${pick(words)}_${pick(words)}(${pick(words)}, "${pick(words)}");`,
		() => `return ${pick(words)}->${pick(words)};`,
		() => `/* ${sentence()} */`,
		() => `for (size_t i = 0; i < ${pick(words)}.count; i++)`,
	])());
	return { path: `src/${pick(words)}/${pick(words)}.c`, sha: hex(40), size:
		next(9999), content: lines.join('\n') + '\n' };
}

function log() {
	return { stdout: times(40 + next(60), () => `${time()} ${pick(['INFO',
		'WARN', 'DEBUG'])} [worker-${next(16)}] ${pick(words)}.${pick(words)
	}: ${sentence()} took=${next(900)}ms`).join('\n'), exit_code: 0 };
}

function opaque() {
	return { id: uuid(), trace: hex(32), span: hex(16), sha256: hex(64), at:
		1700000000 + next(99999999), cost: next(1e9) / 1e6, box: times(4,
			() => next(100000) / 1000), url: `https://cdn.example.com/` +
		`${hex(8)}/${uuid()}.png?w=${next(999)}&h=${next(999)}`, etag:
		`W/"${hex(32)}"`, blob: Buffer.from(chars(ALNUM, 4) +
			String.fromCharCode(...times(60 + next(200), () =>
				next(256))), 'latin1').toString('base64'), seen:
		times(3, time) };
}

function person() {
	const first = pick(['Zoë', 'Łukasz', 'Ann', 'Bob', '秀樹']);
	return { id: next(2 ** 31) * 2 ** 20 + next(2 ** 20), name: `${first} ${
		pick(['山田', 'Müller', 'Jones', 'Κωνσταντίνου'])}`, email:
		`${pick(words)}.${pick(words)}${next(999)}@example.com`, amount:
		next(9e6) / 100, score: next(2 ** 31) / 2 ** 31, active:
		next(2) === 1, note: times(8, () => pick([...words, 'zażółć',
		'münchen', '東京'])).join(' '), tags: [pick(words)], address: {
		street: `${next(999)} ${pick(['🚀', 'Main'])} St`, zip: String(
			10000 + next(89999)), geo: [next(2 ** 31) / 2 ** 24,
			-next(2 ** 31) / 2 ** 23] }, parent: null };
}

function secret() {
	return pick([
		() => ({ contact: `${pick(words)}.${hex(3)}@${pick(words)}-mail.com` }),
		() => ({ env: `export GITHUB=gh${'p_'}${chars(ALNUM, 36)}` }),
		() => ({ db_password: chars(ALNUM, 14) }),
		() => ({ dsn: `postgres://app:${chars(ALNUM, 12)}@db/shop` }),
	])();
}

const kinds = [
	() => ({ total_count: next(999), items: times(20, (_, i) => issue(i)) }),
	() => ({ columns: ['order_id', 'customer'], rows: times(120, (_, i) =>
		row(i)) }),
	() => ({ apiVersion: 'v1', kind: 'PodList', items: times(25, pod) }),
	() => ({ files: times(8, source) }),
	() => ({ jobs: times(4, log) }),
];

function put(object, secrets) {
	const list = Object.values(object).find((v) => Array.isArray(v) &&
		typeof v[0] === 'object');
	for (const one of secrets)
		Object.assign(list[next(list.length)], one);
	return object;
}

function corpus() {
	const texts = [];
	for (const name of ['positives', 'negatives', 'injections', 'innocent']) {
		const file = path.join(__dirname, '../data/firewall', name + '.jsonl');
		for (const line of fs.readFileSync(file, 'utf8').trim().split('\n')) {
			const one = JSON.parse(line);
			texts.push({ id: one.id, text: [].concat(one.text).join('') });
		}
	}
	return texts;
}
const texts = corpus();

const mixes = {
	clean: () => pick(kinds)(),
	secrets: () => {
		const object = pick(kinds)();
		const size = JSON.stringify(object).length;
		return put(object, times(Math.max(1, Math.round(size / 10240)),
			secret));
	},
	corpus: () => ({ items: times(60, () => pick(texts)) }),
	opaque: () => ({ results: times(24, opaque) }),
	people: () => ({ result: { items: times(70, person) } }),
	short: () => ({ a: `short line ${next(99)}` }),
};

const [folder, megabytes] = process.argv.slice(2);
for (const [name, make] of Object.entries(mixes)) {
	const lines = [];
	for (let size = 0; size < (megabytes || 16) * 1e6;) {
		lines.push(JSON.stringify(make()) + '\n');
		size += lines[lines.length - 1].length;
	}
	fs.writeFileSync(path.join(folder, name + '.jsonl'), lines.join(''));
}
