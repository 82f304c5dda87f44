// Package stripe takes payments of live portfolios through Stripe Connect. Each landlord has an account of their own
// with Stripe, on which payments are made as direct charges: the landlord is the merchant, and pays Stripe's fees.
// Tenants pay on Stripe's page, so no number of a card or an account reaches the service.
//
// It keeps nothing. What has become of a payment is read from Stripe each time, and never from an event.
package stripe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v84"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/portfolio"
)

// Name is the processor's in attempts.
const Name = "stripe"

// timeout is how long Stripe may take for an answer.
const timeout = 10 * time.Second

// retries is how often a request that fails on its way is sent again at once, with the same idempotency key.
const retries = 1

// longestAnswer is how long an answer may be, in bytes. None to what is asked here is nearly as long.
const longestAnswer = 8 << 20

// Lists are read in pages of pageSize. A list of more than mostPages pages is an error.
const (
	pageSize  = 100
	mostPages = 100
)

// The keys of metadata by which objects at Stripe name records here.
const (
	attemptKey   = "attempt"
	autopayKey   = "autopay"
	refundKey    = "refund"
	portfolioKey = "portfolio"
)

// Stripe's names.
const (
	currency = "usd"
	byCard   = "card"
	byACH    = "us_bank_account"
)

// Config is how Stripe is reached.
type Config struct {
	SecretKey string
	APIBase   string       // the address of the API, "" for Stripe's
	HTTP      *http.Client // nil for one that waits 10 seconds for an answer
}

// Processor is Stripe. It implements payment.Processor, payment.Charger, payment.Bookkeeper and payment.Accounts.
type Processor struct {
	backend stripe.Backend
	secret  string
}

// New makes the processor.
func New(c Config) *Processor {
	client := http.Client{Timeout: timeout}
	if c.HTTP != nil {
		client = *c.HTTP
	}
	if client.Transport == nil {
		client.Transport = http.DefaultTransport
	}
	client.Transport = transport{client.Transport}
	// The API leads nowhere else, and the key is for it alone.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	config := &stripe.BackendConfig{
		HTTPClient:        &client,
		MaxNetworkRetries: new(int64(retries)),
		EnableTelemetry:   new(false),
		LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull},
	}
	if c.APIBase != "" {
		config.URL = &c.APIBase
	}
	return &Processor{stripe.GetBackendWithConfig(stripe.APIBackend, config), c.SecretKey}
}

// api is a client of the API, which is made anew for each call: in a field, its type could be reached by reflection,
// and the binary would contain every call that Stripe knows, which is 6 MB.
func (p *Processor) api() *stripe.Client {
	return stripe.NewClient(p.secret, stripe.WithBackends(&stripe.Backends{API: p.backend}))
}

// Name is payment.Processor's.
func (*Processor) Name() string { return Name }

// transport bounds answers, and tells Stripe nothing of the machine.
type transport struct{ inner http.RoundTripper }

// RoundTrip is http.RoundTripper's.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Del("X-Stripe-Client-User-Agent")
	res, err := t.inner.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= 300 && !strings.Contains(res.Header.Get("Content-Type"), "json") {
		_ = res.Body.Close() // of no use, and said below
		return nil, statusError(res.StatusCode)
	}
	res.Body = struct {
		io.Reader
		io.Closer
	}{http.MaxBytesReader(nil, res.Body, longestAnswer), res.Body}
	return res, nil
}

// statusError is an answer that is none of the API, such as one of a proxy.
type statusError int

// Error is error's.
func (e statusError) Error() string { return fmt.Sprintf("the answer has the status %d", int(e)) }

// problem is something that is found here, without Stripe or in what it says.
type problem string

// Error is error's.
func (p problem) Error() string { return string(p) }

const (
	// errUnreadable stands for an error that may quote an answer, which may contain the address of a page.
	errUnreadable problem = "the answer cannot be read"
	// errNoAccount is of a record without an account, which nothing can be paid to.
	errNoAccount problem = "the landlord has no account"
	errNoPayment problem = "there is no payment"
)

// errTooMany is of a list that does not end.
var errTooMany = problem(fmt.Sprintf("the list has more than %d entries", pageSize*mostPages))

