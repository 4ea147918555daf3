#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The layers, the third-party headers and what each binary links: the
# process boundaries are the lifecycle's (doc/HACKING).

load lib

@test "includes go down the layers only" {
	cd "$top_srcdir"
	# lowest first; a folder includes itself and what is below it
	run -0 awk -F '[/"]' '
		BEGIN {
			split("base json text schema report contract firewall card kernel", names, " ")
			for (i in names) tier[names[i]] = i
		}
		FNR == 1 {
			split(FILENAME, path, "/")
			folder = path[2]
			if (!(folder in tier)) { print "no tier: " folder; bad = 1 }
		}
		/^#include "[a-z]+\// && $2 != folder && tier[$2] + 0 >= tier[folder] + 0 {
			print FILENAME " includes " $2 "/"
			bad = 1
		}
		END { exit bad }' common/*/*.[ch]
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
	check 'pcre2' common/schema/regex-internal.h
	check 'zlib\.h' common/base/gz.c
	check 'openssl/sha' common/base/digest.c
	check 'openssl/evp' common/contract/crypto.h
	check 'sqlite3\.h' common/kernel/store.c
}

@test "a tool's folder is its own" {
	cd "$top_srcdir"
	! grep -nE '^#include "(\.\.|cmd/)' cmd/*/*.[ch] common/*/*.[ch]
}

# lacks TOOL PATTERN: no symbol of the binary matches
lacks() {
	if nm "$(command -v "$1")" | grep -E " [A-Za-z] ($2)"; then
		echo "$1 links $2"
		return 1
	fi
}

# the binary really has symbols, or the tests below prove nothing
@test "binaries carry symbols" {
	nm "$(command -v wv-call)" | grep -q ' T wv_run_start'
	nm "$(command -v wv-authorize)" | grep -q 'wv_token_spend'
}

@test "routing, answering and validating link neither executor nor store" {
	for tool in wv-route wv-answer wv-validate; do
		lacks "$tool" 'wv_(proc_start|run_start|run_wait)|wv_(state|store)_|sqlite3_'
	done
}

@test "wv-flow links no executor, token, policy or output firewall" {
	lacks wv-flow 'wv_(run_(start|wait)|token_|decision_(take|record)|firewall_|artifact_)|policy_'
}

@test "the firewall, the log and the token tool start no process" {
	for tool in wv-firewall wv-trace wv-token wv-authorize; do
		lacks "$tool" 'wv_(proc_start|run_(start|wait))'
	done
}

@test "only wv-authorize and wv-token handle tokens" {
	for tool in wv-call wv-firewall; do
		lacks "$tool" 'wv_token_(read|trust|spend)|wv_scope_'
	done
	# the limits of a key, which signs checkpoints, know scopes
	lacks wv-trace 'wv_token_(read|trust|spend)'
}

@test "signatures are verified where tokens are, by wv-trace and wv-validate" {
	for tool in wv-route wv-call wv-firewall wv-answer wv-flow; do
		lacks "$tool" 'wv_(signature|keyring|signer)_'
	done
}

@test "only wv-token and wv-trace sign" {
	for tool in wv-authorize wv-validate; do
		lacks "$tool" 'wv_signer_|wv_signature_make'
	done
}

# its tables cost every start three milliseconds
@test "nothing links libcrypto's EVP: it is loaded when it is needed" {
	for tool in wv-route wv-authorize wv-call wv-firewall wv-answer \
		wv-flow wv-trace wv-validate wv-token; do
		lacks "$tool" 'EVP_(Digest|PKEY|MD)'
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
			libyaml* | libpcre2* | libz.so*) ;;
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
	run -0 awk 'FNR == 1 && !/SPDX-License-Identifier: Apache-2.0/ {
			print FILENAME
			bad = 1
		}
		END { exit bad }' common/*/*.[ch] cmd/*/*.[ch] t/*/*.[ch]
}
