"""Programs that are recorded: real ones and small ones of tests/programs. Each takes one to a few seconds."""
import os
import shutil

from measure import Skip

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

PAGE = r"""
#include <algorithm>
#include <iostream>
#include <map>
#include <regex>
#include <string>
#include <vector>
int main(int n, char **words) {
	std::regex wanted(words[1]); std::map<std::string, int> seen; std::vector<std::string> all(words, words + n);
	std::sort(all.begin(), all.end());
	for (const auto &word : all) seen[word] += std::regex_match(word, wanted);
	std::cout << seen.size() << std::endl;
}
"""

CXX = r"""
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>
template <typename T> struct Table {
	std::map<T, std::vector<T>> rows;
	void put(const T &key, const T &value) { rows[key].push_back(value); }
	size_t size() const { size_t n = 0; for (auto &row : rows) n += row.second.size(); return n; }
};
struct Shape { virtual ~Shape() {} virtual double area(int depth) const = 0; };
struct Square : Shape { double area(int depth) const override { return depth ? area(depth - 1) * 1.01 : 2.0; } };
struct Round : Shape { double area(int depth) const override { return depth ? area(depth - 1) * 1.02 : 3.0; } };
static void work(int seed) {
	Table<std::string> table; double sum = 0; Square a; Round b;
	for (int i = 0; i < 400000; i++) {
		table.put(std::to_string((i * 7919ull + seed) % 1000), std::to_string(i));
		sum += (i % 2 ? static_cast<const Shape &>(a) : b).area(i % 40);
	}
	std::printf("%zu %f\n", table.size(), sum);
}
static void some(int seed) { for (int i = 0; i < 12; i++) work(seed + i); }
int main() { std::thread one(some, 1), two(some, 2); one.join(); two.join(); }
"""

NODE = """
function fill(n) { const m = new Map(); for (let i = 0; i < n; i++) m.set('k' + (i * 7919) % 5000, {i, s: String(i)}); return m; }
function total(m) { let t = 0; for (const [k, v] of m) t += v.i + k.length + v.s.length; return t; }
let t = 0; for (let r = 0; r < 20; r++) t += total(fill(100000)); console.log(t);
"""

JAVA = """
import java.util.*;
public class Work {
	static Map<String, Integer> fill(int n) { Map<String, Integer> m = new HashMap<>();
		for (int i = 0; i < n; i++) m.merge("k" + i * 7919L % 5000, i, Integer::sum); return m; }
	public static void main(String[] args) { long t = 0;
		for (int r = 0; r < 60; r++) for (int v : fill(100000).values()) t += v; System.out.println(t); }
}
"""


def tool(*names):
    for name in names:
        if shutil.which(name):
            return name
    raise Skip("no " + " or ".join(names))


def source(bench, name, text):
    path = os.path.join(bench.folder, name)
    if not os.path.exists(path):
        with open(path, "w") as f:
            f.write(text)
    return path


def big_c(bench):
    parts = ["#include <stdio.h>\n"]
    for i in range(350):
        parts.append(f"int f{i}(int a, int b) {{ int s = {i}; for (int i = a; i < b; i++) "
                     f"{{ switch (i % 5) {{ case 0: s += i * {i % 97 + 1}; break; case 1: s ^= a << 2; break; "
                     f"case 2: s -= b; break; default: s = s * 31 + i; }} }} return s; }}\n")
    return source(bench, "large.c", "".join(parts))


TEMPLATES = """
struct S%(i)d { int a; std::string b; double c[%(n)d];
	bool operator<(const S%(i)d &o) const { return a < o.a || (a == o.a && b < o.b); } };
std::map<S%(i)d, std::vector<S%(other)d>> m%(i)d;
int f%(i)d(int x, std::vector<S%(i)d> v) {
	std::sort(v.begin(), v.end());
	std::function<int(int)> g = [&](int y) { int s = %(i)d; for (auto &e : v) s += e.a * y + (int)e.b.size(); return s; };
	std::unordered_map<std::string, int> u;
	int t = 0;
	for (auto &e : v) u[e.b] += g(e.a);
	for (auto &w : u) t += w.second;
	m%(i)d[v[0]].resize(t %% 7);
	return t + x; }
"""


