package jobs

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/http"
	"net/http/httptest"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/mail"
)

// mailServer is a mail server. What it does with each mail is said before: nothing
// takes it.
type mailServer struct {
	t        *testing.T
	address  string
	mu       sync.Mutex
	fates    []fate // of the mails to come
	accepted [][]byte
	dialled  int
	secured  int // mails that came over TLS
	users    []string
	utf8     []bool   // whether each mail asked for SMTPUTF8
	to       []string // recipients
}

// fate is what becomes of one mail.
type fate struct {
	sender, recipient, message error
	hangUp                     bool          // after it was read, before the answer
	hang                       chan struct{} // no answer until it is closed
}

// certificate is one for 127.0.0.1, and who trusts it.
var certificate = sync.OnceValues(func() (tls.Certificate, *x509.CertPool) {
	s := httptest.NewTLSServer(http.NotFoundHandler())
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return s.TLS.Certificates[0], roots
})

// newMailServer starts a server; settle may change it before.
func newMailServer(t *testing.T, settle func(*smtp.Server), fates ...fate) *mailServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return mailServerOn(t, listener, settle, fates...)
}

func mailServerOn(t *testing.T, listener net.Listener, settle func(*smtp.Server), fates ...fate) *mailServer {
	t.Helper()
	o := &mailServer{t: t, address: listener.Addr().String(), fates: fates}
	s := smtp.NewServer(o)
	s.Domain, s.ErrorLog = "office.test", quietLog{}
	if settle != nil {
		settle(s)
	}
	go func() { _ = s.Serve(listener) }()
	t.Cleanup(func() { _ = s.Close() })
	return o
}

type quietLog struct{}

func (quietLog) Printf(string, ...any) {}
func (quietLog) Println(...any)        {}

// NewSession is smtp.Backend.
func (o *mailServer) NewSession(c *smtp.Conn) (smtp.Session, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.dialled++
	s := &session{office: o, conn: c}
	if len(o.fates) > 0 {
		s.fate, o.fates = o.fates[0], o.fates[1:]
	}
	return s, nil
}

// got are the mails that were read to their end, whatever was answered.
func (o *mailServer) got() [][]byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.accepted
}

type session struct {
	office *mailServer
	conn   *smtp.Conn
	fate
	to []string
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }
func (s *session) Mail(_ string, o *smtp.MailOptions) error {
	s.office.mu.Lock()
	defer s.office.mu.Unlock()
	s.office.utf8 = append(s.office.utf8, o.UTF8)
	return s.sender
}
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	s.office.mu.Lock()
	defer s.office.mu.Unlock()
	s.office.to = append(s.office.to, to)
	return s.recipient
}

func (s *session) Data(r io.Reader) error {
	body, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	o := s.office
	o.mu.Lock()
	o.accepted = append(o.accepted, body)
	if _, secured := s.conn.TLSConnectionState(); secured {
		o.secured++
	}
	o.mu.Unlock()
	if s.hang != nil {
		<-s.hang
	}
	if s.hangUp {
		return s.conn.Conn().Close()
	}
	return s.message
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if password != "swordfish" {
			return smtp.ErrAuthFailed
		}
		s.office.mu.Lock()
		defer s.office.mu.Unlock()
		s.office.users = append(s.office.users, user)
		return nil
	}), nil
}

func insecure(s *smtp.Server) { s.AllowInsecureAuth = true }

func offeringTLS(s *smtp.Server) {
	cert, _ := certificate()
	s.TLSConfig = &tls.Config{Certificates: []tls.Certificate{cert}}
}

// carrier sends to a mail server. Its scheme and its user are those of a URL.
func carrier(t *testing.T, scheme, user string, o *mailServer) *SMTP {
	t.Helper()
	s, err := NewSMTP(scheme+"://"+user+o.address, "Harbor Lane é <portal@example.com>")
	if err != nil {
		t.Fatal(err)
	}
	_, s.roots = certificate()
	s.patience = 5 * time.Second
	return s
}

func message() *mail.Message {
	return &mail.Message{
		ID:          "mail_01KA5R2M7Q8D4E6F9G1H3J5K7M",
		CreatedAt:   clock.At(noon),
		Portfolio:   access.Portfolio{ID: 1, Mode: access.Live},
		To:          "sam@example.com",
		Subject:     "Apply now: 14 Ñuñoa Street",
		Text:        "Hello Zoë,\n\n.\n.a line with a dot\nFrom here on\n" + strings.Repeat("long ", 400) + "\n",
		HTML:        "<p>Hello Zoë</p>\n.\n",
		Unsubscribe: "https://portal.example.com/mail/unsubscribe/abc",
	}
}

// receivedMail is a mail as its reader's program sees it.
type receivedMail struct {
	netmail.Header
	text, html string
}

