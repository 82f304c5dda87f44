package httpserver

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"
)

func TestAListenerThatIsAboutToCloseGivesNobodyAConnection(t *testing.T) {
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
