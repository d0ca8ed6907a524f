// Load for the gateway's benchmark: a backend, and clients that talk to it through whatever is in between.
// Everything shares the machine with what is measured, so it does as little as it can.
package main

import (
	"crypto/tls"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"
)

// Target is where a client connects to, and what it does there.
type Target struct {
	Address     string
	ServerName  string
	TLS         *tls.Config
	Connections int
	Warmup      time.Duration
	Duration    time.Duration
	Rate        int
}

// Result is what a client prints: one line of JSON.
type Result struct {
	// Done counts what was finished in the measured time; Total includes the warm-up.
	Done    int64   `json:"done"`
	Total   int64   `json:"total"`
	Seconds float64 `json:"seconds"`
	Errors  int64   `json:"errors"`
	// FirstError explains the count.
	FirstError string  `json:"firstError,omitempty"`
	P50        float64 `json:"p50,omitempty"`
	P99        float64 `json:"p99,omitempty"`
}

var commands = map[string]func(Target) error{
	"backend":     func(Target) error { return serve() },
	"certificate": func(Target) error { return writeCertificate(flag.Arg(0)) },
	"requests":    printed(requests),
	"paced":       printed(paced),
	"connections": printed(connections),
	"bulk":        printed(bulk),
	"verify":      printed(verify),
	"hold":        hold,
	"routable":    routable,
}

func main() {
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fail(fmt.Errorf("usage: load backend|certificate|requests|paced|connections|bulk|verify|hold|routable"))
	}
	var target Target
	flag.StringVar(&target.Address, "address", "", "where to connect to")
	flag.StringVar(&target.ServerName, "name", "", "server name to ask for")
	flag.IntVar(&target.Connections, "connections", 64, "connections at the same time")
	flag.DurationVar(&target.Warmup, "warmup", 200*time.Millisecond, "not measured")
	flag.DurationVar(&target.Duration, "duration", 2*time.Second, "measured")
	flag.IntVar(&target.Rate, "rate", 4000, "requests per second of paced")
	if err := flag.CommandLine.Parse(os.Args[2:]); err != nil {
		fail(err)
	}
	target.TLS = tlsConfig(target.ServerName)
	if err := commands[os.Args[1]](target); err != nil {
		fail(err)
	}
}

func printed(client func(Target) (Result, error)) func(Target) error {
	return func(target Target) error {
		result, err := client(target)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(result)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "load:", err)
	os.Exit(1)
}
