#!/usr/bin/perl
# SPDX-License-Identifier: Apache-2.0
# Writes format-idna-table.c from the Unicode database of this perl:
#   perl format-idna-table.pl > format-idna-table.c
# RFC 5892 section 2 is the derivation, RFC 5893 the use of Bidi_Class.
use strict;
use warnings;
use feature 'fc';
use Unicode::Normalize qw(NFKC getCanon getCombinClass isExclusion);
use Unicode::UCD;

my %exception = map { $_ => 1 } 0xdf, 0x3c2, 0x6fd, 0x6fe, 0xf0b, 0x3007;
$exception{$_} = 0 for 0x640, 0x7fa, 0x302e, 0x302f, 0x3031 .. 0x3035, 0x303b;
# CONTEXTO and CONTEXTJ: there are facts of them, their rules are code.
my %context = map { $_ => 1 } 0xb7, 0x375, 0x5f3, 0x5f4, 0x30fb,
	0x660 .. 0x669, 0x6f0 .. 0x6f9, 0x200c, 0x200d;

sub is_valid {
	my ($cp, $c) = ($_[0], chr $_[0]);
	return 0 if $context{$cp};
	return $exception{$cp} if exists $exception{$cp};
	return 1 if $c =~ /[-a-z0-9]/;
	return 0 if $c =~ /\p{Cn}/ || $c ne NFKC(fc(NFKC($c)));
	return 0 if $c =~ /[\p{Hangul_Syllable_Type=L}\p{Hangul_Syllable_Type=V}]/
		|| $c =~ /\p{Hangul_Syllable_Type=T}|\p{White_Space}/
		|| $c =~ /[\p{Default_Ignorable_Code_Point}]/
		|| $c =~ /\p{Block=Combining_Diacritical_Marks_For_Symbols}/
		|| $c =~ /\p{Block=Musical_Symbols}/
		|| $c =~ /\p{Block=Ancient_Greek_Musical_Notation}/;
	return $c =~ /[\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Lm}\p{Mn}\p{Mc}]/ ? 1 : 0;
}

# Rows, as many to a line as fit.
sub table {
	my ($head, @rows) = @_;
	my $line = "\t";
	print "\n$head = {\n";
	for my $row (@rows) {
		if (length($line) + length($row) > 72) {
			print "$line\n";
			$line = "\t";
		}
		$line .= "$row,";
	}
	print "$line\n};\n";
}

my @valid = grep { ($_ < 0xd800 || $_ > 0xdfff) && is_valid($_) } 0 .. 0x10ffff;
my %valid = map { $_ => 1 } @valid;

my @rows;
for (my $i = 0; $i < @valid; $i++) {
	my ($first, $step) = ($i, 1);
	$step = 2 if $i + 1 < @valid && $valid[$i + 1] == $valid[$i] + 2;
	$i++ while $i + 1 < @valid && $valid[$i + 1] == $valid[$i] + $step;
	push @rows, sprintf "{%#x,%#x,%d}", $valid[$first], $valid[$i], $step;
}
print <<'HEAD';
/* SPDX-License-Identifier: Apache-2.0 */
/* Written by format-idna-table.pl; not to be edited. */
/* clang-format off */
#include "schema/format-idna.h"
HEAD
printf "\n/* Unicode %s */\n", Unicode::UCD::UnicodeVersion();
print "const size_t wv_idna_valid_count = ", scalar(@rows), ";";
table("const struct wv_idna_valid wv_idna_valid[]", @rows);

# Bidi_Class, Joining_Type, Canonical_Combining_Class, General_Category M.
my @facts;
for my $cp (sort { $a <=> $b } @valid, keys %context) {
	my $c = chr $cp;
	my ($bidi) = grep { $c =~ /\p{Bidi_Class=$_}/ }
		qw(L R AL AN EN ES CS ET ON BN NSM);
	my ($join) = grep { $c =~ /\p{Joining_Type=$_}/ } qw(D L R T);
	my $ccc = getCombinClass($cp);
	my $mark = $c =~ /\p{M}/;
	my $what = "WV_BIDI_$bidi" . ($join ? "|WV_JOIN_$join" : "")
		. ($mark ? "|WV_MARK" : "");
	next if $what eq 'WV_BIDI_L' && !$ccc;
	my %short = (
		'WV_BIDI_NSM|WV_JOIN_T|WV_MARK' => 'N',
		'WV_BIDI_L|WV_MARK' => 'C',
	);
	$what = $short{$what} // $what;
	if (@facts && $facts[-1][1] == $cp - 1
		&& $facts[-1][2] eq $what && $facts[-1][3] == $ccc) {
		$facts[-1][1] = $cp;
	} else {
		push @facts, [ $cp, $cp, $what, $ccc ];
	}
}
print "\n#define N WV_BIDI_NSM|WV_JOIN_T|WV_MARK\n",
	"#define C WV_BIDI_L|WV_MARK\n";
print "const size_t wv_idna_facts_count = ", scalar(@facts), ";";
table("const struct wv_idna_facts wv_idna_facts[]",
	map { sprintf "{%#x,%#x,%s,%d}", @$_ } @facts);

# Scripts that rules ask for; what is not valid may lie in a range.
my %letter = (Greek => 'GREEK', Hebrew => 'HEBREW', Han => 'JAPANESE',
	Hiragana => 'JAPANESE', Katakana => 'JAPANESE');
my @scripts;
for my $cp (@valid) {
	my ($script) = grep { chr($cp) =~ /\p{Script=$_}/ } sort keys %letter;
	my $name = $script ? $letter{$script} : '';
	if (@scripts && $scripts[-1][2] eq $name) {
		$scripts[-1][1] = $cp;
	} else {
		push @scripts, [ $cp, $cp, $name ];
	}
}
@scripts = grep { $_->[2] ne '' } @scripts;
print "\nconst size_t wv_idna_scripts_count = ", scalar(@scripts), ";";
table("const struct wv_idna_script wv_idna_scripts[]",
	map { sprintf "{%#x,%#x,WV_SCRIPT_%s}", @$_ } @scripts);

# Canonical decompositions into a pair, which compose again.
my @pairs;
for my $cp (@valid) {
	next if $cp >= 0xac00 && $cp <= 0xd7a3; # without conjoining Jamo
	my $field = Unicode::UCD::charinfo($cp);
	next unless $field && $field->{decomposition} =~ /^([0-9A-F]+) ([0-9A-F]+)$/;
	my ($base, $mark) = (hex $1, hex $2);
	die sprintf "%x does not compose", $cp if isExclusion($cp);
	die sprintf "%x is made of what is not valid", $cp
		unless $valid{$base} && $valid{$mark};
	push @pairs, sprintf "{%#x,%#x,%#x}", $cp, $base, $mark;
}
print "\nconst size_t wv_idna_pairs_count = ", scalar(@pairs), ";";
table("const struct wv_idna_pair wv_idna_pairs[]", @pairs);
