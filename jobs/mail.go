package jobs

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/riverqueue/river"
	gomail "github.com/wneessen/go-mail"

	"portal/api/mail"
)

// Mail has a queue of its own, so that a mail server that hangs holds up no other job.
const (
	mailQueue   = "mail"
	mailWorkers = 5
)

// mailArgs is the job that delivers one mail.
type mailArgs struct {
	ID string `json:"id"`
}

// Kind names the job.
func (mailArgs) Kind() string { return "mail" }

// InsertOpts leaves it to the mail when to give up: the attempts of the job are those
// that ended otherwise than by the mail server, with the process for example.
func (mailArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: mailQueue, MaxAttempts: 100}
}

type mailWorker struct {
	river.WorkerDefaults[mailArgs]
	mail *mail.Service
	log  *slog.Logger
}

// Timeout leaves room for the note of what became of the mail.
func (*mailWorker) Timeout(*river.Job[mailArgs]) time.Duration {
	return mail.SendTime + mail.NoteTime + 5*time.Second
}

// Work tries once, and sleeps until the next attempt is due.
func (w *mailWorker) Work(ctx context.Context, job *river.Job[mailArgs]) error {
	o, err := w.mail.Deliver(ctx, job.Args.ID)
	if err != nil {
		w.log.Error(
			"mail not noted",
			"mail",
			job.Args.ID,
			"attempt",
			o.Attempt,
			"status",
			string(o.Status),
			"error",
			err,
		)
		return err
	}
	if o.Error != "" {
		w.log.Warn("mail not sent", "mail", job.Args.ID, "attempt", o.Attempt, "status", string(o.Status),
			"error", o.Error, "again_in", o.Again.String())
	}
	if o.Again > 0 {
		return river.JobSnooze(o.Again)
	}
	return nil
}

// stepTime is the most that a mail server gets for its side of one step: to connect,
// to greet and authenticate, to take the message.
const stepTime = 25 * time.Second

// SMTP hands mail to a server: encrypted from the start (smtps), or as soon as the
// server offers it (smtp). A password never goes over an unencrypted line, that to
// this machine apart.
type SMTP struct {
	host     string
	port     int
	implicit bool // TLS from the start
	user     string
	password string
	from     netmail.Address
	roots    *x509.CertPool // nil: those that the system trusts
	patience time.Duration  // for each step
}

// NewSMTP reads an address such as smtp://user:password@mail.example.com:587 and a
// sender such as Portal <portal@example.com>.
func NewSMTP(address, from string) (*SMTP, error) {
	u, err := ParseSMTP(address)
	if err != nil {
		return nil, err
	}
	sender, err := ParseSender(from)
	if err != nil {
		return nil, err
	}
	s := &SMTP{
		host:     u.Hostname(),
		port:     587,
		implicit: u.Scheme == "smtps",
		from:     *sender,
		patience: stepTime,
	}
	if s.implicit {
		s.port = 465
	}
	if u.Port() != "" {
		s.port, _ = strconv.Atoi(u.Port()) // read by ParseSMTP
	}
	s.user = u.User.Username()
	s.password, _ = u.User.Password()
	return s, nil
}

var errSMTP = errors.New(
	"must be of the form smtp://user:password@host:587 or smtps://user:password@host:465; user and password may be " +
		"left out together",
)

// ParseSMTP reads the address of a mail server. Its error never holds the address,
// which may hold a password.
func ParseSMTP(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" ||
		strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, errSMTP
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return nil, errSMTP
		}
	}
	if password, has := u.User.Password(); u.User != nil && (u.User.Username() == "" || !has || password == "") {
		return nil, errSMTP
	}
	return u, nil
}

// ParseSender reads the address that mail comes from, with or without a name.
func ParseSender(from string) (*netmail.Address, error) {
	a, err := netmail.ParseAddress(from)
	if err != nil || strings.ContainsAny(from, "\r\n") || strings.HasSuffix(a.Address, "@") {
		return nil, fmt.Errorf("must be an address such as portal@example.com or Portal <portal@example.com>, not %q",
			from)
	}
	return a, nil
}

