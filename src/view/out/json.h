/* SPDX-License-Identifier: MIT */
/*
 * A JSON writer (RFC 8259) that appends member by member. It puts the commas between members and
 * between elements.
 *
 *   struct json j = {.out = &out->buf};
 *   json_open(&j, '{');
 *   json_text_member(&j, "name", "value");
 *   json_close(&j, '}');
 */
#ifndef VIEW_JSON_H
#define VIEW_JSON_H

#include "base/buf.h"

/* The caller may send and clear .out between two calls. */
struct json {
	struct buf *out;
	bool follows; /* the next name or element needs a comma */
};

/* "text", with its quotes. Bytes that are no UTF-8 become U+FFFD. */
void json_quote(struct buf *out, const char *text);
/* "name": */
void json_name(struct json *j, const char *name);
/* "name":"value"; "name":123; "name":true */
void json_text_member(struct json *j, const char *name, const char *value);
void json_optional_member(struct json *j, const char *name, const char *value); /* NULL: none */
void json_number_member(struct json *j, const char *name, uint64_t value);
void json_bool_member(struct json *j, const char *name, bool value);
/* Elements of an array. */
void json_text_element(struct json *j, const char *value);
void json_number_element(struct json *j, uint64_t value);
void json_signed_element(struct json *j, int64_t value);
void json_null_element(struct json *j);
/* value / 10^decimals, all decimals written: 1.250 */
void json_decimal_element(struct json *j, uint64_t value, unsigned int decimals);
void json_decimal_member(struct json *j, const char *name, uint64_t value, unsigned int decimals);
/* Opens with '{' or '[', as an element or as the value of a name; closes with '}' or ']'. */
void json_open(struct json *j, char bracket);
void json_close(struct json *j, char bracket);

#endif
