package main

import (
	"bytes"
	"io"
	"mime/quotedprintable"
	"net"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
)

// mailServer is a mail server that takes everything.
type mailServer struct {
	address string
	mu      sync.Mutex
	emails  []receivedMail
}

type receivedMail struct {
	to   string
	text string // without the encoding of its lines
}

func newMailServer(t *testing.T) *mailServer {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := &mailServer{address: listener.Addr().String()}
	s := smtp.NewServer(o)
	s.Domain = "office.test"
	go func() { _ = s.Serve(listener) }()
	t.Cleanup(func() { _ = s.Close() })
	return o
}

// NewSession is smtp.Backend.
func (o *mailServer) NewSession(*smtp.Conn) (smtp.Session, error) { return &deliverer{office: o}, nil }

// deliverer is one connection.
type deliverer struct {
	office *mailServer
	to     string
}

// Mail is smtp.Session, as are the others.
func (*deliverer) Mail(string, *smtp.MailOptions) error { return nil }

func (d *deliverer) Rcpt(to string, _ *smtp.RcptOptions) error {
	d.to = to
	return nil
}

func (d *deliverer) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(quotedprintable.NewReader(bytes.NewReader(raw)))
	if err != nil {
		text = raw // a part is encoded in another way
	}
	d.office.mu.Lock()
	defer d.office.mu.Unlock()
	d.office.emails = append(d.office.emails, receivedMail{d.to, string(text)})
	return nil
}

func (*deliverer) Reset()        {}
func (*deliverer) Logout() error { return nil }

// link waits for an email to somebody with a link of a kind, and is the link of the newest.
func (o *mailServer) link(t *testing.T, to, pattern string) (found string) {
	t.Helper()
	of := regexp.MustCompile(pattern)
	eventually(t, to+" gets an email with "+pattern, func() bool {
		o.mu.Lock()
		defer o.mu.Unlock()
		for _, l := range slices.Backward(o.emails) {
			if found = of.FindString(l.text); l.to == to && found != "" {
				return true
			}
		}
		return false
	})
	return found
}
