/* SPDX-License-Identifier: Apache-2.0 */
/* clang-format off */
#include "schema/ecma-internal.h"

#include <string.h>

struct property {
	const char *name, *alias;
};

/* General categories; PCRE2 knows the short names. */
static const struct property categories[] = {
	{ "Letter", "L" }, { "Uppercase_Letter", "Lu" },
	{ "Lowercase_Letter", "Ll" }, { "Titlecase_Letter", "Lt" },
	{ "Modifier_Letter", "Lm" }, { "Other_Letter", "Lo" }, { "Mark", "M" },
	{ "Combining_Mark", "M" }, { "Nonspacing_Mark", "Mn" },
	{ "Spacing_Mark", "Mc" }, { "Enclosing_Mark", "Me" }, { "Number", "N" },
	{ "Decimal_Number", "Nd" }, { "digit", "Nd" },
	{ "Letter_Number", "Nl" }, { "Other_Number", "No" },
	{ "Punctuation", "P" }, { "punct", "P" },
	{ "Connector_Punctuation", "Pc" }, { "Dash_Punctuation", "Pd" },
	{ "Open_Punctuation", "Ps" }, { "Close_Punctuation", "Pe" },
	{ "Initial_Punctuation", "Pi" }, { "Final_Punctuation", "Pf" },
	{ "Other_Punctuation", "Po" }, { "Symbol", "S" },
	{ "Math_Symbol", "Sm" }, { "Currency_Symbol", "Sc" },
	{ "Modifier_Symbol", "Sk" }, { "Other_Symbol", "So" },
	{ "Separator", "Z" }, { "Space_Separator", "Zs" },
	{ "Line_Separator", "Zl" }, { "Paragraph_Separator", "Zp" },
	{ "Other", "C" }, { "Control", "Cc" }, { "cntrl", "Cc" },
	{ "Format", "Cf" }, { "Surrogate", "Cs" }, { "Private_Use", "Co" },
	{ "Unassigned", "Cn" },
};

/* PCRE2 knows these by both names. */
static const struct property binary[] = {
	{ "Any", "Any" }, { "ASCII", "ASCII" }, { "ASCII_Hex_Digit", "AHex" },
	{ "Alphabetic", "Alpha" }, { "Bidi_Control", "Bidi_C" },
	{ "Bidi_Mirrored", "Bidi_M" }, { "Case_Ignorable", "CI" },
	{ "Cased", "Cased" }, { "Changes_When_Casefolded", "CWCF" },
	{ "Changes_When_Casemapped", "CWCM" },
	{ "Changes_When_Lowercased", "CWL" },
	{ "Changes_When_Titlecased", "CWT" },
	{ "Changes_When_Uppercased", "CWU" }, { "Dash", "Dash" },
	{ "Default_Ignorable_Code_Point", "DI" }, { "Deprecated", "Dep" },
	{ "Diacritic", "Dia" }, { "Emoji", "Emoji" },
	{ "Emoji_Component", "EComp" }, { "Emoji_Modifier", "EMod" },
	{ "Emoji_Modifier_Base", "EBase" }, { "Emoji_Presentation", "EPres" },
	{ "Extended_Pictographic", "ExtPict" }, { "Extender", "Ext" },
	{ "Grapheme_Base", "Gr_Base" }, { "Grapheme_Extend", "Gr_Ext" },
	{ "Hex_Digit", "Hex" }, { "IDS_Binary_Operator", "IDSB" },
	{ "IDS_Trinary_Operator", "IDST" }, { "ID_Continue", "IDC" },
	{ "ID_Start", "IDS" }, { "Ideographic", "Ideo" },
	{ "Join_Control", "Join_C" }, { "Logical_Order_Exception", "LOE" },
	{ "Lowercase", "Lower" }, { "Math", "Math" },
	{ "Noncharacter_Code_Point", "NChar" }, { "Pattern_Syntax", "Pat_Syn" },
	{ "Pattern_White_Space", "Pat_WS" }, { "Quotation_Mark", "QMark" },
	{ "Radical", "Radical" }, { "Regional_Indicator", "RI" },
	{ "Sentence_Terminal", "STerm" }, { "Soft_Dotted", "SD" },
	{ "Terminal_Punctuation", "Term" }, { "Unified_Ideograph", "UIdeo" },
	{ "Uppercase", "Upper" }, { "Variation_Selector", "VS" },
	{ "White_Space", "space" }, { "XID_Continue", "XIDC" },
	{ "XID_Start", "XIDS" },
};

