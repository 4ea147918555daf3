/* SPDX-License-Identifier: Apache-2.0 */
/* Binary data: its type by the first bytes, the size of pictures. */
#include "firewall/internal.h"

#include <string.h>

struct magic {
	size_t offset;
	const char *bytes;
	size_t n;
	const char *type;
	bool weak; /* a text may begin so: only if it is none */
};

#define M(offset, bytes, type, weak) \
	{ \
		offset, bytes, sizeof(bytes) - 1, type, weak \
	}
static const struct magic magics[] = {
	M(0, "\x89PNG\r\n\x1A\n", "image/png", false),
	M(0, "\xFF\xD8\xFF", "image/jpeg", false),
	M(0, "GIF87a", "image/gif", false),
	M(0, "GIF89a", "image/gif", false),
	M(8, "WEBPVP8", "image/webp", false),
	M(0, "BM", "image/bmp", true),
	M(0, "II*\0", "image/tiff", false),
	M(0, "MM\0*", "image/tiff", false),
	M(0, "\0\0\1\0", "image/vnd.microsoft.icon", true),
	M(0, "%PDF-", "application/pdf", false),
	M(0, "PK\x03\x04", "application/zip", false),
	M(0, "PK\x05\x06", "application/zip", false),
	M(0, "\x1F\x8B", "application/gzip", false),
	M(0, "BZh", "application/x-bzip2", true),
	M(0,
		"\xFD"
		"7zXZ\0",
		"application/x-xz", false),
	M(0, "\x28\xB5\x2F\xFD", "application/zstd", false),
	M(0, "7z\xBC\xAF\x27\x1C", "application/x-7z-compressed", false),
	M(0, "Rar!\x1A\x07", "application/vnd.rar", false),
	M(257, "ustar", "application/x-tar", true),
	M(0,
		"\x7F"
		"ELF",
		"application/x-elf", false),
	M(0, "MZ", "application/vnd.microsoft.portable-executable", true),
	M(0, "\xCF\xFA\xED\xFE", "application/x-mach-binary", false),
	M(0, "\xCE\xFA\xED\xFE", "application/x-mach-binary", false),
	M(0, "\xCA\xFE\xBA\xBE", "application/java-vm", false),
	M(0, "\0asm", "application/wasm", false),
	M(0, "SQLite format 3\0", "application/vnd.sqlite3", false),
	M(0, "PAR1", "application/vnd.apache.parquet", true),
	M(0, "Obj\1", "application/avro", false),
	M(8, "WAVEfmt ", "audio/wav", false),
	M(0, "ID3", "audio/mpeg", true),
	M(0, "\xFF\xFB", "audio/mpeg", false),
	M(0, "OggS\0", "application/ogg", false),
	M(0, "fLaC\0", "audio/flac", false),
	M(4, "ftypheic", "image/heic", false),
	M(4, "ftypavif", "image/avif", false),
	M(4, "ftyp", "video/mp4", true),
	M(0, "\x1A\x45\xDF\xA3", "video/webm", false),
	M(0, "wOFF", "font/woff", true),
	M(0, "wOF2", "font/woff2", true),
	M(0, "\0\1\0\0\0", "font/ttf", true),
	M(0, "OTTO\0", "font/otf", false),
	M(0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "application/x-ole-storage",
		false),
	M(0, "\x80\4\x95", "application/x-pickle", false),
};
#undef M

/* What a zip archive that begins with such a name is. */
static const char *
zip_type(const char *raw, size_t len)
{
	static const char *const names[][2] = {
		{ "[Content_Types].xml",
			"application/"
			"vnd.openxmlformats-officedocument" },
		{ "_rels/", "application/vnd.openxmlformats-officedocument" },
		{ "META-INF/", "application/java-archive" },
		{ "mimetypeapplication/epub+zip", "application/epub+zip" },
		{ "mimetypeapplication/vnd.oasis.opendocument",
			"application/vnd.oasis.opendocument" },
	};
	enum { NAME = 30 }; /* where it begins */

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		size_t n = strlen(names[i][0]);
		if (len >= NAME + n && memcmp(raw + NAME, names[i][0], n) == 0)
			return names[i][1];
	}
	return "application/zip";
}

const char *
wv_magic_type(const char *raw, size_t len, bool is_binary)
{
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++) {
		const struct magic *m = &magics[i];
		if (len < m->offset + m->n || raw[m->offset] != *m->bytes ||
			(m->weak && !is_binary) ||
			memcmp(raw + m->offset, m->bytes, m->n) != 0)
			continue;
		return strcmp(m->type, "application/zip") == 0
			? zip_type(raw, len)
			: m->type;
	}
	return NULL;
}

static unsigned
big(const unsigned char *s, int n)
{
	unsigned value = 0;

	while (n-- > 0)
		value = value << 8 | *s++;
	return value;
}

static unsigned
little(const unsigned char *s, int n)
{
	unsigned value = 0;

	while (n-- > 0)
		value = value << 8 | s[n];
	return value;
}

/* The frame header among the segments of a JPEG. */
static void
jpeg_size(const unsigned char *s, size_t len, unsigned size[2])
{
	size_t at = 2;

	while (at + 9 < len && s[at] == 0xFF) {
		unsigned marker = s[at + 1];
		if (marker == 0xFF) {
			at++;
			continue;
		}
		if (marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 &&
			marker != 0xC8 && marker != 0xCC) {
			size[0] = big(s + at + 7, 2);
			size[1] = big(s + at + 5, 2);
			return;
		}
		at += 2 +
			(marker >= 0xD0 && marker <= 0xD9 ? 0
							  : big(s + at + 2, 2));
	}
}

static void
webp_size(const unsigned char *s, size_t len, unsigned size[2])
{
	if (len < 30)
		return;
	if (s[15] == 'X') {
		size[0] = little(s + 24, 3) + 1;
		size[1] = little(s + 27, 3) + 1;
	} else if (s[15] == 'L') {
		unsigned bits = little(s + 21, 4);
		size[0] = (bits & 0x3FFF) + 1;
		size[1] = (bits >> 14 & 0x3FFF) + 1;
	} else {
		size[0] = little(s + 26, 2) & 0x3FFF;
		size[1] = little(s + 28, 2) & 0x3FFF;
	}
}

void
wv_image_size(const char *type, const char *raw, size_t len, unsigned size[2])
{
	const unsigned char *s = (const unsigned char *)raw;

	size[0] = size[1] = 0;
	if (strcmp(type, "image/png") == 0 && len >= 24) {
		size[0] = big(s + 16, 4);
		size[1] = big(s + 20, 4);
	} else if (strcmp(type, "image/gif") == 0 && len >= 10) {
		size[0] = little(s + 6, 2);
		size[1] = little(s + 8, 2);
	} else if (strcmp(type, "image/bmp") == 0 && len >= 26) {
		size[0] = little(s + 18, 4);
		size[1] = little(s + 22, 4);
		/* negative: from top to bottom */
		if (size[1] > 0x7FFFFFFF)
			size[1] = 0 - size[1];
	} else if (strcmp(type, "image/webp") == 0) {
		webp_size(s, len, size);
	} else if (strcmp(type, "image/jpeg") == 0) {
		jpeg_size(s, len, size);
	}
}
