package send

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// trusted is an authority of the system for these tests.
var trusted = newAuthority()

// TestMain has the system trust an authority of the tests, before anything asks it.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "webhook")
	if err == nil {
		file := filepath.Join(dir, "roots.pem")
		err = errors.Join(
			os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: trusted.cert.Raw}), 0o600),
			os.Setenv("SSL_CERT_FILE", file),
			os.Setenv("SSL_CERT_DIR", dir),
		)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority() *authority {
	a := &authority{key: newKey()}
	t := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		Subject:               pkix.Name{CommonName: "tests"},
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(time.Hour),
		IsCA:                  true,
		BasicConstraintsValid: true,
	}
	a.cert = certified(t, t, &a.key.PublicKey, a.key)
	return a
}

// leaf is a certificate that ends at a time, for names or for this machine's own.
func (a *authority) leaf(until time.Time, names ...string) tls.Certificate {
	key := newKey()
	t := &x509.Certificate{
		SerialNumber: big.NewInt(2),
		DNSNames:     names,
		NotBefore:    until.Add(-2 * time.Hour),
		NotAfter:     until,
	}
	if names == nil {
		t.DNSNames, t.IPAddresses = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	}
	return tls.Certificate{
		Certificate: [][]byte{certified(t, a.cert, &key.PublicKey, a.key).Raw},
		PrivateKey:  key,
	}
}

// config is of a server that a client of this machine trusts.
func (a *authority) config(protocols ...string) *tls.Config {
	return &tls.Config{
		Certificates: []tls.Certificate{a.leaf(time.Now().Add(time.Hour))},
		NextProtos:   protocols,
	}
}

func newKey() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}

func certified(t, by *x509.Certificate, public *ecdsa.PublicKey, key *ecdsa.PrivateKey) *x509.Certificate {
	der, err := x509.CreateCertificate(rand.Reader, t, by, public, key)
	if err != nil {
		panic(err)
	}
	c, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return c
}

// serve is what a receiver does with a connection, until it is over.
type serve func(c net.Conn, over <-chan struct{})

// receiver accepts connections on this machine, over TLS where there is a config, and
// counts them. It is at its URL.
type receiver struct {
	url   string
	mu    sync.Mutex
	conns []net.Conn
}

func receive(t testing.TB, config *tls.Config, do serve) *receiver {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &receiver{url: "http://" + l.Addr().String() + "/hook"}
	if config != nil {
		r.url = "https" + r.url[len("http"):]
	}
	over := make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		for c, err := l.Accept(); err == nil; c, err = l.Accept() {
			r.note(c)
			if config != nil {
				c = tls.Server(c, config)
			}
			all.Go(func() {
				defer c.Close()
				do(c, over)
			})
		}
	})
	t.Cleanup(func() {
		close(over)
		l.Close()
		for _, c := range r.noted() {
			c.Close()
		}
		all.Wait()
	})
	return r
}

func (r *receiver) note(c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.conns = append(r.conns, c)
}

func (r *receiver) noted() []net.Conn {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.conns
}

// server is one that keeps to HTTP, over TLS and HTTP/2 where there is a config.
func server(t testing.TB, config *tls.Config, do http.HandlerFunc) (url string) {
	t.Helper()
	s := httptest.NewUnstartedServer(do)
	if config == nil {
		s.Start()
	} else {
		s.TLS, s.EnableHTTP2 = config, true
		s.StartTLS()
	}
	t.Cleanup(s.Close)
	return s.URL + "/hook"
}

// sender is one for this machine whose attempts are over soon.
func sender(t testing.TB, total time.Duration) *Sender {
	s := NewSender(true, "portal-test")
	s.total, s.grace, s.dialer.Timeout = total, total/3, total
	s.transport.TLSHandshakeTimeout = total
	s.transport.HTTP2.WriteByteTimeout = total
	s.transport.HTTP2.SendPingTimeout = total
	s.transport.HTTP2.PingTimeout = total / 2
	t.Cleanup(s.Close)
	return s
}

func post(url string) Post {
	return Post{
		URL:    url,
		Header: http.Header{"Content-Type": {"application/json"}},
		Body:   []byte(`{"id":"evt_1"}`),
	}
}

// every does something again and again, until it fails or is over.
func every(d time.Duration, over <-chan struct{}, do func() error) {
	tick := time.NewTicker(d)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return
		case <-tick.C:
			if do() != nil {
				return
			}
		}
	}
}

// drip writes a text byte by byte.
func drip(c io.Writer, text string, over <-chan struct{}) {
	i := 0
	every(20*time.Millisecond, over, func() error {
		if i == len(text) {
			return io.EOF
		}
		_, err := c.Write([]byte{text[i]})
		i++
		return err
	})
}

// eventually waits for something to become true.
func eventually(t testing.TB, is func() bool) bool {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	every(10*time.Millisecond, ctx.Done(), func() error {
		if is() {
			cancel()
		}
		return ctx.Err()
	})
	return is()
}