/* Up to Unicode 17; PCRE2 refuses those that are newer than itself. */
static const struct property scripts[] = {
	{ "Adlam", "Adlm" }, { "Ahom", "Ahom" },
	{ "Anatolian_Hieroglyphs", "Hluw" }, { "Arabic", "Arab" },
	{ "Armenian", "Armn" }, { "Avestan", "Avst" }, { "Balinese", "Bali" },
	{ "Bamum", "Bamu" }, { "Bassa_Vah", "Bass" }, { "Batak", "Batk" },
	{ "Bengali", "Beng" }, { "Beria_Erfe", "Berf" },
	{ "Bhaiksuki", "Bhks" }, { "Bopomofo", "Bopo" }, { "Brahmi", "Brah" },
	{ "Braille", "Brai" }, { "Buginese", "Bugi" }, { "Buhid", "Buhd" },
	{ "Canadian_Aboriginal", "Cans" }, { "Carian", "Cari" },
	{ "Caucasian_Albanian", "Aghb" }, { "Chakma", "Cakm" },
	{ "Cham", "Cham" }, { "Cherokee", "Cher" }, { "Chorasmian", "Chrs" },
	{ "Common", "Zyyy" }, { "Coptic", "Copt" }, { "Coptic", "Qaac" },
	{ "Cuneiform", "Xsux" }, { "Cypriot", "Cprt" },
	{ "Cypro_Minoan", "Cpmn" }, { "Cyrillic", "Cyrl" },
	{ "Deseret", "Dsrt" }, { "Devanagari", "Deva" },
	{ "Dives_Akuru", "Diak" }, { "Dogra", "Dogr" }, { "Duployan", "Dupl" },
	{ "Egyptian_Hieroglyphs", "Egyp" }, { "Elbasan", "Elba" },
	{ "Elymaic", "Elym" }, { "Ethiopic", "Ethi" }, { "Garay", "Gara" },
	{ "Georgian", "Geor" }, { "Glagolitic", "Glag" }, { "Gothic", "Goth" },
	{ "Grantha", "Gran" }, { "Greek", "Grek" }, { "Gujarati", "Gujr" },
	{ "Gunjala_Gondi", "Gong" }, { "Gurmukhi", "Guru" },
	{ "Gurung_Khema", "Gukh" }, { "Han", "Hani" }, { "Hangul", "Hang" },
	{ "Hanifi_Rohingya", "Rohg" }, { "Hanunoo", "Hano" },
	{ "Hatran", "Hatr" }, { "Hebrew", "Hebr" }, { "Hiragana", "Hira" },
	{ "Imperial_Aramaic", "Armi" }, { "Inherited", "Zinh" },
	{ "Inherited", "Qaai" }, { "Inscriptional_Pahlavi", "Phli" },
	{ "Inscriptional_Parthian", "Prti" }, { "Javanese", "Java" },
	{ "Kaithi", "Kthi" }, { "Kannada", "Knda" }, { "Katakana", "Kana" },
	{ "Kawi", "Kawi" }, { "Kayah_Li", "Kali" }, { "Kharoshthi", "Khar" },
	{ "Khitan_Small_Script", "Kits" }, { "Khmer", "Khmr" },
	{ "Khojki", "Khoj" }, { "Khudawadi", "Sind" }, { "Kirat_Rai", "Krai" },
	{ "Lao", "Laoo" }, { "Latin", "Latn" }, { "Lepcha", "Lepc" },
	{ "Limbu", "Limb" }, { "Linear_A", "Lina" }, { "Linear_B", "Linb" },
	{ "Lisu", "Lisu" }, { "Lycian", "Lyci" }, { "Lydian", "Lydi" },
	{ "Mahajani", "Mahj" }, { "Makasar", "Maka" }, { "Malayalam", "Mlym" },
	{ "Mandaic", "Mand" }, { "Manichaean", "Mani" }, { "Marchen", "Marc" },
	{ "Masaram_Gondi", "Gonm" }, { "Medefaidrin", "Medf" },
	{ "Meetei_Mayek", "Mtei" }, { "Mende_Kikakui", "Mend" },
	{ "Meroitic_Cursive", "Merc" }, { "Meroitic_Hieroglyphs", "Mero" },
	{ "Miao", "Plrd" }, { "Modi", "Modi" }, { "Mongolian", "Mong" },
	{ "Mro", "Mroo" }, { "Multani", "Mult" }, { "Myanmar", "Mymr" },
	{ "Nabataean", "Nbat" }, { "Nag_Mundari", "Nagm" },
	{ "Nandinagari", "Nand" }, { "New_Tai_Lue", "Talu" },
	{ "Newa", "Newa" }, { "Nko", "Nkoo" }, { "Nushu", "Nshu" },
	{ "Nyiakeng_Puachue_Hmong", "Hmnp" }, { "Ogham", "Ogam" },
	{ "Ol_Chiki", "Olck" }, { "Ol_Onal", "Onao" },
	{ "Old_Hungarian", "Hung" }, { "Old_Italic", "Ital" },
	{ "Old_North_Arabian", "Narb" }, { "Old_Permic", "Perm" },
	{ "Old_Persian", "Xpeo" }, { "Old_Sogdian", "Sogo" },
	{ "Old_South_Arabian", "Sarb" }, { "Old_Turkic", "Orkh" },
	{ "Old_Uyghur", "Ougr" }, { "Oriya", "Orya" }, { "Osage", "Osge" },
	{ "Osmanya", "Osma" }, { "Pahawh_Hmong", "Hmng" },
	{ "Palmyrene", "Palm" }, { "Pau_Cin_Hau", "Pauc" },
	{ "Phags_Pa", "Phag" }, { "Phoenician", "Phnx" },
	{ "Psalter_Pahlavi", "Phlp" }, { "Rejang", "Rjng" },
	{ "Runic", "Runr" }, { "Samaritan", "Samr" }, { "Saurashtra", "Saur" },
	{ "Sharada", "Shrd" }, { "Shavian", "Shaw" }, { "Siddham", "Sidd" },
	{ "Sidetic", "Sidt" }, { "SignWriting", "Sgnw" }, { "Sinhala", "Sinh" },
	{ "Sogdian", "Sogd" }, { "Sora_Sompeng", "Sora" },
	{ "Soyombo", "Soyo" }, { "Sundanese", "Sund" }, { "Sunuwar", "Sunu" },
	{ "Syloti_Nagri", "Sylo" }, { "Syriac", "Syrc" }, { "Tagalog", "Tglg" },
	{ "Tagbanwa", "Tagb" }, { "Tai_Le", "Tale" }, { "Tai_Tham", "Lana" },
	{ "Tai_Viet", "Tavt" }, { "Tai_Yo", "Tayo" }, { "Takri", "Takr" },
	{ "Tamil", "Taml" }, { "Tangsa", "Tnsa" }, { "Tangut", "Tang" },
	{ "Telugu", "Telu" }, { "Thaana", "Thaa" }, { "Thai", "Thai" },
	{ "Tibetan", "Tibt" }, { "Tifinagh", "Tfng" }, { "Tirhuta", "Tirh" },
	{ "Todhri", "Todr" }, { "Tolong_Siki", "Tols" }, { "Toto", "Toto" },
	{ "Tulu_Tigalari", "Tutg" }, { "Ugaritic", "Ugar" },
	{ "Unknown", "Zzzz" }, { "Vai", "Vaii" }, { "Vithkuqi", "Vith" },
	{ "Wancho", "Wcho" }, { "Warang_Citi", "Wara" }, { "Yezidi", "Yezi" },
	{ "Yi", "Yiii" }, { "Zanabazar_Square", "Zanb" },
};
/* clang-format on */

