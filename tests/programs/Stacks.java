// SPDX-License-Identifier: MIT
/**
 * Stacks [SECONDS]: as stacks.c. At its end it has its runtime write the map of its code. Run by tests/live/unwinding-jit.
 */
public class Stacks {
	static volatile int sink = 1;
	static long span;

	interface Shape {
		void draw();
	}

	static class Circle implements Shape {
		public void draw() {
			leafInterface();
			sink++;
		}
	}

	static void burn() {
		long end = System.nanoTime() + span;
		while (System.nanoTime() < end) {
			int x = sink;
			for (int i = 0; i < 1000000; i++)
				x = x * 1103515245 + 12345;
			sink = x;
		}
	}

	static void leafPlain() { burn(); sink++; }
	static void leafInterface() { burn(); sink++; }
	static void leafSort() { burn(); sink++; }
	static void leafRecursion() { burn(); sink++; }
	static void leafCatch() { burn(); sink++; }

	static void middle() { leafPlain(); sink++; }
	static void plain() { middle(); sink++; }
	static void draws(Shape s) { s.draw(); sink++; }

	static boolean sorted;

	static int compares(Integer a, Integer b) {
		if (!sorted) {
			sorted = true;
			leafSort();
		}
		return a - b;
	}

	static void sorts() {
		Integer[] numbers = {5, 3, 2, 4, 1};
		java.util.Arrays.sort(numbers, Stacks::compares);
		sink++;
	}

	static void recursion(int n) {
		if (n > 0)
			recursion(n - 1);
		else
			leafRecursion();
		sink++;
	}

	static void throwsUp(int n) {
		if (n == 0)
			throw new RuntimeException("on purpose");
		throwsUp(n - 1);
	}

	static void catches() {
		try {
			throwsUp(4);
		} catch (RuntimeException e) {
			leafCatch();
		}
		sink++;
	}

	static void topOfAll() {
		plain();
		draws(new Circle());
		sorts();
		recursion(3);
		catches();
	}

	public static void main(String[] args) throws Exception {
		span = (long) ((args.length > 0 ? Double.parseDouble(args[0]) : 2) * 1e9 / 5);
		System.out.println("leafPlain: middle plain topOfAll\n" +
				"leafInterface: draw draws topOfAll\n" +
				"leafSort: compares sorts topOfAll\n" +
				"leafRecursion: recursion recursion recursion recursion topOfAll\n" +
				"leafCatch: catches topOfAll");
		topOfAll();
		new ProcessBuilder("jcmd", Long.toString(ProcessHandle.current().pid()), "Compiler.perfmap")
				.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
	}
}