func opened(t *testing.T, raw []byte) receivedMail {
	t.Helper()
	m, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	kind, parameters, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("%s: %v", kind, err)
	}
	parts := map[string]string{}
	var order []string
	reader := multipart.NewReader(m.Body, parameters["boundary"])
	for {
		p, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		kind, charset, err := mime.ParseMediaType(p.Header.Get("Content-Type"))
		if err != nil || !strings.EqualFold(charset["charset"], "utf-8") ||
			p.Header.Get("Content-Transfer-Encoding") != "quoted-printable" {
			t.Fatal(p.Header, err)
		}
		body, err := io.ReadAll(quotedprintable.NewReader(p))
		if err != nil {
			t.Fatal(err)
		}
		parts[kind] = strings.ReplaceAll(string(body), "\r\n", "\n")
		order = append(order, kind)
	}
	if got := strings.Join(order, " "); got != "text/plain text/html" {
		t.Fatal("the parts are " + got)
	}
	return receivedMail{m.Header, parts["text/plain"], parts["text/html"]}
}

// header is one that stands once, decoded.
func (l receivedMail) header(t *testing.T, name string) string {
	t.Helper()
	if all := l.Header[name]; len(all) != 1 {
		t.Errorf("%s stands %d times", name, len(all))
	}
	s, err := new(mime.WordDecoder).DecodeHeader(l.Get(name))
	if err != nil {
		t.Error(err)
	}
	return s
}

func TestEmailArrivesAsWritten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		scheme, user string
		settle       func(*smtp.Server)
		secured      int
	}{
		"plain":                        {"smtp", "", nil, 0},
		"STARTTLS where it is offered": {"smtp", "", offeringTLS, 1},
		"TLS from the start":           {"smtps", "", nil, 1},
		"a user, encrypted":            {"smtp", "portal:swordfish@", offeringTLS, 1},
		"a user of this machine":       {"smtp", "portal:swordfish@", insecure, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			if c.scheme == "smtps" {
				cert, _ := certificate()
				listener = tls.NewListener(listener, &tls.Config{Certificates: []tls.Certificate{cert}})
			}
			o := mailServerOn(t, listener, c.settle)
			m := message()
			answer, err := carrier(t, c.scheme, c.user, o).Carry(t.Context(), m)
			if err != nil || !strings.HasPrefix(answer, "250") && !strings.HasPrefix(answer, "2.0.0") {
				t.Fatalf("%q: %v", answer, err)
			}
			if len(o.got()) != 1 || o.secured != c.secured || (c.user != "") != (len(o.users) == 1) {
				t.Fatalf("%d mails, %d over TLS, users %v", len(o.got()), o.secured, o.users)
			}
			l := opened(t, o.got()[0])
			for header, want := range map[string]string{
				"From":                  "Harbor Lane é <portal@example.com>",
				"To":                    "<sam@example.com>",
				"Subject":               m.Subject,
				"Message-Id":            "<mail_01KA5R2M7Q8D4E6F9G1H3J5K7M@example.com>",
				"Date":                  "Thu, 12 Nov 2026 12:00:00 +0000",
				"Auto-Submitted":        "auto-generated",
				"Mime-Version":          "1.0",
				"List-Unsubscribe":      "<https://portal.example.com/mail/unsubscribe/abc>",
				"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
			} {
				if got := strings.ReplaceAll(l.header(t, header), `"`, ""); got != want {
					t.Errorf("%s is %q, want %q", header, got, want)
				}
			}
			if l.text != m.Text || l.html != m.HTML {
				t.Errorf("the parts are %q and %q", l.text, l.html)
			}
			if len(l.Header) != 10 {
				t.Errorf("the headers are %v", l.Header)
			}
		})
	}
}

