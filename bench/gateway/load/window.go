package main

import (
	"sync/atomic"
	"time"
)

const (
	dialTimeout = 5 * time.Second
	// Nothing in between may keep a client waiting for longer.
	ioTimeout = 10 * time.Second
)

// Tally counts what the goroutines of a client do, before, in and after the measured time.
type Tally struct {
	total, errors atomic.Int64
	firstError    atomic.Pointer[string]
	stopped       atomic.Bool
	running       atomic.Bool
}

func (t *Tally) failed(err error) {
	// What the end of the measurement tears down is no error.
	if t.stopped.Load() {
		return
	}
	sentence := err.Error()
	t.firstError.CompareAndSwap(nil, &sentence)
	t.errors.Add(1)
}

// measure waits for the warm-up and the duration, and says what was done in between.
func (t *Tally) measure(target Target) Result {
	time.Sleep(target.Warmup)
	begin, before := time.Now(), t.total.Load()
	t.running.Store(true)
	time.Sleep(target.Duration)
	t.running.Store(false)
	done, seconds := t.total.Load()-before, time.Since(begin).Seconds()
	t.stopped.Store(true)
	result := Result{Done: done, Total: t.total.Load(), Seconds: seconds, Errors: t.errors.Load()}
	if first := t.firstError.Load(); first != nil {
		result.FirstError = *first
	}
	return result
}
