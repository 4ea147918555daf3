#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The layers, the third-party headers and what each binary links: the
# process boundaries are the lifecycle's (doc/HACKING).

load lib

# the layers, lowest first; a folder includes itself and what is below it
tier() {
	case $1 in
	base) echo 0 ;;
	json) echo 1 ;;
	text) echo 2 ;;
	schema) echo 3 ;;
	report) echo 4 ;;
	contract) echo 5 ;;
	firewall) echo 6 ;;
	kernel) echo 7 ;;
	*) echo unknown ;;
	esac
}

@test "includes go down the layers only" {
	cd "$top_srcdir"
	local bad=0 file folder other
	for file in common/*/*.[ch]; do
		folder=$(basename "$(dirname "$file")")
		[ "$(tier "$folder")" != unknown ]
		while read -r other; do
			if [ "$other" != "$folder" ] &&
				[ "$(tier "$other")" -ge "$(tier "$folder")" ]; then
				echo "$file includes $other/"
				bad=1
			fi
		done < <(sed -n 's|^#include "\([a-z]*\)/.*|\1|p' "$file")
	done
	[ "$bad" = 0 ]
}

@test "every third-party header stands in one module" {
	cd "$top_srcdir"
	check() {
		local found
		found=$(grep -lE "^#include <($1)" common/*/*.[ch] cmd/*/*.[ch] |
			tr '\n' ' ')
		[ "$found" = "$2 " ] || { echo "$1: $found, want $2"; return 1; }
	}
	check 'cJSON\.h|cjson/' common/json/json.h
	check 'yaml\.h' common/json/yaml.c
	check 'pcre2' common/schema/regex.c
	check 'openssl/' common/base/digest.c
	check 'sqlite3\.h' common/kernel/store.c
}

@test "a tool's folder is its own" {
	cd "$top_srcdir"
	! grep -nE '^#include "(\.\.|cmd/)' cmd/*/*.[ch] common/*/*.[ch]
}

# lacks TOOL PATTERN…: no symbol of the binary matches
lacks() {
	local tool=$1 pattern
	shift
	for pattern; do
		if nm "$(command -v "$tool")" | grep -E " [A-Za-z] ($pattern)"; then
			echo "$tool links $pattern"
			return 1
		fi
	done
}

# (tests/ld) the binary really has symbols, or the tests below prove nothing
@test "binaries carry symbols" {
	nm "$(command -v wv-call)" | grep -q ' T wv_proc_run'
	nm "$(command -v wv-authorize)" | grep -q 'wv_token_spend'
}

@test "routing, answering and validating link neither executor nor store" {
	for tool in wv-route wv-answer wv-validate; do
		lacks "$tool" 'wv_proc_(start|run)' wv_state_ wv_store_ sqlite3_
	done
}

@test "wv-flow links no executor, token, policy or output firewall" {
	lacks wv-flow wv_proc_run wv_token_ 'wv_decision_(take|record)' \
		'(wv_)?policy_' wv_firewall_ wv_artifact_
}

@test "the firewall, the log and the token tool start no process" {
	for tool in wv-firewall wv-trace wv-token wv-authorize; do
		lacks "$tool" 'wv_proc_(start|run)'
	done
}

@test "only wv-authorize and wv-token handle tokens" {
	for tool in wv-call wv-firewall wv-trace; do
		lacks "$tool" 'wv_token_(read|covers|spend)'
	done
}

@test "each binary needs only the shared libraries it uses" {
	local tool lib
	for tool in wv-route wv-authorize wv-call wv-firewall wv-answer wv-flow \
		wv-trace wv-validate wv-token; do
		while read -r lib; do
			case $lib in
			libc.so* | libm.so* | libcjson.so* | libdl.so* | libpthread.so*) ;;
			libasan.so* | libubsan.so* | libgcc_s.so* | libstdc++.so*) ;;
			ld-linux*) ;;
			libsqlite3.so* | libcrypto.so*)
				case $tool in wv-route | wv-answer | wv-validate)
					[[ $lib == libcrypto* ]] ||
						{ echo "$tool needs $lib"; return 1; }
					;;
				esac
				;;
			libyaml* | libpcre2*) ;;
			*)
				echo "$tool needs $lib"
				return 1
				;;
			esac
		done < <(objdump -p "$(command -v "$tool")" |
			awk '$1 == "NEEDED" { print $2 }')
	done
}

@test "nothing else executable at the top of the build tree is called wv-*" {
	local dir
	dir=$(dirname "$(command -v wv-call)")
	[ -e "$dir/config.status" ] || skip 'not a build tree'
	cd "$dir"
	[ "$(find . -maxdepth 1 -name 'wv-*' -type f -perm -u+x | wc -l)" = 9 ]
}

@test "every header and source says its licence first" {
	cd "$top_srcdir"
	local file
	for file in common/*/*.[ch] cmd/*/*.[ch] t/*/*.[ch]; do
		head -n 1 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' ||
			{ echo "$file"; return 1; }
	done
}
