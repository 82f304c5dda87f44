package webhook

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/api/secret"
	"portal/api/webhook/signature"
)

// mostEndpoints may be enabled in a portfolio.
const mostEndpoints = 20

// EndpointCreate is what a new endpoint is made of. No Events at all are all kinds.
type EndpointCreate struct {
	// Where to send events; https only, on the public internet.
	URL string `json:"url" format:"uri" maxlen:"2000" example:"https://hooks.example.com/portal"`
	// The event types to send, each once. * means all types, including future ones; with * the
	// endpoint ignores and doesn't show other types.
	Events []Kind `json:"events" default:"*" minlen:"1" maxlen:"values" example:"payment.succeeded"`
	// What it is for.
	Description *string `json:"description" maxlen:"255" example:"Accounting"`
}

// SchemaName is the name of the OpenAPI component.
func (EndpointCreate) SchemaName() string { return "WebhookEndpointCreate" }

// CreateEndpoint registers an address for events; the answer alone shows its secret.
// The name of its host is not looked up: a name may answer with another address at
// any time, so what is checked is the address that is dialled, at each delivery.
func (s *Service) CreateEndpoint(
	ctx context.Context, by access.Actor, in EndpointCreate,
) (*change.Result[Endpoint], error) {
	wrong := s.CheckEndpoint(&in)
	return makes(ctx, by, s.write, wrong, func(ctx context.Context, now time.Time) (*change.Result[Endpoint], error) {
		others, err := s.withinLimit(ctx, by.Portfolio)
		if err != nil {
			return nil, err
		}
		e := in.endpoint(by.Portfolio.Mode, now)
		sealed := issue(ctx, s.box, &e)
		made := &change.Result[Endpoint]{After: &e}
		warnOfSame(made, others)
		if err := s.store.AddEndpoint(ctx, by.Portfolio, e, sealed); err != nil {
			return nil, err
		}
		return made, s.record(ctx, by, "endpoint.created", e.ID)
	})
}

// withinLimit refuses one more enabled endpoint than a portfolio may have, and reads the others.
func (s *Service) withinLimit(ctx context.Context, in access.Portfolio) ([]Endpoint, error) {
	others, err := s.store.EnabledEndpoints(ctx, in)
	if err == nil && len(others) >= mostEndpoints {
		err = fault.New(
			fault.EndpointLimitReached,
			"%d webhook endpoints are enabled in %s mode, and %d is the most. Delete one that is no longer needed.",
			len(others),
			in.Mode,
			mostEndpoints,
		)
	}
	return others, err
}

// CheckEndpoint names everything that is wrong with what is asked for in itself.
func (s *Service) CheckEndpoint(in *EndpointCreate) (wrong []fault.Detail) {
	if why := refusal(in.URL, s.loopback); why != "" {
		wrong = append(wrong, fault.Detail{Param: "url", Code: fault.URLNotAllowed, Message: why})
	}
	if why := eventTypesProblem(in.Events); why != "" {
		wrong = append(wrong, fault.Detail{Param: "events", Code: fault.InvalidField, Message: why})
	}
	return wrong
}

// eventTypesProblem is what is wrong with the kinds that were asked for, "" for nothing.
func eventTypesProblem(kinds []Kind) string {
	if kinds != nil && len(kinds) == 0 {
		return "events names no kind of event. Name at least one, or leave the field out for all of them."
	}
	for i, k := range kinds {
		if slices.Contains(kinds[:i], k) {
			return fmt.Sprintf("events names %s twice. Name each kind of event once.", k)
		}
	}
	return ""
}

// endpoint is what is asked for, but for its secret.
func (in *EndpointCreate) endpoint(mode access.Mode, now time.Time) Endpoint {
	at := clock.At(now)
	e := Endpoint{
		Record: portfolio.Record{
			ID:        id.New(id.Endpoint, now),
			Object:    "webhook_endpoint",
			Mode:      mode,
			Version:   1,
			CreatedAt: at,
			UpdatedAt: at,
		},
		URL:         in.URL,
		Events:      kindsOf(in.Events),
		Description: in.Description,
		Status:      Enabled,
	}
	return e
}

