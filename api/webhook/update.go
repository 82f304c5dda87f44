package webhook

import (
	"context"
	"reflect"
	"slices"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
)

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
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	if err := fault.Invalid(s.CheckUpdate(&u)); err != nil {
		return nil, err
	}
	var made *change.Result[Endpoint]
	err := s.write(ctx, by.Portfolio, func(ctx context.Context, now time.Time) error {
		before, err := s.store.Endpoint(ctx, by.Portfolio, t.ID)
		if err != nil {
			return err
		}
		if err := t.Check("webhook endpoint", before.Version); err != nil {
			return err
		}
		after := before
		made = &change.Result[Endpoint]{Before: &before, After: &after}
		u.onto(&after)
		return s.amend(ctx, by, made, u.Status, now)
	})
	if err != nil {
		return nil, err
	}
	return made, nil
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
