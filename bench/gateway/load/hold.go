package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// hold opens connections and keeps them; for each line on standard input it says how many are alive.
func hold(target Target) error {
	hello := clientHello(target.ServerName)
	held := make([]net.Conn, target.Connections)
	var failed atomic.Int64
	forAll(held, func(i int) {
		if held[i] = holdOne(target, hello); held[i] == nil {
			failed.Add(1)
		}
	})
	if failed.Load() > 0 {
		return fmt.Errorf("%d of %d connections could not be opened", failed.Load(), len(held))
	}
	fmt.Println(`{"alive":` + fmt.Sprint(len(held)) + `}`)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if err := json.NewEncoder(os.Stdout).Encode(map[string]int64{"alive": countAlive(held)}); err != nil {
			return err
		}
	}
	return nil
}

func forAll(held []net.Conn, work func(int)) {
	var group sync.WaitGroup
	slots := make(chan struct{}, 64)
	for i := range held {
		slots <- struct{}{}
		group.Go(func() {
			work(i)
			<-slots
		})
	}
	group.Wait()
}

func holdOne(target Target, hello []byte) net.Conn {
	connection, err := dialRaw(target, hello, askEcho)
	if err != nil || !echoed(connection, nil) {
		return nil
	}
	return connection
}

func countAlive(held []net.Conn) int64 {
	var alive atomic.Int64
	forAll(held, func(i int) {
		if echoed(held[i], []byte{'e'}) {
			alive.Add(1)
		}
	})
	return alive.Load()
}

// echoed sends a byte and awaits it back.
func echoed(connection net.Conn, send []byte) bool {
	_ = connection.SetDeadline(time.Now().Add(ioTimeout))
	if _, err := connection.Write(send); err != nil {
		return false
	}
	answer := make([]byte, 1)
	_, err := io.ReadFull(connection, answer)
	return err == nil && answer[0] == 'e'
}