// Carry hands over one message, and gives the server's answer to it. That the connection breaks
// after the server has taken it is no failure.
func (s *SMTP) Carry(ctx context.Context, m *mail.Message) (answer string, err error) {
	email, err := s.email(m)
	if err != nil {
		return "", mail.Refused(err)
	}
	client, err := s.client(ctx)
	if err != nil {
		return "", s.failed(err)
	}
	server, err := client.DialToSMTPClientWithContext(ctx)
	if err != nil {
		return "", s.failed(fmt.Errorf("connect: %w", err))
	}
	defer client.CloseWithSMTPClient(server) //nolint:errcheck // how the server takes leave is no matter
	if !isASCII(m.To) {
		if offered, _ := server.Extension("SMTPUTF8"); !offered {
			return "", mail.Refused(
				errors.New("the mail server takes only addresses of ASCII letters (it does not offer SMTPUTF8)"),
			)
		}
		server.SkipSMTPUTF8(false)
	}
	if err := client.SendWithSMTPClient(server, email); err != nil && !email.IsDelivered() {
		return "", s.failed(err)
	}
	return email.ServerResponse(), nil
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

func (s *SMTP) client(ctx context.Context) (*gomail.Client, error) {
	trust := &tls.Config{ServerName: s.host, RootCAs: s.roots, MinVersion: tls.VersionTLS12}
	options := []gomail.Option{
		gomail.WithPort(s.port),
		gomail.WithTimeout(s.patience),
		gomail.WithTLSConfig(trust),
		gomail.WithTLSPolicy(gomail.TLSOpportunistic),
		gomail.WithoutNoop(),
		gomail.WithoutRset(),
		gomail.WithoutSMTPUTF8(), // unless the recipient needs it
		gomail.WithDialContextFunc(s.dial(ctx, trust)),
	}
	if s.user != "" {
		auth := gomail.SMTPAuthAutoDiscover // which offers no password to a server without TLS
		if ip, err := netip.ParseAddr(s.host); s.host == "localhost" || err == nil && ip.IsLoopback() {
			auth = gomail.SMTPAuthPlain
		}
		options = append(
			options, gomail.WithUsername(s.user), gomail.WithPassword(s.password), gomail.WithSMTPAuth(auth),
		)
	}
	return gomail.NewClient(s.host, options...)
}

// dial connects, and hangs up when the context ends: the client itself looks at its
// deadlines only.
func (s *SMTP) dial(whole context.Context, trust *tls.Config) gomail.DialContextFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		context.AfterFunc(whole, func() { _ = conn.Close() }) // it may be closed already
		if !s.implicit {
			return conn, nil
		}
		encrypted := tls.Client(conn, trust)
		if err := encrypted.HandshakeContext(ctx); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		return encrypted, nil
	}
}

// email writes the message as it goes over the wire. Its Message-ID and its date are
// the same at each attempt.
func (s *SMTP) email(m *mail.Message) (*gomail.Msg, error) {
	l := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	l.FromMailAddress(&s.from)
	if err := l.To(m.To); err != nil {
		return nil, err
	}
	l.Subject(m.Subject)
	l.SetDateWithValue(m.CreatedAt.Std())
	l.SetMessageIDWithValue(s.messageID(m.ID))
	l.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no machine need answer
	if m.Unsubscribe != "" {
		l.SetListUnsubscribe(m.Unsubscribe)
	}
	if strings.HasPrefix(m.Unsubscribe, "https:") {
		l.SetListUnsubscribePost() // RFC 8058
	}
	l.SetBodyString(gomail.TypeTextPlain, m.Text)
	l.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	return l, nil
}

// messageID is the id of the mail at the domain of the sender.
func (s *SMTP) messageID(id string) string {
	return id + s.from.Address[strings.LastIndexByte(s.from.Address, '@'):]
}

// failed tells a refusal of the recipient or of the message from what may go better at
// another time. That we may not connect or be the sender is for the operator to mend.
func (s *SMTP) failed(err error) error {
	if s.repeatsPassword(err.Error()) {
		err = errRepeated
	}
	var e *gomail.SendError
	if !errors.As(err, &e) || e.ErrorCode() < 500 || e.ErrorCode() > 599 {
		return err
	}
	switch e.Reason {
	case gomail.ErrSMTPRcptTo, gomail.ErrSMTPData, gomail.ErrSMTPDataClose:
		words := serverWords(e)
		if s.repeatsPassword(words) {
			return mail.Refused(errRepeated)
		}
		return mail.Refused(errors.New(words))
	}
	return err
}

var errRepeated = errors.New("the mail server repeats the password in its answer")

func (s *SMTP) repeatsPassword(words string) bool {
	return s.password != "" && strings.Contains(words, s.password)
}

// serverWords is what the server answered to a step that it refused: the code and the text, in one line, without what
// the client says around it. People read it on the page of a lease and in the certificate.
func serverWords(e *gomail.SendError) string {
	code := strconv.Itoa(e.ErrorCode())
	_, text, is := strings.Cut(e.Error(), ": "+code+" ")
	if !is {
		return e.Error()
	}
	if quoted, err := strconv.QuotedPrefix(text); err == nil {
		text, _ = strconv.Unquote(quoted) // it is one
	} else {
		text, _, _ = strings.Cut(text, ", affected ")
	}
	return strings.Join(strings.Fields(code+" "+text), " ")
}
