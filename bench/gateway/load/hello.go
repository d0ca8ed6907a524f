package main

import (
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"net"
)

// tlsConfig is what clients use: a cheap key exchange, no resumption.
func tlsConfig(name string) *tls.Config {
	return &tls.Config{
		ServerName:             name,
		InsecureSkipVerify:     true,
		MinVersion:             tls.VersionTLS13,
		SessionTicketsDisabled: true,
		CurvePreferences:       []tls.CurveID{tls.CurveP256},
		NextProtos:             []string{"http/1.1"},
	}
}

// clientHello is a real one, as the first record of a TLS client.
func clientHello(name string) []byte {
	recorder := &recorder{}
	_ = tls.Client(recorder, tlsConfig(name)).Handshake()
	return recorder.written
}

type recorder struct {
	net.Conn
	written []byte
}

var errRecorded = errors.New("recorded")

func (r *recorder) Write(bytes []byte) (int, error) {
	r.written = append(r.written, bytes...)
	return 0, errRecorded
}

func (r *recorder) Close() error { return nil }

// readRecord returns the first TLS record, with its header.
func readRecord(from io.Reader) ([]byte, error) {
	record := make([]byte, 5, 600)
	if _, err := io.ReadFull(from, record); err != nil {
		return nil, err
	}
	length := int(binary.BigEndian.Uint16(record[3:]))
	record = append(record, make([]byte, length)...)
	_, err := io.ReadFull(from, record[5:])
	return record, err
}

// prefixed gives back first what was already read.
type prefixed struct {
	net.Conn
	first []byte
}

func (p *prefixed) Read(into []byte) (int, error) {
	if len(p.first) == 0 {
		return p.Conn.Read(into)
	}
	count := copy(into, p.first)
	p.first = p.first[count:]
	return count, nil
}

// dialRaw opens a connection, sends a ClientHello and asks for something.
func dialRaw(target Target, hello []byte, ask byte) (*net.TCPConn, error) {
	connection, err := net.DialTimeout("tcp", target.Address, dialTimeout)
	if err != nil {
		return nil, err
	}
	// Two writes: a client sends nothing behind its ClientHello before it has an answer.
	if _, err = connection.Write(hello); err == nil {
		_, err = connection.Write([]byte{ask})
	}
	return connection.(*net.TCPConn), err
}
