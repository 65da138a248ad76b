// SPDX-License-Identifier: MIT
//! Call chains of Rust for tests/live/stepping: traits, closures, iterators, strings, a panic that is caught.
use std::collections::BTreeMap;
use std::hint::black_box;
use std::panic;

trait Shape {
    fn area(&self, n: u64) -> u64;
}

struct Square(u64);

impl Shape for Square {
    #[inline(never)]
    fn area(&self, n: u64) -> u64 {
        self.0 * n + 1
    }
}

struct Guard(String);

impl Drop for Guard {
    #[inline(never)]
    fn drop(&mut self) {
        black_box(self.0.len());
    }
}

#[inline(never)]
fn recursive(n: u64) -> u64 {
    let guard = Guard(format!("{} is kept", n));
    if n == 0 { guard.0.len() as u64 } else { recursive(n - 1) + n }
}

#[inline(never)]
fn fails(n: u64) -> u64 {
    let _guard = Guard(n.to_string());
    if black_box(n) < 1000 {
        panic::resume_unwind(Box::new(n));
    }
    n
}

#[inline(never)]
fn collections(n: u64) -> u64 {
    let mut map = BTreeMap::new();
    for i in 0..10u64 {
        map.insert((i * 7919 + n) % 101, i.to_string());
    }
    let mut keys: Vec<u64> = map.keys().map(|k| k * n).collect();
    keys.sort_by(|a, b| b.cmp(a));
    keys[3] + map.values().map(|v| v.len() as u64).sum::<u64>()
}

fn main() {
    let shape: Box<dyn Shape> = Box::new(Square(3));
    for n in 0..1000 {
        black_box(shape.area(n) + recursive(n % 5) + collections(n));
        black_box(panic::catch_unwind(|| fails(n)).is_err());
    }
}
