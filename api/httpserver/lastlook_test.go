package httpserver

import (
	"io"
	"net"
	"testing"
	"time"
)

// starved is the clock of a process that gets its processor back long after it asked for the
// time.
func starved() time.Time { return time.Now().Add(-time.Second) }

// connected is a client of a listener; its connection waits to be accepted.
func connected(t *testing.T) (client net.Conn, l *listener) {
	t.Helper()
	tcp, err := Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tcp.Close() })
	client, err = (&net.Dialer{}).DialContext(t.Context(), "tcp", tcp.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	network := func(string) string { return "" }
	return client, &listener{
		Listener: tcp,
		server:   New(Config{Now: starved, Network: network, Limits: Limits{Connections: 9}}),
	}
}

func TestBacklogConnectionIsAcceptedAfterDeadline(t *testing.T) {
	t.Parallel()
	_, l := connected(t)
	if err := l.Listener.(*net.TCPListener).SetDeadline(longAgo); err != nil {
		t.Fatal(err)
	}
	accepted, err := l.Accept()
	if err != nil {
		t.Fatal("the connection that waits is not accepted: ", err)
	}
	_ = accepted.Close()
	if _, err := l.Accept(); err == nil {
		t.Error("there was another one")
	}
}

func TestDataReceivedBeforeCloseIsStillRead(t *testing.T) {
	t.Parallel()
	client, l := connected(t)
	accepted, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	c := accepted.(*conn)
	defer c.Conn.Close()
	if _, err := io.WriteString(client, "G"); err != nil {
		t.Fatal(err)
	}
	if !c.tell(0) {
		t.Fatal("the connection is not idle")
	}
	if n, err := c.Read(make([]byte, 8)); n != 1 {
		t.Errorf("%d bytes are read: %v", n, err)
	}
}