def templates(bench):
    """A page of C++ whose containers are made for ten types: four seconds of a compiler."""
    heads = "".join(f"#include <{name}>\n" for name in ("map", "vector", "string", "algorithm", "functional", "unordered_map"))
    return source(bench, "templates.cc",
                  heads + "".join(TEMPLATES % {"i": i, "n": i % 7 + 1, "other": i * 3 % (i + 1)} for i in range(10)))


def cxx(bench):
    path, program = source(bench, "two.cc", CXX), os.path.join(bench.folder, "two")
    if not os.path.exists(program):
        bench.shell(f"{tool('g++', 'clang++')} -g -O2 -fno-omit-frame-pointer -o {program} {path} -pthread")
    return program


def archive(bench):
    path = os.path.join(bench.folder, "packed")
    if not os.path.exists(path):
        bench.shell(f"cat /usr/bin/* 2>/dev/null | head -c 12000000 >{path}")
    return path


def seven(bench):
    program, out = tool("7z", "7zz", "7za"), os.path.join(bench.folder, "a.7z")
    return f"sh -c 'rm -f {out}; {program} a -mx=3 -mmt=2 {out} {archive(bench)}'"


def java(bench):
    tool("java"), tool("javac")
    path = source(bench, "Work.java", JAVA)
    if not os.path.exists(os.path.join(bench.folder, "Work.class")):
        bench.shell(f"javac -d {bench.folder} {path}")
    return f"java -cp {bench.folder} -XX:+PreserveFramePointer Work"


WORKLOADS = {
    "7z": seven,
    "sysbench": lambda b: tool("sysbench") + " cpu --threads=2 --time=0 --events=8000 run",
    "gcc": lambda b: f"{tool('gcc')} -O2 -c -o {b.folder}/large.o {big_c(b)}",
    "threads": lambda b: b.programs + "/threads 32 0.08",
    "forks": lambda b: b.programs + "/forks 1500",
    "switches": lambda b: b.programs + "/switches 150000",
    "dd": lambda b: tool("dd") + " if=/dev/zero of=/dev/null bs=1 count=1000000",
    "deep": lambda b: b.programs + "/deep 120 1.5",
    "clang": lambda b: f"{tool('clang++')} -O2 -g -c -o {b.folder}/two.o {source(b, 'two.cc', CXX)}",
    "page": lambda b: f"{tool('clang++')} -O2 -c -o {b.folder}/page.o {source(b, 'page.cc', PAGE)}",
    "c++": cxx,
    "node": lambda b: f"{tool('node')} --perf-basic-prof {source(b, 'work.js', NODE)}",
    "java": java,
}


def calls(bench, option):
    """20 calls deep, with one processor busy: a chain of the same length with and without frame pointers."""
    path = os.path.join(bench.folder, "calls" + option)
    if not os.path.exists(path):
        bench.shell(f"{tool('gcc', 'clang')} -O2 {option} -o {path} {TOP}/tests/programs/deep.c")
    return f"{path} 20 2"


# What other rows than record-NAME record.
EQUAL = {
    "clangs": lambda b: f"sh -c 'for i in 1 2 3 4 5; do {WORKLOADS['clang'](b)}; done'",
    "templates": lambda b: f"{tool('clang++')} -O2 -c -o {b.folder}/templates.o {templates(b)}",
    "with-frame-pointers": lambda b: calls(b, "-fno-omit-frame-pointer"),
    "without-frame-pointers": lambda b: calls(b, "-fomit-frame-pointer"),
}


def command(bench, name):
    """The line that runs a workload; Skip when its program is missing."""
    return (WORKLOADS.get(name) or EQUAL[name])(bench)