func TestOwnerEmailHasNoUnsubscribeHeader(t *testing.T) {
	t.Parallel()
	o := newMailServer(t, nil)
	for _, address := range []string{"", "http://127.0.0.1:8080/mail/unsubscribe/abc"} {
		m := message()
		m.Unsubscribe = address
		if _, err := carrier(t, "smtp", "", o).Carry(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		l := opened(t, o.got()[len(o.got())-1])
		if (l.Get("List-Unsubscribe") != "") != (address != "") || l.Get("List-Unsubscribe-Post") != "" {
			t.Errorf("%q: %v", address, l.Header)
		}
	}
}

func TestPasswordIsNotSentInPlaintext(t *testing.T) {
	t.Parallel()
	o := newMailServer(t, insecure)
	s := carrier(t, "smtp", "portal:swordfish@", o)
	s.host = "0.0.0.0" // this machine by an address that does not say so
	if _, err := s.Carry(t.Context(), message()); err == nil || len(o.users) > 0 || len(o.got()) > 0 {
		t.Errorf("users %v: %v", o.users, err)
	}
}

func TestServerResponseDeterminesRetry(t *testing.T) {
	t.Parallel()
	no := func(code int) error { return &smtp.SMTPError{Code: code, Message: "no"} }
	for name, c := range map[string]struct {
		fate    fate
		refused bool
	}{
		"no such user":                     {fate{recipient: no(550)}, true},
		"the message is refused":           {fate{message: no(554)}, true},
		"the mailbox is busy":              {fate{recipient: no(451)}, false},
		"the message is put off":           {fate{message: no(452)}, false},
		"the sender is not allowed":        {fate{sender: no(553)}, false},
		"the connection breaks":            {fate{hangUp: true}, false},
		"authentication was asked for":     {fate{sender: no(530)}, false},
		"the greylist wants another visit": {fate{recipient: no(450)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := carrier(t, "smtp", "", newMailServer(t, nil, c.fate)).Carry(t.Context(), message())
			refusal := mail.Refusal{}
			if err == nil || errors.As(err, &refusal) != c.refused {
				t.Errorf("refused %v: %v", errors.As(err, &refusal), err)
			}
		})
	}
}

func TestRefusalIsTheWordsOfTheServerAlone(t *testing.T) {
	t.Parallel()
	no := func(message string) error {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: message}
	}
	for want, f := range map[string]fate{
		"550 5.1.1 no such user":                             {recipient: no("no such user")},
		`550 5.1.1 “Zoë”, "x": affected by spam`:             {message: no(`“Zoë”, "x": affected by spam`)},
		"550 two 5.1.1 lines":                                {recipient: no("two\nlines")},
		"the mail server repeats the password in its answer": {recipient: no(`it was sword"fish`)},
	} {
		s := carrier(t, "smtp", "", newMailServer(t, nil, f))
		s.password = `sword"fish`
		_, err := s.Carry(t.Context(), message())
		if _, refused := errors.AsType[mail.Refusal](err); !refused || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestUnresponsiveServerTimesOut(t *testing.T) {
	t.Parallel()
	stays := make(chan struct{})
	defer close(stays)
	silent, err := net.Listen("tcp", "127.0.0.1:0") // nobody accepts
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for name, o := range map[string]*mailServer{
		"at the greeting": {address: silent.Addr().String()},
		"at the end":      newMailServer(t, nil, fate{hang: stays}),
	} {
		s := carrier(t, "smtp", "", o)
		s.patience = 200 * time.Millisecond
		began := time.Now()
		refusal := mail.Refusal{}
		if _, err := s.Carry(t.Context(), message()); err == nil || errors.As(err, &refusal) ||
			time.Since(began) > 5*time.Second {
			t.Errorf("%s: after %v: %v", name, time.Since(began), err)
		}
	}
}

func TestBadMailCredentialsOrCertificateAreNotRefusals(t *testing.T) {
	t.Parallel()
	o := newMailServer(t, offeringTLS)
	stranger := carrier(t, "smtp", "", o)
	stranger.roots = x509.NewCertPool()
	for name, s := range map[string]*SMTP{
		"password":    carrier(t, "smtp", "portal:tunafish@", o),
		"certificate": stranger,
	} {
		refusal := mail.Refusal{}
		_, err := s.Carry(t.Context(), message())
		if err == nil || errors.As(err, &refusal) || strings.Contains(err.Error(), "tunafish") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(o.got()) != 0 {
		t.Error("a mail was handed over")
	}
}

// An address outside of ASCII needs a server that takes it; others are sent as they always were.
func TestRecipientOutsideASCIIIsSentBySMTPUTF8(t *testing.T) {
	t.Parallel()
	for _, offers := range []bool{true, false} {
		o := newMailServer(t, func(s *smtp.Server) { s.EnableSMTPUTF8 = offers })
		m := message()
		m.To = "josé@example.com"
		_, err := carrier(t, "smtp", "", o).Carry(t.Context(), m)
		if _, refused := errors.AsType[mail.Refusal](err); (err == nil) != offers || refused == offers {
			t.Errorf("offered %v: %v", offers, err)
		}
		if _, err := carrier(t, "smtp", "", o).Carry(t.Context(), message()); err != nil {
			t.Error(err)
		}
		want := map[bool]string{
			true:  "[true false] [josé@example.com sam@example.com]",
			false: "[false] [sam@example.com]",
		}
		if got := fmt.Sprint(o.utf8, o.to); got != want[offers] {
			t.Errorf("offered %v: %s", offers, got)
		}
		if offers && opened(t, o.got()[0]).Get("To") != "<josé@example.com>" {
			t.Errorf("the mail is to %s", opened(t, o.got()[0]).Get("To"))
		}
	}
}
