package httpserver

import (
	"context"
	"errors"
	"net"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestClosingListenerRefusesNewConnections(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"127.0.0.1:0", ":0"} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			l, err := Listen(t.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = l.Close() })
			early, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = early.Close() })
			if err := refuseHandshakes(l.(*net.TCPListener)); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			late, err := (&net.Dialer{}).DialContext(ctx, "tcp", l.Addr().String())
			var refused net.Error
			if !errors.As(err, &refused) || !refused.Timeout() {
				t.Errorf("a late client got %v, %v", late, err)
			}
			accepted, err := l.Accept()
			if err != nil || accepted.RemoteAddr().String() != early.LocalAddr().String() {
				t.Errorf("accepted %v, %v; want %s", accepted, err, early.LocalAddr())
			}
		})
	}
}

func TestPendingHandshakeIsDetected(t *testing.T) {
	t.Parallel()
	// A listener that waits for data leaves handshakes unfinished until then (tcp(7)).
	config := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) (err error) {
		refused := raw.Control(func(fd uintptr) {
			err = unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_DEFER_ACCEPT, 10)
		})
		return errors.Join(refused, err)
	}}
	for _, address := range []string{"127.0.0.1:0", ":0"} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			l, err := config.Listen(t.Context(), "tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = l.Close() })
			if handshaking(l.(*net.TCPListener)) {
				t.Error("a handshake that nobody has begun is seen")
			}
			client, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = client.Close() })
			if !handshaking(l.(*net.TCPListener)) {
				t.Error("a handshake that has begun is not seen")
			}
			if _, err := client.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
			if _, err := l.Accept(); err != nil || handshaking(l.(*net.TCPListener)) {
				t.Errorf("a handshake that is finished is seen, %v", err)
			}
		})
	}
}
