package send

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

// failure is why no answer came.
type failure struct {
	err, cause error  // cause is why the attempt was ended, nil where it ended itself
	url        string // the receiver's
	stage      int32  // how far the attempt had come
	total      time.Duration
}

// words are a code, a colon and a sentence, for somebody who runs the receiver. They name no
// address of ours.
func (f *failure) words() string {
	var to *refused
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case f.cause != nil && !errors.Is(f.cause, errLate):
		return "interrupted: This service stopped before the receiver answered."
	case f.cause != nil || timeout(f.err):
		return f.late()
	case errors.Is(f.err, errURL):
		return "url: The URL cannot be read."
	case errors.As(f.err, &to):
		return "address_not_allowed: " + f.refusal(to)
	case errors.As(f.err, &dns):
		return "dns: " + f.unknown(dns)
	case errors.Is(f.err, syscall.ECONNREFUSED):
		return fmt.Sprintf("connection_refused: %s refused the connection; nothing listens there.", f.host())
	case hungUp(f.err):
		return "connection_reset: The receiver closed the connection before it answered."
	}
	if why := tlsWords(f.err); why != "" {
		return "tls: " + why
	}
	if errors.As(f.err, &op) && op.Op == "dial" {
		return fmt.Sprintf("unreachable: No connection to %s could be made.", f.host())
	}
	return "protocol: The answer is not HTTP, breaks its rules, or has more than 32 KiB of headers."
}

func timeout(err error) bool {
	var n net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &n) && n.Timeout()
}

// hungUp tells the end of a connection. The errors of one that ended before the request
// was written, and of one over HTTP/2 that the receiver takes no more requests on, have no
// type.
func hungUp(err error) bool {
	text := err.Error()
	return strings.HasSuffix(text, "server closed idle connection") || strings.Contains(text, "GOAWAY") ||
		strings.Contains(text, "REFUSED_STREAM") || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

func (f *failure) late() string {
	switch f.stage {
	case connecting:
		return fmt.Sprintf("timeout: There was no connection to %s within %s.", f.host(), f.total)
	case writing:
		return fmt.Sprintf("timeout: The receiver did not take the request within %s.", f.total)
	}
	return fmt.Sprintf("timeout: The receiver did not answer within %s.", f.total)
}

func (f *failure) refusal(to *refused) string {
	if _, err := netip.ParseAddr(f.host()); err == nil || f.host() == to.address {
		return to.Error() + "."
	}
	return fmt.Sprintf("%s resolves to %s, which is not on the public internet.", f.host(), to.address)
}

func (f *failure) unknown(e *net.DNSError) string {
	if e.IsNotFound {
		return fmt.Sprintf("The name %s does not exist, or has no address.", f.host())
	}
	return fmt.Sprintf("The name %s could not be looked up.", f.host())
}

// host is the receiver's, as its URL spells it.
func (f *failure) host() string {
	u, err := url.Parse(f.url)
	if err != nil {
		return "the receiver"
	}
	return u.Hostname()
}

// tlsWords are why there is no TLS with the receiver, "" where it is not for that.
func tlsWords(err error) string {
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	var record tls.RecordHeaderError
	var unverified *tls.CertificateVerificationError
	switch {
	case errors.As(err, &name):
		return "The receiver's certificate is for another name."
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "The receiver's certificate has expired, or is not valid yet."
	case errors.As(err, &unverified):
		return "The receiver's certificate is not signed by an authority that is trusted; it may lack the intermediate one."
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return "The receiver does not speak TLS on this port."
	}
	return handshakeWords(err)
}

// handshakeWords know the errors of crypto/tls, most of which have no type, by how
// they begin.
func handshakeWords(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error") {
		err = op.Err
	}
	why, is := strings.CutPrefix(err.Error(), "tls: ")
	if !is {
		return ""
	}
	return fmt.Sprintf("The handshake failed: %s. TLS 1.2 or later is needed.", strings.ToValidUTF8(why, "\ufffd"))
}