#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool
is_same(const char *name, const char *s, size_t n)
{
	return strlen(name) == n && memcmp(name, s, n) == 0;
}

static const struct property *
find(const struct property *list, size_t count, const char *s, size_t n)
{
	for (size_t i = 0; i < count; i++) {
		if (is_same(list[i].name, s, n) || is_same(list[i].alias, s, n))
			return &list[i];
	}
	return NULL;
}

static void
emit(struct ecma *r, bool negated, const char *kind, const char *name)
{
	wv_ecma_emit_text(r, negated ? "\\P{" : "\\p{");
	wv_ecma_emit_text(r, kind);
	wv_ecma_emit_text(r, name);
	wv_ecma_emit_text(r, "}");
}

static bool
category(struct ecma *r, bool negated, const char *s, size_t n)
{
	const struct property *found =
		find(categories, COUNT(categories), s, n);

	if (is_same("Cased_Letter", s, n) || is_same("LC", s, n))
		emit(r, negated, "", "L&");
	else if (found != NULL)
		emit(r, negated, "", found->alias);
	else
		return false;
	return true;
}

static bool
script(struct ecma *r, bool negated, const char *kind, const char *s, size_t n)
{
	const struct property *found = find(scripts, COUNT(scripts), s, n);

	if (found == NULL)
		return false;
	emit(r, negated, kind, found->alias);
	return true;
}

/* A property without a value. */
static bool
lone(struct ecma *r, bool negated, const char *s, size_t n)
{
	const struct property *found = find(binary, COUNT(binary), s, n);

	if (found != NULL)
		emit(r, negated, "", found->name);
	else if (is_same("Assigned", s, n))
		emit(r, !negated, "", "Cn");
	else if (is_same("Changes_When_NFKC_Casefolded", s, n) ||
		is_same("CWKCF", s, n))
		wv_ecma_beyond(r, "Changes_When_NFKC_Casefolded");
	else
		return category(r, negated, s, n);
	return true;
}

static bool
with_value(struct ecma *r, bool negated, const char *s, const char *equals,
	const char *end)
{
	size_t key = (size_t)(equals - s), n = (size_t)(end - equals - 1);
	const char *value = equals + 1;

	if (is_same("General_Category", s, key) || is_same("gc", s, key))
		return category(r, negated, value, n);
	if (is_same("Script", s, key) || is_same("sc", s, key))
		return script(r, negated, "sc:", value, n);
	if (is_same("Script_Extensions", s, key) || is_same("scx", s, key))
		return script(r, negated, "scx:", value, n);
	return false;
}

int
wv_ecma_property(struct ecma *r, bool negated)
{
	const char *close = memchr(r->s, '}', (size_t)(r->end - r->s));
	const char *name = r->s + 1, *equals;

	if (wv_ecma_peek(r, 0) != '{' || close == NULL)
		return wv_ecma_bad(r, "bad property escape");
	equals = memchr(name, '=', (size_t)(close - name));
	if (equals ? !with_value(r, negated, name, equals, close)
		   : !lone(r, negated, name, (size_t)(close - name)))
		return wv_ecma_bad(r, "unknown property");
	r->s = close + 1;
	return 0;
}
