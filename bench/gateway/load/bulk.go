package main

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"syscall"
	"time"
)

// bulk reads as fast as it can. The kernel throws the bytes away (MSG_TRUNC), so that the reader costs next to nothing.
func bulk(target Target) (Result, error) {
	var tally Tally
	hello := clientHello(target.ServerName)
	for range target.Connections {
		connection, err := dialRaw(target, hello, askBulk)
		if err != nil {
			return Result{}, err
		}
		raw, err := connection.SyscallConn()
		if err != nil {
			return Result{}, err
		}
		go discard(raw, &tally)
	}
	return tally.measure(target), nil
}

func discard(raw syscall.RawConn, tally *Tally) {
	room := make([]byte, 1<<20)
	var failure error
	err := raw.Read(func(descriptor uintptr) bool {
		for !tally.stopped.Load() {
			count, _, err := syscall.Recvfrom(int(descriptor), room, syscall.MSG_TRUNC|syscall.MSG_DONTWAIT)
			if err == syscall.EAGAIN {
				return false
			}
			if failure = err; err == nil && count == 0 {
				failure = io.ErrUnexpectedEOF
			}
			if failure != nil {
				return true
			}
			tally.total.Add(int64(count))
		}
		return true
	})
	if failure = errors.Join(err, failure); failure != nil {
		tally.failed(failure)
	}
}

var errOtherBytes = errors.New("other bytes came back than were sent")

// verify sends bytes, gets them back, and compares: nothing may be lost, doubled or reordered.
func verify(target Target) (Result, error) {
	connection, err := dialRaw(target, clientHello(target.ServerName), askEcho)
	if err != nil {
		return Result{}, err
	}
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(ioTimeout))
	sent := noise(4 << 20)
	go send(connection, sent)
	returned := make([]byte, len(sent)+1)
	if _, err := io.ReadFull(connection, returned); err != nil {
		return Result{}, err
	}
	if !bytes.Equal(returned[1:], sent) {
		return Result{}, errOtherBytes
	}
	return Result{Done: int64(len(sent))}, nil
}

func send(connection net.Conn, all []byte) { _, _ = connection.Write(all) }

func noise(length int) []byte {
	source := rand.NewChaCha8([32]byte{1})
	bytes := make([]byte, length)
	_, _ = source.Read(bytes)
	return bytes
}
