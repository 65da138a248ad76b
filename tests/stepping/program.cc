// SPDX-License-Identifier: MIT
/* Call chains of C++ for tests/live/stepping: exceptions and destructors, virtual calls and thunks, lambdas, the
 * library's templates. */
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#define FAR __attribute__((noinline))

static volatile unsigned long sink;

struct Shape {
	virtual ~Shape() = default;
	virtual unsigned long area(unsigned int n) = 0;
};

struct Named {
	virtual ~Named() = default;
	virtual unsigned long name(unsigned int n) = 0;
	unsigned int filler = 3;
};

struct Circle : Shape, Named {
	FAR unsigned long area(unsigned int n) override { return n * 3 + sink; }
	FAR unsigned long name(unsigned int n) override { return n + filler + area(n); }
};

struct Guard {
	std::string text;
	FAR explicit Guard(unsigned int n) : text(std::to_string(n) + " is a number that is kept somewhere else") {}
	FAR ~Guard() { sink = sink + text.size(); }
};

FAR static unsigned long throws(unsigned int n)
{
	Guard guard(n);

	if (!n)
		throw std::runtime_error("deep down");
	return throws(n - 1) + guard.text.size();
}

FAR static unsigned long catches(unsigned int n)
{
	try {
		return throws(n);
	} catch (const std::exception &e) {
		return std::string(e.what()).size();
	}
}

FAR static unsigned long again(unsigned int n)
{
	try {
		try {
			throw n;
		} catch (unsigned int caught) {
			sink = sink + caught;
			throw;
		}
	} catch (...) {
		return n;
	}
}

FAR static unsigned long library(unsigned int n)
{
	std::map<std::string, std::vector<unsigned int>> map;
	std::vector<unsigned int> numbers;

	for (unsigned int i = 0; i < 12; i++) {
		map[std::to_string(i * n)].push_back(i);
		numbers.push_back(i * 7919 % 101);
	}
	std::sort(numbers.begin(), numbers.end(), [n](unsigned int a, unsigned int b) { return (a ^ n) < (b ^ n); });
	return map.size() + numbers[3];
}

int main()
{
	std::unique_ptr<Circle> circle = std::make_unique<Circle>();
	std::function<unsigned long(unsigned int)> call = [&](unsigned int n) { return circle->area(n) + library(n); };

	for (unsigned int i = 0; i < 1000; i++) {
		Named *named = circle.get();

		sink = sink + again(i) + catches(i % 4) + named->name(i) + call(i);
	}
	return 0;
}