// failed is an error of Stripe with what was being done. It contains neither the key nor what Stripe knows of a
// payment.
func (p *Processor) failed(doing string, err error) error {
	if err == nil {
		return nil
	}
	var (
		answered *stripe.Error
		sending  *url.Error
		network  net.Error
		found    problem
	)
	switch {
	case errors.As(err, &answered):
		err = errors.New(p.words(answered))
	case errors.As(err, &sending):
		err = sending.Err // its own text repeats the address
	case errors.As(err, &found), errors.As(err, &network), errors.Is(err, io.ErrUnexpectedEOF),
		errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
	default:
		err = errUnreadable
	}
	return fmt.Errorf("%s at Stripe: %w", doing, err)
}

// words are what a person who runs the service needs to know of an error. The message is of the request alone, and is
// left out where it may quote the key.
func (p *Processor) words(e *stripe.Error) string {
	said := []string{fmt.Sprintf("status %d", e.HTTPStatusCode), string(e.Type)}
	if e.Code != "" {
		said = append(said, "code "+string(e.Code))
	}
	if e.Param != "" {
		said = append(said, "parameter "+e.Param)
	}
	if e.RequestID != "" {
		said = append(said, "request "+e.RequestID)
	}
	if e.Type == stripe.ErrorTypeInvalidRequest && e.HTTPStatusCode != http.StatusUnauthorized &&
		!strings.Contains(e.Msg, p.secret) {
		said = append(said, e.Msg)
	}
	return strings.Join(said, ", ")
}

// answer is what Stripe said to a request that it refused, nil where it did not.
func answer(err error) *stripe.Error {
	var e *stripe.Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}

// missing reports whether Stripe knows no such object.
func missing(err error) bool {
	e := answer(err)
	return e != nil && e.HTTPStatusCode == http.StatusNotFound
}

// refused reports whether Stripe does not do something because of how the object is.
func refused(err error) bool {
	e := answer(err)
	return e != nil && e.HTTPStatusCode == http.StatusBadRequest && e.Type == stripe.ErrorTypeInvalidRequest
}

// on are the parameters that each request to a landlord's account has. The idempotency key is "" for none.
func on(account *string, key string) stripe.Params {
	params := stripe.Params{StripeAccount: account}
	if key != "" {
		params.IdempotencyKey = &key
	}
	return params
}

// pages are those parameters of a list.
func pages(account *string) stripe.ListParams {
	return stripe.ListParams{StripeAccount: account, Limit: new(int64(pageSize))}
}

// all reads a list to its end.
func all[T any](list stripe.Seq2[T, error]) (read []T, err error) {
	list(func(x T, failed error) bool {
		switch {
		case failed != nil:
			err = failed
		case len(read) == pageSize*mostPages:
			err = errTooMany
		default:
			read = append(read, x)
		}
		return err == nil
	})
	return read, err
}

// expand names what comes with an answer.
func expand(fields ...string) []*string {
	all := make([]*string, len(fields))
	for i := range fields {
		all[i] = &fields[i]
	}
	return all
}

// types are Stripe's names of the ways to pay, of one or of all.
func types(only *portfolio.PaymentMethod) []*string {
	switch {
	case only == nil:
		return expand(byCard, byACH)
	case *only == portfolio.PayByACH:
		return expand(byACH)
	default:
		return expand(byCard)
	}
}

// method is a way to pay, of Stripe's name for it.
func method(name string) portfolio.PaymentMethod {
	switch name {
	case "":
		return ""
	case byACH:
		return portfolio.PayByACH
	default: // such as a wallet with a card in it
		return portfolio.PayByCard
	}
}

// zone is the one by which days are those of a landlord.
func zone(by access.Actor) *time.Location {
	if by.Zone == nil {
		return time.UTC
	}
	return by.Zone
}

// moment is a time of Stripe's.
func moment(seconds int64) clock.Time { return clock.At(time.Unix(seconds, 0)) }

func cents(n int64) money.Cents { return money.Cents(n) }

var (
	_ payment.Processor  = (*Processor)(nil)
	_ payment.Charger    = (*Processor)(nil)
	_ payment.Bookkeeper = (*Processor)(nil)
	_ payment.Accounts   = (*Processor)(nil)
)
