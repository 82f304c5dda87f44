// Package listen is the service as a test key reaches it over HTTP, and a listener that forwards
// the events of test mode to an address while it runs.
//
// It knows nothing of flags and the environment, nor of the service but its API.
package listen

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"time"

	"portal/api/webhook"
	"portal/api/webhook/signature"
)

// How listen connects again: after a pause that doubles, give or take a part of it.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = 10 * time.Second
)

// Listener forwards the events of a key's portfolio to an address.
type Listener struct {
	Out, Err io.Writer // what it prints, and what goes wrong
	Agent    string    // what it calls itself where the user names nothing else
	Remote   *Remote
	Forward  string
	secret   string
	Extra    http.Header    // sent along
	Kinds    []webhook.Kind // none is all
	AsJSON   bool
	Again    string // the id of an event to forward first, "" for none
	local    *http.Client

	first, last string              // positions: where the first stream began, and how far it was heard
	told        map[string]struct{} // ids of the last overlap
}

// Run goes on until the context ends, or the service refuses the key. The secret is
// shown once the service knows the key.
func (l *Listener) Run(ctx context.Context) error {
	l.told = map[string]struct{}{}
	l.secret = signature.ListenSecret(l.Remote.key)
	l.local = direct(nil)
	l.local.Timeout = forwardTime
	var replayed *webhook.Event // nil for none
	known := func(ctx context.Context) (_ bool, err error) {
		if _, err = l.Remote.Ask(ctx, http.MethodGet, "/me", nil); err == nil && l.Again != "" {
			replayed, err = l.Remote.event(ctx, l.Again)
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
func (l *Listener) persist(ctx context.Context, do func(context.Context) (heard bool, err error)) error {
	pause := firstPause
	for {
		heard, err := do(ctx)
		if err == nil || ctx.Err() != nil {
			return nil //nolint:nilerr // it was asked to end
		}
		if _, is := errors.AsType[refused](err); is {
			return err
		}
		if heard {
			pause = firstPause
		}
		jitter := time.Duration(rand.Int64N(int64(pause / 4))) //nolint:gosec // jitter is no secret
		wait := max(pause+jitter, RetryAfter(err))
		fmt.Fprintf(l.Err, "portal listen: %s; trying again in %s\n", err, wait.Round(100*time.Millisecond))
		if !Sleep(ctx, wait) {
			return nil
		}
		pause = min(2*pause, longestPause)
	}
}

// direct is a client that follows no redirect: what answers is what was named.
func direct(proxy func(*http.Request) (*url.URL, error)) *http.Client {
	return &http.Client{
		Transport:     &http.Transport{Proxy: proxy, TLSHandshakeTimeout: forwardTime, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Sleep reports whether the time passed before the context ended.
func Sleep(ctx context.Context, d time.Duration) bool {
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
func (l *Listener) introduce() {
	if l.AsJSON {
		l.line(map[string]string{"signing_secret": l.secret, "forward": l.Forward, "base_url": l.Remote.Base})
		return
	}
	fmt.Fprintf(l.Out, "Signing secret: %s\nUse it to verify the requests at %s, by %s\n"+
		"or by the headers of Standard Webhooks. It stays the same for this key. Press Ctrl-C to stop.\n",
		l.secret, l.Forward, signature.ServiceHeader)
}

// line prints a line of JSON.
func (l *Listener) line(v any) {
	if err := json.NewEncoder(l.Out).Encode(v); err != nil {
		fmt.Fprintf(l.Err, "portal listen: %s\n", err)
	}
}

// wants reports whether a kind of event is forwarded.
func (l *Listener) wants(k webhook.Kind) bool {
	return len(l.Kinds) == 0 || slices.Contains(l.Kinds, webhook.EveryKind) || slices.Contains(l.Kinds, k)
}
