/* SPDX-License-Identifier: MIT */
/* What every unit test includes: cmocka needs these headers in this order. */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#endif
