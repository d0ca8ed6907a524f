package main

import (
	"crypto/tls"
	"net"
	"time"
)

func dialRawTLS(target Target) (*tls.Conn, error) {
	connection, err := net.DialTimeout("tcp", target.Address, dialTimeout)
	if err != nil {
		return nil, err
	}
	_ = connection.SetDeadline(time.Now().Add(ioTimeout + target.Warmup + target.Duration))
	client := tls.Client(connection, target.TLS)
	return client, client.Handshake()
}

// connections opens a connection, asks once, closes it, and begins anew.
func connections(target Target) (Result, error) {
	var tally Tally
	for range target.Connections {
		go func() {
			for !tally.stopped.Load() {
				if err := once(target); err != nil {
					tally.failed(err)
					time.Sleep(10 * time.Millisecond)
					continue
				}
				tally.total.Add(1)
			}
		}()
	}
	return tally.measure(target), nil
}

func once(target Target) error {
	session, err := dialTLS(target)
	if err != nil {
		return err
	}
	defer session.Close()
	return session.ask()
}
