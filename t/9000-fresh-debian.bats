#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The two commands of the README in a new Debian: a chroot made by debootstrap
# that has nothing but what bootstrap installs.  `make check-long` only.

load lib

setup_file() {
	[ "$(id -u)" = 0 ] || skip 'not root: cannot make a chroot'
	command -v debootstrap >/dev/null || skip 'no debootstrap'
	git -C "$BATS_TEST_DIRNAME" rev-parse --git-dir >/dev/null 2>&1 ||
		skip 'not a git checkout'
	export root="$BATS_FILE_TMPDIR/debian"
	local mirror="${WV_DEBIAN_MIRROR:-http://deb.debian.org/debian}"
	debootstrap --variant=minbase bookworm "$root" "$mirror" \
		>"$BATS_FILE_TMPDIR/log" 2>&1 ||
		skip "debootstrap cannot fetch from $mirror"
	cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
	cp /etc/hosts "$root/etc/" 2>/dev/null || true
	mount -t proc proc "$root/proc" || skip 'cannot mount /proc'
	mount --rbind /dev "$root/dev" || skip "cannot bind /dev"
	mount --make-rslave "$root/dev"
	git clone -q "$BATS_TEST_DIRNAME/.." "$root/wv"
}

# What was skipped has no root, and "/dev" is not ours.
teardown_file() {
	[ -n "$root" ] || return 0
	umount -R "$root/dev" "$root/proc" 2>/dev/null || true
}

inside() {
	chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
		sh -c "cd /wv && $1" </dev/null 3>&- 4>&-
}

@test "./bootstrap && make demo" {
	inside './bootstrap && make demo' >"$BATS_TEST_TMPDIR/out" 2>&1 ||
		{ tail -n 40 "$BATS_TEST_TMPDIR/out"; return 1; }
}

@test "./bootstrap && make check" {
	inside './bootstrap && make check' >"$BATS_TEST_TMPDIR/out" 2>&1 ||
		{ tail -n 60 "$BATS_TEST_TMPDIR/out"; return 1; }
}
