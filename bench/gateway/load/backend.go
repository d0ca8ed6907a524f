package main

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"os"
)

// Names that start so are spoken to without TLS after their ClientHello: what is measured is the gateway, which passes
// bytes on untouched, and not encryption at both ends.
const rawName = "raw."

// What a raw connection asks for, in its first byte after the ClientHello.
const (
	askBulk = 'b' // bytes, as many as it takes
	askEcho = 'e' // an 'e', and then every byte back
)

var request = []byte("GET /healthz HTTP/1.1\r\nHost: bench\r\nUser-Agent: load\r\nAccept: */*\r\n\r\n")

var reply = []byte("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 128\r\n\r\n" +
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" +
	"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef")

// serve answers until its standard input ends, so that it never outlives who started it.
func serve() error {
	certificate, err := newCertificate()
	if err != nil {
		return err
	}
	config := &tls.Config{
		Certificates:           []tls.Certificate{certificate.pair},
		MinVersion:             tls.VersionTLS13,
		SessionTicketsDisabled: true,
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	go acceptAll(listener, config)
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

func acceptAll(listener net.Listener, config *tls.Config) {
	for {
		connection, err := listener.Accept()
		if err != nil {
			fail(err)
		}
		go answer(connection, config)
	}
}

func answer(connection net.Conn, config *tls.Config) {
	defer connection.Close()
	hello, err := readRecord(connection)
	if err != nil {
		return
	}
	if bytes.Contains(hello, []byte(rawName)) {
		answerRaw(connection)
		return
	}
	answerRequests(tls.Server(&prefixed{Conn: connection, first: hello}, config))
}

func answerRequests(connection net.Conn) {
	defer connection.Close()
	buffer := make([]byte, len(request))
	for {
		if _, err := io.ReadFull(connection, buffer); err != nil {
			return
		}
		if _, err := connection.Write(reply); err != nil {
			return
		}
	}
}

func answerRaw(connection net.Conn) {
	ask := make([]byte, 1)
	if _, err := io.ReadFull(connection, ask); err != nil {
		return
	}
	switch ask[0] {
	case askBulk:
		sendAll(connection)
	case askEcho:
		echo(connection, ask)
	}
}

// What is in it does not matter; that it is shared by all connections keeps it in the processor's cache.
var payload = make([]byte, 256<<10)

func sendAll(connection net.Conn) {
	for {
		if _, err := connection.Write(payload); err != nil {
			return
		}
	}
}

// Held connections are thousands, so this buffer is small.
func echo(connection net.Conn, buffer []byte) {
	if _, err := connection.Write(buffer); err != nil {
		return
	}
	buffer = make([]byte, 512)
	for {
		count, err := connection.Read(buffer)
		if err != nil {
			return
		}
		if _, err := connection.Write(buffer[:count]); err != nil {
			return
		}
	}
}
