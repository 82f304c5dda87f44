package webhook_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/webhook"
	"portal/db/webhookstore"
)

const hook = "https://hooks.example.com/portal"

func TestNewEndpointReadsBackWithoutItsSecret(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		for _, by := range []access.Actor{r.Live, r.Demo} {
			made, err := r.CreateEndpoint(t.Context(), by, webhook.EndpointCreate{
				URL:         hook,
				Events:      []webhook.Kind{event.PaymentSucceeded, event.LeaseSigned},
				Description: new("Books"),
			})
			must(t, err)
			e, at := *made.After, clock.At(noon)
			if made.Before != nil || made.Warnings != nil || !id.Valid(id.Endpoint, e.ID) ||
				e.Object != "webhook_endpoint" || e.Mode != by.Portfolio.Mode || e.Version != 1 ||
				e.CreatedAt !=
					at || e.UpdatedAt !=
				at || e.URL !=
				hook || *e.Description !=
				"Books" || e.Status !=
				webhook.Enabled || e.DisabledAt !=
				nil || e.DisabledReason !=
				nil ||
				!slices.Equal(e.Events, []webhook.Kind{
					event.PaymentSucceeded, event.LeaseSigned,
				}) || e.PreviousSecretExpiresAt != nil || e.LastDeliveryAt != nil {
				t.Errorf("%+v", e)
			}
			if e.Secret == nil || len(*e.Secret) != 50 || !strings.HasPrefix(*e.Secret, "whsec_") ||
				e.SecretPrefix != (*e.Secret)[:10] {
				t.Fatalf("the secret is %v, its prefix %s", e.Secret, e.SecretPrefix)
			}
			if present, previous := r.Secrets(e.ID); present != *e.Secret || previous != "" {
				t.Errorf("stored are %q and %q", present, previous)
			}
			if n := r.Count("webhook_endpoints WHERE instr(CAST(secret AS BLOB), CAST('whsec_' AS BLOB)) > 0"); n != 0 {
				t.Error("a secret lies about in clear")
			}
			e.Secret = nil
			if got := r.Stored(by, e.ID); !reflect.DeepEqual(got, e) {
				t.Errorf("read is\n%+v, made was\n%+v", got, e)
			}
		}
	})
}

func TestEndpointHasRequestedEventTypes(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		every, signed, paid := webhook.EveryKind, webhook.Kind(event.LeaseSigned), webhook.Kind(event.PaymentSucceeded)
		for _, c := range []struct{ asked, want []webhook.Kind }{
			{nil, []webhook.Kind{every}},
			{[]webhook.Kind{every}, []webhook.Kind{every}},
			{[]webhook.Kind{signed, every}, []webhook.Kind{every}},
			{[]webhook.Kind{paid, signed}, []webhook.Kind{paid, signed}},
		} {
			if e := r.Create(r.Live, hook, c.asked...); !slices.Equal(e.Events, c.want) {
				t.Errorf("%v became %v", c.asked, e.Events)
			}
		}
		for _, c := range []struct {
			asked []webhook.Kind
			says  string
		}{
			{[]webhook.Kind{}, "no kind"},
			{[]webhook.Kind{signed, paid, signed}, "lease.signed twice"},
			{[]webhook.Kind{every, every}, "* twice"},
		} {
			_, err := r.CreateEndpoint(t.Context(), r.Live, webhook.EndpointCreate{URL: hook, Events: c.asked})
			f := fault.From(err)
			if f.Code != fault.InvalidField || f.Param != "events" || !strings.Contains(f.Message, c.says) {
				t.Errorf("%v: %v at %q", c.asked, err, f.Param)
			}
		}
	})
}

func TestAllEndpointErrorsAreReportedTogether(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		_, err := r.CreateEndpoint(t.Context(), r.Live, webhook.EndpointCreate{
			URL:    "https://10.0.0.1/",
			Events: []webhook.Kind{"*", "*"},
		})
		f := fault.From(err)
		if f.Code != fault.URLNotAllowed || f.Param != "url" || len(f.Details) != 2 ||
			f.Details[1].Param != "events" || f.Details[1].Code != fault.InvalidField {
			t.Errorf("%+v", f)
		}
		if n := r.Count("webhook_endpoints"); n != 0 {
			t.Errorf("%d endpoints", n)
		}
	})
}

func TestChangingEndpointsRequiresWriteScope(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		e := r.Create(r.Live, hook)
		reader := r.Live
		reader.Scopes = access.Scopes{access.Read}
		_, create := r.CreateEndpoint(t.Context(), reader, webhook.EndpointCreate{URL: "nonsense"})
		_, rotate := r.RotateSecret(t.Context(), reader, "nonsense", webhook.EndpointRotate{})
		_, disable := r.DisableEndpoint(t.Context(), reader, e.ID)
		for _, err := range []error{create, rotate, disable} {
			if !fault.Is(err, fault.ScopeRequired) {
				t.Error(err)
			}
		}
		e.Secret = nil
		if got := r.Stored(r.Live, e.ID); !reflect.DeepEqual(got, *e) || r.Count("webhook_endpoints") != 1 {
			t.Errorf("%+v", got)
		}
	})
}

