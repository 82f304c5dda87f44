package webhook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
)

var noon = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)

func TestSamplesShowEveryEndpointState(t *testing.T) {
	t.Parallel()
	samples := Samples(noon)
	states := map[string]bool{}
	for i, e := range samples {
		if i > 0 && e.ID <= samples[i-1].ID {
			t.Errorf("%s comes after %s", e.ID, samples[i-1].ID)
		}
		if !id.Valid(id.Endpoint, e.ID) || e.Mode != access.Test || e.CreatedAt.Std().After(noon) ||
			e.UpdatedAt < e.CreatedAt || !strings.HasPrefix(e.URL, "https://") {
			t.Errorf("%+v", e)
		}
		if (e.Status == Disabled) != (e.DisabledAt != nil) ||
			(e.DisabledAt != nil) != (e.DisabledReason != nil) || (e.Version == 1) != (e.UpdatedAt == e.CreatedAt) {
			t.Errorf("%s is %s, disabled %v, %v, version %d", e.ID, e.Status, e.DisabledAt, e.DisabledReason, e.Version)
		}
		for _, kind := range e.Events {
			if !slices.Contains(kind.Values(), string(kind)) {
				t.Errorf("%s is sent %s", e.ID, kind)
			}
		}
		states[string(e.Status)] = true
	}
	if len(states) != 2 {
		t.Errorf("the states are %v", states)
	}
}

// recordingStore is a store that remembers what it was asked for.
type recordingStore struct {
	Store
	asked string
	rows  []Endpoint
	err   error
}

func (s *recordingStore) Endpoints(_ context.Context, in access.Portfolio, q list.Query) ([]Endpoint, error) {
	s.asked = fmt.Sprintf("%d %s %d", in.ID, in.Mode, q.Limit)
	return s.rows, s.err
}

func (s *recordingStore) Endpoint(_ context.Context, in access.Portfolio, id string) (Endpoint, error) {
	s.asked = fmt.Sprintf("%d %s %s", in.ID, in.Mode, id)
	return s.rows[0], s.err
}

func TestQueriesAreScopedToCallersPortfolio(t *testing.T) {
	t.Parallel()
	by := access.Actor{Portfolio: access.Portfolio{ID: 7, Mode: access.Live}}
	s := &recordingStore{rows: Samples(noon)}
	service := New(s, nil, nil, false)
	page, err := service.Endpoints(t.Context(), by, list.Query{Limit: 3})
	if err != nil || len(page.Data) != 3 || !page.HasMore || *page.NextCursor != s.rows[2].ID || s.asked != "7 live 3" {
		t.Errorf("asked %q, %+v: %v", s.asked, page, err)
	}
	one, err := service.Endpoint(t.Context(), by, "we_1")
	if err != nil || one.ID != s.rows[0].ID || s.asked != "7 live we_1" {
		t.Errorf("asked %q, %+v: %v", s.asked, one, err)
	}
	s.err = fault.NotFound("webhook endpoint")
	if _, err := service.Endpoint(t.Context(), by, "we_1"); !errors.Is(err, s.err) {
		t.Errorf("the error is %v", err)
	}
}
