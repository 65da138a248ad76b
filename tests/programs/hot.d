// Names that D makes: templates, members, nested functions, strings.
module hot;

struct Counter(T) {
	T total;
	void add(int n) { foreach (i; 0 .. n) total = spin(total, i); }
}

pragma(inline, false) T spin(T)(T a, int i)
{
	foreach (k; 0 .. 4)
		a = cast(T)(a * 31 + i * k);
	return a;
}

struct Pair {
	int a;
	ulong b;

	pragma(inline, false) ulong mix(const(char)[] s, int n) const
	{
		ulong r = b;

		foreach (i; 0 .. n)
			r = r * 7 + s[i % s.length] + a;
		return r;
	}
}

extern(C) int main(int argc, char **argv)
{
	Counter!ulong counter;
	Counter!(short) small;
	Pair p = Pair(3, 5);

	pragma(inline, false) ulong nested(int n) { return n + argc; }
	counter.add(argc);
	small.add(argc);
	return cast(int)(counter.total + small.total + p.mix("hello", argc) + nested(2)) & 1;
}
