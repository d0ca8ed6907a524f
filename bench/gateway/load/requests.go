package main

import (
	"crypto/tls"
	"errors"
	"io"
	"slices"
	"sync"
	"time"
)

var errWrongReply = errors.New("the reply is not the backend's")

// Session is one open TLS connection.
type Session struct {
	*tls.Conn
	buffer []byte
}

func dialTLS(target Target) (*Session, error) {
	connection, err := dialRawTLS(target)
	return &Session{connection, make([]byte, len(reply))}, err
}

func (s *Session) ask() error {
	if _, err := s.Write(request); err != nil {
		return err
	}
	if _, err := io.ReadFull(s, s.buffer); err != nil {
		return err
	}
	if s.buffer[9] != '2' || s.buffer[len(s.buffer)-1] != 'f' {
		return errWrongReply
	}
	return nil
}

// openAll opens the connections, eight at a time.
func openAll(target Target) ([]*Session, error) {
	sessions := make([]*Session, target.Connections)
	failures := make([]error, target.Connections)
	var group sync.WaitGroup
	slots := make(chan struct{}, 8)
	for i := range sessions {
		slots <- struct{}{}
		group.Go(func() {
			sessions[i], failures[i] = dialTLS(target)
			<-slots
		})
	}
	group.Wait()
	return sessions, errors.Join(failures...)
}

// requests asks again as soon as the answer is there.
func requests(target Target) (Result, error) {
	sessions, err := openAll(target)
	if err != nil {
		return Result{}, err
	}
	var tally Tally
	for _, session := range sessions {
		go func() {
			for !tally.stopped.Load() {
				if err := session.ask(); err != nil {
					tally.failed(err)
					return
				}
				tally.total.Add(1)
			}
		}()
	}
	return tally.measure(target), nil
}

// paced asks at a fixed rate, whether answers come or not, and tells how long they took.
func paced(target Target) (Result, error) {
	sessions, err := openAll(target)
	if err != nil {
		return Result{}, err
	}
	var tally Tally
	var group sync.WaitGroup
	period := time.Second * time.Duration(target.Connections) / time.Duration(target.Rate)
	begin := time.Now()
	latencies := make([][]time.Duration, len(sessions))
	for i, session := range sessions {
		offset := period * time.Duration(i) / time.Duration(len(sessions))
		group.Go(func() { latencies[i] = askPaced(session, begin.Add(offset), period, &tally) })
	}
	result := tally.measure(target)
	group.Wait()
	all := slices.Concat(latencies...)
	slices.Sort(all)
	if len(all) > 0 {
		result.P50 = all[len(all)/2].Seconds()
		result.P99 = all[len(all)*99/100].Seconds()
	}
	return result, nil
}

func askPaced(session *Session, next time.Time, period time.Duration, tally *Tally) []time.Duration {
	var latencies []time.Duration
	for !tally.stopped.Load() {
		start := next
		// A timer that fires late is our own fault; an answer that came late delays the next question, which counts.
		if wait := time.Until(next); wait > 0 {
			time.Sleep(wait)
			start = time.Now()
		}
		if err := session.ask(); err != nil {
			tally.failed(err)
			return latencies
		}
		tally.total.Add(1)
		if tally.running.Load() {
			latencies = append(latencies, time.Since(start))
		}
		next = next.Add(period)
	}
	return latencies
}
