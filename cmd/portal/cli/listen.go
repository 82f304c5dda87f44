package cli

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/event"
	"portal/api/id"
	"portal/api/webhook"
	"portal/cmd/portal/listen"
)

// Listen forwards test events to an address until it is stopped.
func Listen(f *Flags) Action {
	l := &listen.Listener{}
	f.JSON = "print one line of JSON per event"
	key, base := f.String("key", "", "a test key of the landlord"), f.serviceURL()
	f.StringVar(base, "base-url", "", "the same as --url")
	f.StringVar(&l.Forward, "forward", "", "where to send the events, such as http://localhost:3000/hooks")
	kinds := f.String("events", "*", "event types to forward, separated by commas; * is all")
	headers := f.repeated("header", "a header to add to each request, 'NAME: VALUE'; repeat the flag for more")
	f.StringVar(&l.Again, "replay", "", "forward the event with this ID first, whatever its type")
	return func(ctx context.Context, c *Call) (err error) {
		l.Out, l.Err, l.AsJSON = c.Out, c.Err, c.JSON
		if l.Kinds, err = eventKinds(*kinds); err != nil {
			return err
		}
		if l.Extra, err = forwardHeaders(*headers); err != nil {
			return err
		}
		if l.Again != "" && !id.Valid(id.Event, l.Again) {
			return Misuse("--replay must be the ID of an event, evt_…")
		}
		if err := address("forward", l.Forward); err != nil {
			return err
		}
		if l.Remote, err = c.newRemote(*key, *base); err != nil {
			return err
		}
		l.Agent = webhook.Agent(l.Remote.Base)
		return l.Run(ctx)
	}
}

// serviceURL is the flag that says where the service is.
func (f *Flags) serviceURL() *string {
	return f.String("url", "", "address of the service (default: PORTAL_BASE_URL)")
}

// eventKinds reads the kinds of event that are to be forwarded; none is all of them.
func eventKinds(names string) (kinds []webhook.Kind, err error) {
	known := append(webhook.EveryKind.Values(), event.EndpointTest)
	for _, name := range Words(names) {
		if !slices.Contains(known, name) {
			return nil, Misuse(fmt.Sprintf("%q isn't an event type. The types are %s", name, strings.Join(known, ", ")))
		}
		kinds = append(kinds, webhook.Kind(name))
	}
	return kinds, nil
}

// address checks an address that a flag has.
func address(name, text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return Misuse("--" + name + " must be an address such as http://localhost:3000/hooks")
	}
	return nil
}

// testKey checks a key as far as that needs no request.
func testKey(key string) error {
	mode, valid := developer.KeyMode(key)
	switch {
	case key == "":
		return Misuse("--key is required: a test key, sk_test_…")
	case !valid:
		return Misuse("--key isn't an API key: its format or checksum is wrong. " +
			"Copy the whole key, starting with sk_test_.")
	case mode != access.Test:
		return Misuse("--key is a live key. Use a test key, sk_test_…. Live events are sent to webhook endpoints.")
	}
	return nil
}

// newRemote finds the service of a test key: at the address of a flag, or of the
// configuration.
func (a *App) newRemote(key, flag string) (*listen.Remote, error) {
	base := strings.TrimRight(flag, "/")
	var err error
	if flag != "" {
		err = address("url", flag)
	} else if base, err = a.ConfiguredURL(); err == nil && base == "" {
		err = Misuse("--url is required, because PORTAL_ADDR doesn't name a port")
	}
	if err != nil {
		return nil, err
	}
	return listen.NewRemote(key, base, http.ProxyFromEnvironment), testKey(key)
}

// ownHeaders are those of a delivery itself, and those that belong to the connection.
var ownHeaders = []string{"Content-Type", "Content-Length", "Transfer-Encoding", "Connection"}

// forwardHeaders reads the headers that are sent along with each event.
func forwardHeaders(lines []string) (http.Header, error) {
	all := http.Header{}
	for i, line := range lines {
		name, value, found := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if !found || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, notAHeader(i)
		}
		name = http.CanonicalHeaderKey(name)
		if slices.Contains(ownHeaders, name) || strings.HasPrefix(name, "Webhook-") ||
			strings.HasPrefix(name, "X-Service-") {
			return nil, Misuse("--header can't set " + name + ": the delivery sets it")
		}
		all.Add(name, value)
	}
	return all, nil
}
