package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"portal/api/webhook/signature"
)

// LargestBody is far more than any delivery has.
const LargestBody = 1 << 20

// WebhookVerify checks the signature of a delivery, with its raw body on standard input.
func WebhookVerify(f *Flags) Action {
	secrets := f.repeated("secret", "a signing secret; repeat the flag for more, the current one first")
	headers := f.repeated("header", "a header as you received it, 'NAME: VALUE'; repeat the flag for more")
	tolerance := f.Int("tolerance", int(signature.Tolerance/time.Second), "how many seconds the clocks may differ")
	at := f.String("at", "",
		"check as of this time instead of now: 2027-01-31T12:00:00Z, Unix seconds, or a duration such as -2h")
	return func(_ context.Context, c *Call) error {
		p, err := paste(*secrets, *headers, *tolerance)
		if err != nil {
			return err
		}
		now, err := asOf(*at)
		if err != nil {
			return err
		}
		p.Body, err = io.ReadAll(io.LimitReader(c.In, LargestBody+1))
		if err != nil {
			return fmt.Errorf("reading the body: %w", err)
		}
		if len(p.Body) > LargestBody {
			return errors.New("the body is larger than 1 MiB, and no delivery is that large")
		}
		return c.printVerdict(signature.Judge(p, now))
	}
}

func paste(secrets, headers []string, tolerance int) (p signature.Pasted, err error) {
	switch {
	case len(secrets) == 0:
		return p, Misuse("--secret is required: the signing secret of the endpoint")
	case len(headers) == 0:
		return p, Misuse("--header is required: the headers of the delivery, each as 'NAME: VALUE'")
	case tolerance < 0:
		return p, Misuse("--tolerance must be a number of seconds, 0 or more")
	}
	for _, s := range secrets {
		if strings.TrimSpace(s) == "" {
			return p, Misuse("a --secret is empty: is the variable set?")
		}
	}
	p = signature.Pasted{
		Header:    http.Header{},
		Secrets:   secrets,
		Tolerance: time.Duration(tolerance) * time.Second,
	}
	for i, h := range headers {
		name, value, found := strings.Cut(h, ":")
		if name = headerName(name); !found || name == "" {
			return p, notAHeader(i)
		}
		p.Header.Add(name, strings.TrimSpace(value))
	}
	return p, nil
}

// notAHeader says which --header is none, without its text, which may be secret.
func notAHeader(i int) error {
	return Misuse(fmt.Sprintf("--header number %d is not 'NAME: VALUE'", i+1))
}

// headerName takes a name as the wire has it, or as CGI and its heirs (PHP, Rack, WSGI)
// show it: HTTP_WEBHOOK_ID.
func headerName(name string) string {
	name = strings.TrimSpace(name)
	if cgi, is := strings.CutPrefix(name, "HTTP_"); is {
		name = cgi
	}
	return strings.ReplaceAll(name, "_", "-")
}

// asOf reads a moment, Unix seconds too, or is now.
func asOf(s string) (time.Time, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return time.Unix(n, 0), nil
	}
	t, err := moment(s)
	if t == nil || err != nil {
		return time.Now(), err
	}
	return t.Std(), nil
}

// printVerdict prints what was found; a delivery that is not valid is an error too.
func (c *Call) printVerdict(v signature.Verdict) error {
	var err error
	if !v.Valid {
		err = errors.New(v.Message)
	}
	if c.JSON {
		return errors.Join(c.printJSON(v), err)
	}
	if v.Valid {
		fmt.Fprintln(c.Out, v.Message)
	}
	w := newTable(c.Out)
	for _, check := range v.Checks {
		fmt.Fprintf(w, "%s\t%s\t%s\n", check.Name, check.Result, check.Message)
	}
	return errors.Join(w.Flush(), err)
}