// warnOfSame tells of other endpoints with the same address. That is allowed: two
// may choose different kinds.
func warnOfSame(made *change.Result[Endpoint], others []Endpoint) {
	var same []string
	for i := range others {
		if canonical(others[i].URL) == canonical(made.After.URL) {
			same = append(same, others[i].ID)
		}
	}
	if same != nil {
		made.Warn("duplicate_url", "Events are sent to this URL already, for "+strings.Join(same, ", ")+
			". What both endpoints choose arrives there twice, each time signed with another secret; delete one of "+
			"them if that is not meant.")
	}
}

// SecretPurpose is what the vault seals signing secrets for.
const SecretPurpose = "webhook_secret"

// issue gives an endpoint a new secret, which it shows, and seals it. A preview
// gets none: it would be shown and then never sign anything.
func issue(ctx context.Context, box *secret.Box, e *Endpoint) (sealed []byte) {
	secret, prefix := signature.SecretPrefix, signature.SecretPrefix
	if !change.IsDryRun(ctx) {
		secret, prefix = signature.NewSecret()
		e.Secret = &secret
	}
	e.SecretPrefix = prefix
	return box.Seal(SecretPurpose, secret)
}

// EndpointUpdate changes an endpoint; what is absent stays, and so does the secret.
type EndpointUpdate struct {
	// Where to send events from the next attempt on; https only, on the public internet.
	URL change.Field[string] `json:"url" format:"uri" maxlen:"2000" example:"https://hooks.example.com/portal"`
	// The event types to send, each once. * means all types, including future ones; with * the
	// endpoint ignores and doesn't show other types.
	Events change.Field[[]Kind] `json:"events" minlen:"1" maxlen:"values" example:"payment.succeeded"`
	// What it is for.
	Description change.Field[*string] `json:"description" maxlen:"255" example:"Accounting"`
	// disabled stops sending and cancels queued deliveries, like deleting. enabled sends events from
	// then on; you can redeliver missed ones.
	Status change.Field[EndpointStatus] `json:"status" example:"enabled"`
}

// SchemaName is the name of the OpenAPI component.
func (EndpointUpdate) SchemaName() string { return "WebhookEndpointUpdate" }

// CheckUpdate names everything that is wrong with what is asked for in itself.
func (s *Service) CheckUpdate(u *EndpointUpdate) (wrong []fault.Detail) {
	if u.URL.Given {
		if why := refusal(u.URL.Value, s.loopback); why != "" {
			wrong = append(wrong, fault.Detail{Param: "url", Code: fault.URLNotAllowed, Message: why})
		}
	}
	if u.Events.Given {
		if why := eventTypesProblem(u.Events.Value); why != "" {
			wrong = append(wrong, fault.Detail{Param: "events", Code: fault.InvalidField, Message: why})
		}
	}
	return wrong
}

// onto writes what is given to an endpoint, but for its status.
func (u *EndpointUpdate) onto(e *Endpoint) {
	u.URL.Into(&e.URL)
	u.Description.Into(&e.Description)
	if u.Events.Given {
		e.Events = kindsOf(u.Events.Value)
	}
}

// kindsOf are the kinds that an endpoint shows which chose some.
func kindsOf(kinds []Kind) []Kind {
	if kinds == nil || slices.Contains(kinds, EveryKind) {
		return []Kind{EveryKind}
	}
	return slices.Clone(kinds)
}

// UpdateEndpoint changes an endpoint. Attempts that start afterwards go to a new URL, those
// of events that happened before too. A new URL, and being enabled again, begin anew to
// count since when nothing but failures comes of the endpoint.
func (s *Service) UpdateEndpoint(
	ctx context.Context, by access.Actor, t change.Target, u EndpointUpdate,
) (*change.Result[Endpoint], error) {
	wrong := s.CheckUpdate(&u)
	return makes(ctx, by, s.write, wrong, func(ctx context.Context, now time.Time) (*change.Result[Endpoint], error) {
		before, err := s.store.Endpoint(ctx, by.Portfolio, t.ID)
		if err != nil {
			return nil, err
		}
		if err := t.Check("webhook endpoint", before.Version); err != nil {
			return nil, err
		}
		after := before
		made := &change.Result[Endpoint]{Before: &before, After: &after}
		u.onto(&after)
		return made, s.amend(ctx, by, made, u.Status, now)
	})
}

