// SPDX-License-Identifier: MIT
/*
 * stacks of C++, [SECONDS]: as stacks.c, at the ends of call chains that C++ makes: virtual calls and thunks,
 * templates, destructors and handlers of exceptions, code of the library between. Compiled by tests/live/unwinding.
 */
#include "burn.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

extern "C" {
LEAF(leaf_virtual)
LEAF(leaf_thunk)
LEAF(leaf_handler)
LEAF(leaf_destructor)
LEAF(leaf_sort)
LEAF(leaf_function)
LEAF(leaf_thread)
LEAF(leaf_nothrow)
}

struct Shape {
	virtual ~Shape() = default;
	virtual void draw() = 0;
};

struct Named {
	virtual ~Named() = default;
	virtual void name() = 0;
	int filler = 3;
};

/* As the second base it is called through a thunk, which adjusts "this" and leaves no frame. */
struct Circle : Shape, Named {
	FAR void draw() override
	{
		leaf_virtual();
		sink = sink + 1;
	}
	FAR void name() override
	{
		leaf_thunk();
		sink = sink + static_cast<unsigned long>(filler);
	}
};

extern "C" FAR void virtual_call(Shape *s)
{
	s->draw();
	sink = sink + 1;
}

extern "C" FAR void thunk_call(Named *n)
{
	n->name();
	sink = sink + 1;
}

extern "C" FAR void throws(int depth)
{
	volatile char here[100];

	here[depth] = 1;
	if (!depth)
		throw std::runtime_error("on purpose");
	throws(depth - 1);
	sink = sink + static_cast<unsigned long>(here[depth]);
}

extern "C" FAR void handles()
{
	try {
		throws(5);
	} catch (const std::exception &e) {
		leaf_handler();
		sink = sink + 1;
	}
}

struct Guard {
	FAR ~Guard()
	{
		leaf_destructor();
		sink = sink + 1;
	}
};

/* The stack is being cleaned up: its frames below are gone. */
extern "C" FAR void guarded()
{
	Guard g;

	throws(3);
}

extern "C" FAR void cleans_up()
{
	try {
		guarded();
	} catch (...) {
		sink = sink + 1;
	}
}

static bool sorted;

extern "C" FAR bool compare(int a, int b)
{
	if (!sorted) {
		sorted = true;
		leaf_sort();
	}
	return a < b;
}

extern "C" FAR void sorts()
{
	std::vector<int> numbers;

	for (int i = 0; i < 100; i++)
		numbers.push_back(i * 7919 % 100);
	std::sort(numbers.begin(), numbers.end(), compare);
	sink = sink + static_cast<unsigned long>(numbers[7]);
}

extern "C" FAR void calls_function(const std::function<void(int)> &f)
{
	f(3);
	sink = sink + 1;
}

extern "C" FAR void bound(int n)
{
	leaf_function();
	sink = sink + static_cast<unsigned long>(n);
}

extern "C" FAR void in_thread()
{
	leaf_thread();
	sink = sink + 1;
}

/* Without a landing pad: an exception would end the program. */
extern "C" FAR void nothrow() noexcept
{
	leaf_nothrow();
	sink = sink + 1;
}

int main(int argc, char **argv)
{
	auto circle = std::make_unique<Circle>();

	span = (argc > 1 ? atof(argv[1]) : 2) / 8;
	puts("leaf_virtual: Circle::draw virtual_call main\n"
	     "leaf_thunk: Circle::name thunk_call main\n"
	     "leaf_handler: handles main\n"
	     "leaf_destructor: Guard::~Guard guarded cleans_up main\n"
	     "leaf_sort: compare sorts main\n"
	     "leaf_function: bound calls_function main\n"
	     "leaf_thread: in_thread\n"
	     "leaf_nothrow: nothrow main");
	virtual_call(circle.get());
	thunk_call(circle.get());
	handles();
	cleans_up();
	sorts();
	calls_function(bound);
	std::thread(in_thread).join();
	nothrow();
	return 0;
}
