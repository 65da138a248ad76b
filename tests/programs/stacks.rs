// SPDX-License-Identifier: MIT
//! stacks of Rust, [SECONDS]: as stacks.c. Compiled by tests/live/unwinding.
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The work is inlined into each leaf.
#[inline(always)]
fn burn(span: Duration) {
    let end = Instant::now() + span;
    let mut sink = 1u64;
    while Instant::now() < end {
        for _ in 0..200_000 {
            sink = black_box(sink.wrapping_mul(2862933555777941757).wrapping_add(1));
        }
    }
}

macro_rules! leaf {
    ($name:ident, $number:expr) => {
        #[inline(never)]
        fn $name(span: Duration) {
            burn(span);
            black_box($number); // equal functions would become one
        }
    };
}

leaf!(leaf_plain, 1);
leaf!(leaf_trait, 2);
leaf!(leaf_closure, 3);
leaf!(leaf_sort, 4);
leaf!(leaf_panic, 5);
leaf!(leaf_drop, 6);
leaf!(leaf_recursion, 7);
leaf!(leaf_thread, 8);

#[inline(never)]
fn plain(span: Duration) {
    leaf_plain(span);
    black_box(1);
}

trait Shape {
    fn draw(&self, span: Duration);
}

struct Circle(u32);

impl Shape for Circle {
    #[inline(never)]
    fn draw(&self, span: Duration) {
        leaf_trait(span);
        black_box(self.0);
    }
}

#[inline(never)]
fn draws(shape: &dyn Shape, span: Duration) {
    shape.draw(span);
    black_box(1);
}

#[inline(never)]
fn calls(f: &mut dyn FnMut()) {
    f();
    black_box(1);
}

#[inline(never)]
fn in_closure(span: Duration) {
    leaf_closure(span);
    black_box(1);
}

#[inline(never)]
fn compares(first: &mut bool, span: Duration) {
    if !std::mem::replace(first, true) {
        leaf_sort(span);
    }
    black_box(1);
}

#[inline(never)]
fn sorts(span: Duration) {
    let mut numbers: Vec<u32> = (0..100).map(|i| i * 7919 % 100).collect();
    let mut first = false;
    numbers.sort_by(|a, b| {
        compares(&mut first, span);
        a.cmp(b)
    });
    black_box(numbers);
}

struct Guard(Duration);

impl Drop for Guard {
    #[inline(never)]
    fn drop(&mut self) {
        leaf_drop(self.0);
        black_box(1);
    }
}

/// The stack is being cleaned up when the guard goes.
#[inline(never)]
fn guarded(span: Duration) {
    let _guard = Guard(span);
    panics(3);
}

#[inline(never)]
fn panics(depth: u32) {
    if black_box(depth) == 0 {
        std::panic::resume_unwind(Box::new(1));
    }
    panics(depth - 1);
    black_box(1);
}

#[inline(never)]
fn catches(span: Duration) {
    let caught = std::panic::catch_unwind(|| guarded(span));
    black_box(caught.is_err());
    leaf_panic(span);
    black_box(1);
}

#[inline(never)]
fn recursion(n: u32, span: Duration) -> u32 {
    let here = black_box([n; 20]);
    let below = if n == 0 {
        leaf_recursion(span);
        1
    } else {
        recursion(n - 1, span)
    };
    below + black_box(here)[3]
}

#[inline(never)]
fn in_thread(span: Duration) {
    leaf_thread(span);
    black_box(1);
}

fn main() {
    let seconds = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(2.0);
    let span = Duration::from_secs_f64(seconds / 8.0);
    println!(
        "stacks::leaf_plain: stacks::plain stacks::main\n\
         stacks::leaf_trait: <stacks::Circle,as,stacks::Shape>::draw stacks::draws stacks::main\n\
         stacks::leaf_closure: stacks::in_closure stacks::calls stacks::main\n\
         stacks::leaf_sort: stacks::compares stacks::sorts stacks::main\n\
         stacks::leaf_drop: <stacks::Guard,as,core::ops::drop::Drop>::drop stacks::guarded stacks::catches stacks::main\n\
         stacks::leaf_panic: stacks::catches stacks::main\n\
         stacks::leaf_recursion: stacks::recursion stacks::recursion stacks::recursion stacks::recursion stacks::main\n\
         stacks::leaf_thread: stacks::in_thread"
    );
    plain(span);
    draws(&Circle(3), span);
    calls(&mut || in_closure(span));
    sorts(span);
    catches(span);
    black_box(recursion(3, span));
    std::thread::spawn(move || in_thread(span)).join().unwrap();
}
