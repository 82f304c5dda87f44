package db_test

import (
	"context"
	"net"
	"net/url"
	"sync"
	"testing"

	"portal/api/fault"
	"portal/db"
	"portal/db/dbtest"
)

// wire leads to a server, until it is cut.
type wire struct {
	net.Listener
	to   string
	cuts func(sent []byte) bool // may be nil; tells what is not passed on, but cuts the wire
	mu   sync.Mutex
	all  []net.Conn
}

// wired is a wire to the server of a URL, and the URL that leads through it.
func wired(t *testing.T, server string, cuts func(sent []byte) bool) (*wire, string) {
	t.Helper()
	u, err := url.Parse(server)
	must(t, err)
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	must(t, err)
	w := &wire{Listener: l, to: u.Host, cuts: cuts}
	t.Cleanup(func() { l.Close(); w.cut() })
	go w.run()
	u.Host = l.Addr().String()
	return w, u.String()
}

func (w *wire) run() {
	for near, err := w.Accept(); err == nil; near, err = w.Accept() {
		far, err := (&net.Dialer{}).Dial("tcp", w.to)
		if err != nil {
			near.Close()
			continue
		}
		w.mu.Lock()
		w.all = append(w.all, near, far)
		w.mu.Unlock()
		go w.pass(far, near, w.cuts)
		go w.pass(near, far, nil)
	}
}

func (w *wire) pass(to, from net.Conn, cuts func([]byte) bool) {
	defer to.Close()
	b := make([]byte, 64<<10)
	for {
		n, err := from.Read(b)
		if cuts != nil && cuts(b[:n]) {
			w.cut()
			return
		}
		if _, failed := to.Write(b[:n]); failed != nil || err != nil {
			return
		}
	}
}

// cut ends the connections without a word.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.all {
		c.Close()
	}
	w.all = nil
}

func TestServerDisconnectIsReportedUnavailable(t *testing.T) {
	t.Parallel()
	w, through := wired(t, dbtest.Server(t), nil)
	d, err := db.OpenPostgres(t.Context(), through)
	must(t, err)
	defer d.Close()
	say := func(ctx context.Context) error {
		tx, _, err := d.PostgresTx(ctx)
		must(t, err)
		_, err = tx.Exec(ctx, "SELECT 1")
		return err
	}
	err = d.Atomically(t.Context(), func(ctx context.Context) error {
		must(t, say(ctx))
		w.cut()
		return say(ctx)
	})
	if !fault.Is(err, fault.Unavailable) {
		t.Errorf("a statement answers %v", err)
	}
	err = d.Atomically(t.Context(), func(ctx context.Context) error {
		must(t, say(ctx))
		w.cut()
		return nil
	})
	if !fault.Is(err, fault.Unavailable) {
		t.Errorf("a commit answers %v", err)
	}
	err = d.Atomically(t.Context(), func(ctx context.Context) error {
		must(t, say(ctx))
		w.cut()
		_ = say(ctx)
		return say(ctx)
	})
	if !fault.Is(err, fault.Unavailable) {
		t.Errorf("the next statement answers %v", err)
	}
	must(t, d.Atomically(t.Context(), say))
}