// amend changes the status of an endpoint to the one that is asked for, and saves the
// endpoint if anything of it has changed.
func (s *Service) amend(
	ctx context.Context,
	by access.Actor,
	made *change.Result[Endpoint],
	status change.Field[EndpointStatus],
	now time.Time,
) error {
	in, e, at := by.Portfolio, made.After, clock.At(now)
	action, save := "endpoint.updated", s.store.SaveEndpoint
	if e.URL != made.Before.URL {
		save = s.store.EnableEndpoint
	}
	switch {
	case !status.Given || status.Value == e.Status:
	case status.Value == Disabled:
		action = "endpoint.disabled"
		e.disabled(disabler(ctx), at)
	default:
		action, save = "endpoint.enabled", s.store.EnableEndpoint
		if err := s.enable(ctx, in, e); err != nil {
			return err
		}
	}
	if reflect.DeepEqual(made.Before, e) {
		return nil
	}
	e.changed(at)
	if err := save(ctx, in, e); err != nil {
		return err
	}
	if err := s.follow(ctx, in, made, now); err != nil {
		return err
	}
	return s.record(ctx, by, action, e.ID)
}

// follow does what comes of a change: a disabled endpoint is sent nothing more, for one
// that is enabled again the answer offers what it has missed, and an address that another
// endpoint has too is told.
func (s *Service) follow(ctx context.Context, in access.Portfolio, made *change.Result[Endpoint], now time.Time) error {
	was, is := made.Before.Status, made.After.Status
	switch {
	case is == Disabled && was == Enabled:
		return s.stop(ctx, now, EndpointRef{in, made.After.ID})
	case is == Disabled:
		return nil
	case was == Disabled:
		if err := s.offerMissed(ctx, in, made, now); err != nil {
			return err
		}
	}
	if was == Enabled && made.After.URL == made.Before.URL {
		return nil
	}
	others, err := s.store.EnabledEndpoints(ctx, in)
	if err == nil {
		others = slices.DeleteFunc(others, func(o Endpoint) bool { return o.ID == made.After.ID })
		warnOfSame(made, others)
	}
	return err
}

// EndpointRotate is how long the secret before a rotation still signs too.
type EndpointRotate struct {
	// How many seconds the previous secret still signs in webhook-signature; 0 ends it at once. The
	// previous secret of an earlier rotation always ends at once.
	PreviousSecretExpiresIn int `json:"previous_secret_expires_in" min:"0" max:"604800" default:"86400" example:"86400"`
}

// SchemaName is the name of the OpenAPI component.
func (EndpointRotate) SchemaName() string { return "WebhookSecretRotate" }

// RotateSecret gives an endpoint a new signing secret, which the answer alone shows.
// A disabled endpoint takes one too: anybody who fears for a secret need not enable the
// endpoint to be rid of it.
func (s *Service) RotateSecret(
	ctx context.Context, by access.Actor, id string, in EndpointRotate,
) (*change.Result[Endpoint], error) {
	return makes(ctx, by, s.write, nil, func(ctx context.Context, now time.Time) (*change.Result[Endpoint], error) {
		before, err := s.store.Endpoint(ctx, by.Portfolio, id)
		if err != nil {
			return nil, err
		}
		e := before
		sealed := issue(ctx, s.box, &e)
		e.PreviousSecretExpiresAt = nil
		if in.PreviousSecretExpiresIn > 0 {
			e.PreviousSecretExpiresAt = new(clock.At(now.Add(time.Duration(in.PreviousSecretExpiresIn) * time.Second)))
		}
		e.changed(clock.At(now))
		made := &change.Result[Endpoint]{Before: &before, After: &e}
		if err := s.store.RotateEndpoint(ctx, by.Portfolio, &e, sealed); err != nil {
			return nil, err
		}
		return made, s.record(ctx, by, "endpoint.secret_rotated", id)
	})
}