func TestOtherPortfoliosEndpointIsNotFound(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		robin, _ := r.Landlord("robin")
		e := r.Create(robin, hook)
		secret := *e.Secret
		for _, by := range []access.Actor{r.Live, r.Demo} {
			for _, id := range []string{e.ID, "we_none", "", "%"} {
				_, rotate := r.RotateSecret(t.Context(), by, id, webhook.EndpointRotate{PreviousSecretExpiresIn: 60})
				_, disable := r.DisableEndpoint(t.Context(), by, id)
				if !fault.Is(rotate, fault.NoRecord) || !fault.Is(disable, fault.NoRecord) {
					t.Errorf("%q: %v, %v", id, rotate, disable)
				}
			}
		}
		e.Secret = nil
		present, previous := r.Secrets(e.ID)
		if got := r.Stored(robin, e.ID); !reflect.DeepEqual(got, *e) || present != secret || previous != "" {
			t.Errorf("%+v", got)
		}
	})
}

func TestDuplicateURLIsAcceptedWithWarning(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		disabled := r.Create(r.Live, hook)
		_, err := r.DisableEndpoint(t.Context(), r.Live, disabled.ID)
		must(t, err)
		r.Create(r.Demo, hook)
		r.Create(r.Live, hook+"/other")
		first := r.Create(r.Live, hook, event.LeaseSigned)
		made, err := r.CreateEndpoint(t.Context(), r.Live, webhook.EndpointCreate{
			URL:    "https://HOOKS.example.com:443/portal",
			Events: []webhook.Kind{event.PaymentSucceeded},
		})
		must(t, err)
		if len(made.Warnings) != 1 || made.Warnings[0].Code != "duplicate_url" ||
			!strings.Contains(made.Warnings[0].Message, first.ID) {
			t.Errorf("%+v", made.Warnings)
		}
		third, err := r.CreateEndpoint(t.Context(), r.Live, webhook.EndpointCreate{URL: hook})
		must(t, err)
		if len(third.Warnings) != 1 || !strings.Contains(third.Warnings[0].Message, first.ID) ||
			!strings.Contains(third.Warnings[0].Message, made.After.ID) ||
			strings.Contains(third.Warnings[0].Message, disabled.ID) {
			t.Errorf("%+v", third.Warnings)
		}
	})
}

// Twenty in a mode: those of the other mode and disabled ones do not count.
func TestConcurrentCreatesEnableAtMost20EndpointsPerMode(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		for range 3 {
			_, err := r.DisableEndpoint(t.Context(), r.Live, r.Create(r.Live, hook).ID)
			must(t, err)
		}
		var all sync.WaitGroup
		var taken atomic.Int64
		for i := range 50 {
			all.Go(func() {
				_, err := r.CreateEndpoint(t.Context(), r.Live, webhook.EndpointCreate{URL: fmt.Sprint(hook, i)})
				switch f := fault.From(err); {
				case err == nil:
					taken.Add(1)
				case f.Code != fault.EndpointLimitReached || f.Param != "" ||
					!strings.Contains(f.Message, "20") || !strings.Contains(f.Message, "live"):
					t.Error(err)
				}
			})
		}
		all.Wait()
		enabled, err := webhookstore.New(r.DB).EnabledEndpoints(t.Context(), r.Live.Portfolio)
		must(t, err)
		if taken.Load() != 20 || len(enabled) != 20 {
			t.Fatalf("%d were taken, %d are enabled", taken.Load(), len(enabled))
		}
		r.Create(r.Demo, hook)
		_, err = r.DisableEndpoint(t.Context(), r.Live, enabled[7].ID)
		must(t, err)
		r.Create(r.Live, hook)
		if _, err = r.CreateEndpoint(t.Context(), r.Live, webhook.EndpointCreate{
			URL: hook,
		}); !fault.Is(err, fault.EndpointLimitReached) {
			t.Error(err)
		}
	})
}

func TestCreateDryRunShowsNoSecretAndStoresNothing(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		r.Create(r.Live, hook)
		r.RolledBack(change.WithDryRun(t.Context()), func(ctx context.Context) error {
			made, err := r.CreateEndpoint(ctx, r.Live, webhook.EndpointCreate{URL: hook})
			must(t, err)
			e := made.After
			if e.Secret != nil || e.SecretPrefix != "whsec_" || e.Status != webhook.Enabled || len(made.Warnings) != 1 {
				t.Errorf("%+v", made)
			}
			return nil
		})
		page, err := r.Endpoints(t.Context(), r.Live, list.Query{Limit: 10})
		must(t, err)
		if len(page.Data) != 1 {
			t.Errorf("%d endpoints", len(page.Data))
		}
		for range 19 {
			r.Create(r.Live, hook)
		}
		_, err = r.CreateEndpoint(change.WithDryRun(t.Context()), r.Live, webhook.EndpointCreate{URL: hook})
		if !fault.Is(err, fault.EndpointLimitReached) {
			t.Errorf("the preview of one too many: %v", err)
		}
	})
}

func TestDevelopmentModeAllowsLoopbackEndpoint(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		const own = "http://localhost:9000/hook"
		if _, err := r.CreateEndpoint(t.Context(), r.Live, webhook.EndpointCreate{
			URL: own,
		}); !fault.Is(err, fault.URLNotAllowed) {
			t.Error(err)
		}
		r.Service = webhook.New(webhookstore.New(r.DB), r.Box, r.Clock, true)
		r.Forward(time.Second)
		if e := r.Create(r.Live, own); e.URL != own || e.CreatedAt != clock.At(noon.Add(time.Second)) {
			t.Errorf("%+v", e)
		}
	})
}
