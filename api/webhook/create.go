package webhook

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
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
	if err := by.Need(access.Write); err != nil {
		return nil, err
	}
	if err := fault.Invalid(s.CheckEndpoint(&in)); err != nil {
		return nil, err
	}
	var made *change.Result[Endpoint]
	err := s.write(ctx, by.Portfolio, func(ctx context.Context, now time.Time) error {
		others, err := s.withinLimit(ctx, by.Portfolio)
		if err != nil {
			return err
		}
		e := in.endpoint(by.Portfolio.Mode, now)
		sealed := issue(ctx, s.box, &e)
		made = &change.Result[Endpoint]{After: &e}
		warnOfSame(made, others)
		if err := s.store.AddEndpoint(ctx, by.Portfolio, e, sealed); err != nil {
			return err
		}
		return s.record(ctx, by, "endpoint.created", e.ID)
	})
	if err != nil {
		return nil, err
	}
	return made, nil
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
			". What both endpoints choose arrives there twice, each time signed with another secret; delete one of them if that is not meant.")
	}
}
