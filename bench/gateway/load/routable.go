package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
)

// One worker of several may know a name before the others do: this many connections in a row must succeed.
const streakLength = 24

// routable tries until a name leads to the backend, and prints when the unbroken row of successes began.
func routable(target Target) error {
	hello := clientHello(target.ServerName)
	deadline := time.Now().Add(target.Duration)
	var since time.Time
	for streak := 0; streak < streakLength; {
		begin := time.Now()
		if begin.After(deadline) {
			return fmt.Errorf("%s does not lead to the backend after %s", target.ServerName, target.Duration)
		}
		if !reaches(target, hello) {
			streak = 0
			time.Sleep(time.Millisecond)
			continue
		}
		if streak == 0 {
			since = begin
		}
		streak++
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]float64{"since": float64(since.UnixMicro()) / 1000})
}

func reaches(target Target, hello []byte) bool {
	connection, err := dialRaw(target, hello, askEcho)
	if connection != nil {
		defer connection.Close()
	}
	if err != nil {
		return false
	}
	_ = connection.SetDeadline(time.Now().Add(time.Second))
	answer := make([]byte, 1)
	_, err = io.ReadFull(connection, answer)
	return err == nil && answer[0] == askEcho
}
