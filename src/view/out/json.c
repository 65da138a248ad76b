// SPDX-License-Identifier: MIT
#include "view/out/json.h"

/* The length of the UTF-8 sequence at s, where n bytes are left; 0: no valid UTF-8 (RFC 3629). */
static size_t utf8_sequence(const uint8_t *s, size_t n)
{
	size_t more;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	more = s[0] < 0xe0 ? 1 : s[0] < 0xf0 ? 2 : 3;
	if (more >= n)
		return 0;
	for (size_t i = 1; i <= more; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return more + 1;
}

void json_quote(struct buf *out, const char *text)
{
	buf_char(out, '"');
	for (size_t left = strlen(text), n; left; text += n, left -= n) {
		n = utf8_sequence((const uint8_t *)text, left);
		if (!n) {
			buf_str(out, "\xef\xbf\xbd");
			n = 1;
		} else if (*text == '"' || *text == '\\') {
			buf_char(out, '\\');
			buf_char(out, *text);
		} else if ((uint8_t)*text < 0x20 || *text == 0x7f) {
			buf_str(out, "\\u");
			buf_hex_zero(out, (uint8_t)*text, 4);
		} else {
			buf_add(out, text, n);
		}
	}
	buf_char(out, '"');
}

static void separate(struct json *j)
{
	if (j->follows)
		buf_char(j->out, ',');
	j->follows = true;
}

void json_name(struct json *j, const char *name)
{
	separate(j);
	json_quote(j->out, name);
	buf_char(j->out, ':');
	j->follows = false;
}

void json_text_member(struct json *j, const char *name, const char *value)
{
	json_name(j, name);
	json_text_element(j, value);
}

void json_optional_member(struct json *j, const char *name, const char *value)
{
	if (value)
		json_text_member(j, name, value);
}

void json_number_member(struct json *j, const char *name, uint64_t value)
{
	json_name(j, name);
	json_number_element(j, value);
}

void json_bool_member(struct json *j, const char *name, bool value)
{
	json_name(j, name);
	buf_str(j->out, value ? "true" : "false");
	j->follows = true;
}

void json_text_element(struct json *j, const char *value)
{
	separate(j);
	json_quote(j->out, value);
}

void json_number_element(struct json *j, uint64_t value)
{
	separate(j);
	buf_dec(j->out, value);
}

void json_signed_element(struct json *j, int64_t value)
{
	separate(j);
	buf_sdec(j->out, value);
}

void json_null_element(struct json *j)
{
	separate(j);
	buf_str(j->out, "null");
}

void json_decimal_element(struct json *j, uint64_t value, unsigned int decimals)
{
	uint64_t unit = 1;

	for (unsigned int i = 0; i < decimals; i++)
		unit *= 10;
	separate(j);
	buf_dec(j->out, value / unit);
	buf_char(j->out, '.');
	buf_dec_zero(j->out, value % unit, decimals);
}

void json_decimal_member(struct json *j, const char *name, uint64_t value, unsigned int decimals)
{
	json_name(j, name);
	json_decimal_element(j, value, decimals);
}

void json_open(struct json *j, char bracket)
{
	separate(j);
	buf_char(j->out, bracket);
	j->follows = false;
}

void json_close(struct json *j, char bracket)
{
	buf_char(j->out, bracket);
	j->follows = true;
}
