// SPDX-License-Identifier: MIT
// stacks of JavaScript, [SECONDS]: as stacks.c; functions are named as V8's map names them. Run by tests/live/unwinding-jit.
'use strict';
let sink = 1;

function burn(span)
{
	const end = process.cpuUsage().user + span;
	while (process.cpuUsage().user < end)
		for (let i = 0; i < 300000; i++)
			sink = (sink * 1103515245 + 12345) & 0x7fffffff;
}

function leaf_plain(span) { burn(span); sink++; }
function leaf_method(span) { burn(span); sink++; }
function leaf_sort(span) { burn(span); sink++; }
function leaf_recursion(span) { burn(span); sink++; }
function leaf_catch(span) { burn(span); sink++; }

function middle(span) { leaf_plain(span); sink++; }
function plain(span) { middle(span); sink++; }

class Circle {
	draw(span) { leaf_method(span); sink++; }
}
function draws(shape, span) { shape.draw(span); sink++; }

let sorted = false;
function compare(a, b)
{
	if (!sorted && (sorted = true))
		leaf_sort(span_of_sort);
	return a - b;
}
let span_of_sort;
function sorts(span)
{
	span_of_sort = span;
	[5, 3, 2, 4, 1].sort(compare);
	sink++;
}

function recursion(n, span)
{
	if (n)
		recursion(n - 1, span);
	else
		leaf_recursion(span);
	sink++;
}

function throws(n)
{
	if (!n)
		throw new Error('on purpose');
	throws(n - 1);
}
function catches(span)
{
	try {
		throws(4);
	} catch (e) {
		leaf_catch(span);
	}
	sink++;
}

function top_of_all(span)
{
	plain(span);
	draws(new Circle(), span);
	sorts(span);
	recursion(3, span);
	catches(span);
}

console.log(`leaf_plain: middle plain top_of_all
leaf_method: draw draws top_of_all
leaf_sort: compare sorts top_of_all
leaf_recursion: recursion recursion recursion recursion top_of_all
leaf_catch: catches top_of_all`);
top_of_all((process.argv[2] || 2) * 1e6 / 5);
