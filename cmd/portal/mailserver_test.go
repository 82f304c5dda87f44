package main

import (
	"bytes"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
)

// mailServer is a mail server that takes everything, but what is for an address that it refuses.
type mailServer struct {
	address string
	refused string // an address that it does not know, "" for none
	mu      sync.Mutex
	emails  []receivedMail
}

type receivedMail struct {
	to   string
	text string // without the encoding of its lines
}

// noSuchUser is the answer to an address that is refused.
var noSuchUser = &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such user"}

// queuedAs is the answer to the email of a number, from 1.
func queuedAs(number int) *smtp.SMTPError {
	return &smtp.SMTPError{
		Code: 250, EnhancedCode: smtp.EnhancedCode{2, 0, 0}, Message: fmt.Sprintf("OK: queued as %d", number),
	}
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
	if to == d.office.refused {
		return noSuchUser
	}
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
	return queuedAs(len(d.office.emails))
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

// count is how many emails somebody got.
func (o *mailServer) count(to string) (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, l := range o.emails {
		if l.to == to {
			n++
		}
	}
	return n
}

// number is to whom the email of a number went, from 1.
func (o *mailServer) number(text string) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n, err := strconv.Atoi(text); err == nil && n > 0 && n <= len(o.emails) {
		return o.emails[n-1].to
	}
	return "nobody"
}
