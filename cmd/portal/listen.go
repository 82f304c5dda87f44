package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"portal/api/id"
	"portal/api/webhook"
)

// How listen connects again: after a pause that doubles, give or take a part of it.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = 10 * time.Second
)

var listenCommand = command{
	name: "listen", args: "--key K --forward URL [--events a,b] [--header 'NAME: VALUE'] [--replay EVENT_ID] [--url URL]",
	short: "Forward the events of test mode to an address of yours while it runs",
	bind: func(f *flag.FlagSet) action {
		l := &listener{told: map[string]struct{}{}}
		key, base := f.String("key", "", "a test key of the landlord"), serviceURL(f)
		f.StringVar(base, "base-url", "", "the same as --url")
		f.StringVar(&l.forward, "forward", "", "where the events are sent, such as http://localhost:3000/hooks")
		kinds := f.String("events", "*", "the kinds of event that are forwarded")
		headers := texts(f, "header", "a header that is sent along, 'NAME: VALUE'; repeated for each")
		f.StringVar(&l.again, "replay", "", "forward the event of this id first, whatever its kind")
		f.BoolVar(&l.asJSON, "json", false, "print a line of JSON for each event")
		return func(ctx context.Context, a *app, _ []string) (err error) {
			l.app = a
			if l.kinds, err = eventKinds(*kinds); err != nil {
				return err
			}
			if l.extra, err = forwardHeaders(*headers); err != nil {
				return err
			}
			if l.again != "" && !id.Valid(id.Event, l.again) {
				return misuse("--replay is no id of an event, evt_…")
			}
			if err := address("forward", l.forward); err != nil {
				return err
			}
			if l.remote, err = a.newRemote(*key, *base); err != nil {
				return err
			}
			return l.listen(ctx)
		}
	},
}

// serviceURL is the flag that says where the service is.
func serviceURL(f *flag.FlagSet) *string {
	return f.String("url", "", "address of the service (default: PORTAL_BASE_URL)")
}

// eventKinds reads the kinds of event that are to be forwarded; none is all of them.
func eventKinds(names string) (kinds []webhook.Kind, err error) {
	known := append(webhook.EveryKind.Values(), string(webhook.EndpointTest))
	for name := range strings.FieldsFuncSeq(names, func(r rune) bool { return r == ',' || r == ' ' }) {
		if !slices.Contains(known, name) {
			return nil, misuse(fmt.Sprintf("%q is no kind of event; the kinds are %s", name, strings.Join(known, ", ")))
		}
		kinds = append(kinds, webhook.Kind(name))
	}
	return kinds, nil
}

// address checks an address that a flag has.
func address(name, text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return misuse("--" + name + " must be an address such as http://localhost:3000/hooks")
	}
	return nil
}

// baseURL is where the service is: what the flag says, or the configuration.
func (a *app) baseURL(flag string) (string, error) {
	if flag != "" {
		return strings.TrimRight(flag, "/"), address("url", flag)
	}
	c, err := configure(a.getenv)
	if err != nil {
		return "", err
	}
	if c.baseURL == "" {
		return "", misuse("--url is needed: PORTAL_ADDR leaves the port open")
	}
	return c.baseURL, nil
}

// listener forwards the events of a key's portfolio to an address.
type listener struct {
	*app
	remote  *remote
	forward string
	secret  string
	extra   http.Header    // sent along
	kinds   []webhook.Kind // none is all
	asJSON  bool
	again   string // the id of an event to forward first, "" for none
	local   *http.Client

	first, last string              // positions: where the first stream began, and how far it was heard
	told        map[string]struct{} // ids of the last overlap
}

// listen goes on until the context ends, or the service refuses the key. The secret is
// shown once the service knows the key.
func (l *listener) listen(ctx context.Context) error {
	l.secret = webhook.ListenSecret(l.remote.key)
	l.local = direct(nil)
	l.local.Timeout = forwardTime
	var replayed *webhook.Event // nil for none
	known := func(ctx context.Context) (_ bool, err error) {
		if err = l.remote.check(ctx); err == nil && l.again != "" {
			replayed, err = l.remote.event(ctx, l.again)
		}
		return false, err
	}
	if err := l.persist(ctx, known); err != nil || ctx.Err() != nil {
		return err
	}
	l.introduce()
	if replayed != nil {
		if err := l.pass(ctx, replayed); err != nil {
			return nil //nolint:nilerr // it was asked to end
		}
	}
	return l.persist(ctx, l.connect)
}

// persist does something again and again until the service refuses it, or until it has
// worked where it is not the stream, which ends with an error always.
func (l *listener) persist(ctx context.Context, do func(context.Context) (heard bool, err error)) error {
	pause := firstPause
	for {
		heard, err := do(ctx)
		if err == nil || ctx.Err() != nil {
			return nil //nolint:nilerr // it was asked to end
		}
		var no refused
		if errors.As(err, &no) {
			return err
		}
		if heard {
			pause = firstPause
		}
		wait := max(pause+time.Duration(rand.Int64N(int64(pause/4))), retryAfter(err)) //nolint:gosec // jitter is no secret
		fmt.Fprintf(l.err, "portal listen: %s; trying again in %s\n", err, wait.Round(100*time.Millisecond))
		if !sleep(ctx, wait) {
			return nil
		}
		pause = min(2*pause, longestPause)
	}
}

// direct is a client that follows no redirect: what answers is what was named.
func direct(proxy func(*http.Request) (*url.URL, error)) *http.Client {
	return &http.Client{Transport: &http.Transport{Proxy: proxy, TLSHandshakeTimeout: forwardTime, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// sleep tells whether the time passed before the context ended.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// introduce prints the secret, once, and what it is for.
func (l *listener) introduce() {
	if l.asJSON {
		l.line(map[string]string{"signing_secret": l.secret, "forward": l.forward, "base_url": l.remote.base})
		return
	}
	fmt.Fprintf(l.out, "Signing secret: %s\nVerify with it what arrives at %s, as you will verify deliveries: by %s,\nor by the headers of Standard Webhooks. It is the same each time for this key. Ctrl-C ends it.\n",
		l.secret, l.forward, webhook.SignatureHeader)
}

// line prints a line of JSON.
func (l *listener) line(v any) {
	text, err := json.Marshal(v)
	if err == nil {
		_, err = fmt.Fprintf(l.out, "%s\n", text)
	}
	if err != nil {
		fmt.Fprintf(l.err, "portal listen: %s\n", err)
	}
}

// wants tells whether a kind of event is forwarded.
func (l *listener) wants(k webhook.Kind) bool {
	return len(l.kinds) == 0 || slices.Contains(l.kinds, webhook.EveryKind) || slices.Contains(l.kinds, k)
}
