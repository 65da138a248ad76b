// SPDX-License-Identifier: MIT

// stacks of Go, [SECONDS]: as stacks.c, but what the truth is Go's own runtime says when a leaf is reached. Compiled by
// tests/live/unwinding.
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"time"
)

var sink uint64
var span time.Duration

func tell() {
	pc := make([]uintptr, 100)
	frames := runtime.CallersFrames(pc[:runtime.Callers(3, pc)])
	var names []string
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		names = append(names, f.Function)
	}
	fmt.Printf("%s: %s\n", names[0], strings.Join(names[1:], " "))
}

func burn() {
	tell()
	end := time.Now().Add(span)
	for time.Now().Before(end) {
		for i := 0; i < 200000; i++ {
			sink = sink*2862933555777941757 + 1
		}
	}
}

//go:noinline
func leafPlain() { burn(); sink++ }

//go:noinline
func leafMethod() { burn(); sink++ }

//go:noinline
func leafSort() { burn(); sink++ }

//go:noinline
func leafDefer() { burn(); sink++ }

//go:noinline
func leafPanic() { burn(); sink++ }

//go:noinline
func leafDeep() { burn(); sink++ }

//go:noinline
func leafRoutine() { burn(); sink++ }

type shape interface{ draw() }
type circle struct{ r int }

//go:noinline
func (c *circle) draw() { leafMethod(); sink += uint64(c.r) }

//go:noinline
func draws(s shape) { s.draw(); sink++ }

//go:noinline
func plain() { leafPlain(); sink++ }

//go:noinline
func sorts() {
	numbers, done := []int{3, 1, 2, 5, 4}, false
	sort.Slice(numbers, func(i, j int) bool {
		if !done {
			done = true
			leafSort()
		}
		return numbers[i] < numbers[j]
	})
	sink += uint64(numbers[2])
}

//go:noinline
func deferred() { leafDefer(); sink++ }

//go:noinline
func defers() {
	defer deferred()
	sink++
}

//go:noinline
func recovers() {
	leafPanic()
	recover()
}

//go:noinline
func panics() {
	defer recovers()
	var m map[string]int
	m["a"] = 1
}

// A frame that makes the stack grow, and so move.
//
//go:noinline
func deep(n int) uint64 {
	var here [300]uint64
	here[n] = uint64(n)
	if n == 0 {
		leafDeep()
		return 1
	}
	return deep(n-1) + here[n/2]
}

//go:noinline
func routine(done chan bool) {
	leafRoutine()
	done <- true
}

//go:noinline
func main() {
	seconds := 2.0
	if len(os.Args) > 1 {
		seconds, _ = strconv.ParseFloat(os.Args[1], 64)
	}
	span = time.Duration(seconds * 1e9 / 7)
	plain()
	draws(&circle{3})
	sorts()
	defers()
	panics()
	sink += deep(8)
	done := make(chan bool)
	go routine(done)
	<-done
}
