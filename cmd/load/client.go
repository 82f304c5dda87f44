package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"time"
)

// ask sends requests, one after the other, over one connection, and over a new one
// where that breaks, until the context ends.
func ask(ctx context.Context, a *asked) *result {
	r := &result{statuses: map[int]int{}}
	for ctx.Err() == nil {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", a.host)
		if err != nil {
			r.errors++
			continue
		}
		r.converse(ctx, conn, a)
		_ = conn.Close() // all that was asked is answered
	}
	return r
}

func (r *result) converse(ctx context.Context, conn net.Conn, a *asked) {
	in, out := bufio.NewReaderSize(conn, 64<<10), []byte(nil)
	for ctx.Err() == nil {
		began := time.Now()
		out = a.request(out[:0])
		if _, err := conn.Write(out); err != nil {
			r.errors++
			return
		}
		status, size, err := answer(in)
		if err != nil {
			r.errors++
			return
		}
		r.latency = append(r.latency, time.Since(began))
		r.statuses[status]++
		r.bytes += size
	}
}

var errAnswer = errors.New("not an answer with a Content-Length")

// answer reads one answer and tells its status and the size of its body.
func answer(in *bufio.Reader) (status int, size int64, err error) {
	length := -1
	for line := 0; ; line++ {
		text, err := in.ReadSlice('\n')
		if err != nil {
			return 0, 0, err
		}
		text = bytes.TrimRight(text, "\r\n")
		switch {
		case line == 0 && len(text) >= 12:
			status, err = strconv.Atoi(string(text[9:12]))
		case len(text) > 15 && bytes.EqualFold(text[:15], []byte("Content-Length:")):
			length, err = strconv.Atoi(string(bytes.TrimSpace(text[15:])))
		case len(text) == 0 && length < 0:
			err = errAnswer
		}
		if err != nil {
			return 0, 0, err
		}
		if len(text) == 0 {
			size, err = io.CopyN(io.Discard, in, int64(length))
			return status, size, err
		}
	}
}
