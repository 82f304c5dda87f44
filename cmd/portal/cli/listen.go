package cli

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/event"
	"portal/api/id"
	"portal/api/webhook"
	"portal/cmd/portal/listen"
)

// Listen is the sub-command "listen" of portal.
var Listen = Command{
	Name:  "listen",
	Args:  "--key K --forward URL [--events a,b] [--header 'NAME: VALUE'] [--replay EVENT_ID] [--url URL]",
	Short: "Forward test events to your own address, until you stop it",
	Bind: func(f *flag.FlagSet) Action {
		l := listen.New()
		key, base := f.String("key", "", "a test key of the landlord"), serviceURL(f)
		f.StringVar(base, "base-url", "", "the same as --url")
		f.StringVar(&l.Forward, "forward", "", "where to send the events, such as http://localhost:3000/hooks")
		kinds := f.String("events", "*", "event types to forward, separated by commas; * is all")
		headers := repeated(f, "header", "a header to add to each request, 'NAME: VALUE'; repeat the flag for more")
		f.StringVar(&l.Again, "replay", "", "forward the event with this ID first, whatever its type")
		f.BoolVar(&l.AsJSON, "json", false, "print one line of JSON per event")
		return func(ctx context.Context, a *App, _ []string) (err error) {
			l.Out, l.Err = a.Out, a.Err
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
			if l.Remote, err = a.newRemote(*key, *base); err != nil {
				return err
			}
			l.Agent = webhook.Agent(l.Remote.Base)
			return l.Run(ctx)
		}
	},
}

// serviceURL is the flag that says where the service is.
func serviceURL(f *flag.FlagSet) *string {
	return f.String("url", "", "address of the service (default: PORTAL_BASE_URL)")
}

// eventKinds reads the kinds of event that are to be forwarded; none is all of them.
func eventKinds(names string) (kinds []webhook.Kind, err error) {
	known := append(webhook.EveryKind.Values(), event.EndpointTest)
	for name := range strings.FieldsFuncSeq(names, func(r rune) bool { return r == ',' || r == ' ' }) {
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

// baseURL is where the service is: what the flag says, or the configuration.
func (a *App) baseURL(flag string) (string, error) {
	if flag != "" {
		return strings.TrimRight(flag, "/"), address("url", flag)
	}
	base, err := a.ConfiguredURL()
	if err == nil && base == "" {
		err = Misuse("--url is required, because PORTAL_ADDR doesn't name a port")
	}
	return base, err
}

// testKey checks a key as far as that needs no request.
func testKey(key string) error {
	mode, valid := developer.KeyMode(key)
	switch {
	case key == "":
		return Misuse("--key is required: a test key, sk_test_…")
	case !valid:
		return Misuse(
			"--key isn't an API key: its format or checksum is wrong. Copy the whole key, starting with sk_test_.",
		)
	case mode != access.Test:
		return Misuse(
			"--key is a live key. Use a test key, sk_test_…. Live events are sent to webhook endpoints.",
		)
	}
	return nil
}

// newRemote finds the service of a test key: at the address of a flag, or of the
// configuration.
func (a *App) newRemote(key, flag string) (*listen.Remote, error) {
	base, err := a.baseURL(flag)
	if err != nil {
		return nil, err
	}
	return listen.NewRemote(key, base, http.ProxyFromEnvironment), testKey(key)
}
