# SPDX-License-Identifier: Apache-2.0
# A flow of 2 to 8 steps, the same for the same -v seed; with -v fails=1 a step
# may fail the flow.  Each calls t.work or, idempotent, t.read with its id.
function pick(n) { return int(rand() * n) }
BEGIN {
	srand(seed)
	count = 2 + pick(7)
	split("all_success all_done any_success none_failed always", when, " ")
	printf "version: 1\nname: random\nsteps:\n"
	for (i = 0; i < count; i++) {
		idempotent = pick(4) == 0
		bad = pick(5) == 0
		printf "  - id: s%d\n    capability: %s\n", i, idempotent ? "t.read" : "t.work"
		printf "    arguments: {id: s%d, how: %s}\n", i, bad ? "fail" : "work"
		if (idempotent)
			printf "    idempotent: true\n"
		if (bad && (!fails || pick(2)))
			printf "    on_error: continue\n"
		list = ""
		for (k = 0; k < i; k++)
			if (pick(3) == 0) {
				list = list (list == "" ? "" : ", ") "s" k
				last = k
			}
		if (list != "") {
			printf "    needs: [%s]\n    run_when: %s\n", list, when[1 + pick(5)]
			if (pick(3) == 0)
				printf "    if: {from: /steps/s%d/summary, default: none, %s: {const: none}}\n", last, pick(2) ? "is" : "not"
		}
		if (pick(4) == 0)
			printf "    for_each: {from: /input/list, fail_fast: false}\n"
		if (pick(5) == 0 && i > 0)
			finals++
	}
	printf "  - {id: last, capability: t.work, arguments: {id: last, how: work}, finally: true}\n"
}
