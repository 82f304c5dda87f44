package developer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
)

// sent is an exchange with bodies of so many bytes.
func sent(bytes int) *developer.Sent {
	body := []byte(`{"description":"` + strings.Repeat("The tap drips. ", bytes/15) + `"}`)
	return &developer.Sent{
		Target:  "/api/v1/external/maintenance/tickets",
		Request: developer.SentMessage{Body: body, Size: int64(len(body))},
		Answer:  developer.SentMessage{Body: body, Size: int64(len(body))},
	}
}

// keyed is a request with a valid key.
func keyed(i int) developer.Request {
	return developer.Request{ID: fmt.Sprint(i), AccountID: "acct_1", PortfolioID: 1}
}

func TestBodiesAreDroppedBeforeLinesAndTheirSpaceIsFreed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &failingRequestLog{counts: map[string]developer.RequestCount{}}
		r, _, stop := recorder(t, s)
		s.failing(errors.New("the disk is full"))
		for i := range 100 {
			r.Record(keyed(i), sent(200_000)) // 40 MB, of which 16 MiB find room
		}
		dropped := r.DroppedExchanges()
		if dropped < 50 || dropped > 70 || r.Dropped() != 0 {
			t.Errorf("%d bodies and %d lines are dropped", dropped, r.Dropped())
		}
		<-time.After(5 * time.Second)
		s.failing(nil)
		<-time.After(5 * time.Second)
		synctest.Wait()
		if got := s.exchanges(); len(s.kept()) != 100 || got != 100-int(dropped) {
			t.Errorf("%d lines and %d bodies are written", len(s.kept()), got)
		}
		for i := range 30 {
			r.Record(keyed(100+i), sent(200_000))
		}
		stop()
		if r.DroppedExchanges() != dropped || s.exchanges() != 130-int(dropped) {
			t.Errorf("then %d bodies are dropped, %d written", r.DroppedExchanges(), s.exchanges())
		}
	})
}

func TestBodiesOfDroppedLinesFreeTheirSpace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &failingRequestLog{counts: map[string]developer.RequestCount{}}
		r, _, stop := recorder(t, s)
		for i := 0; r.Dropped() == 0; i++ {
			r.Record(keyed(i), nil)
		}
		for i := range 1000 {
			r.Record(keyed(-i-1), sent(100_000))
		}
		<-time.After(time.Second)
		for i := range 50 {
			r.Record(keyed(100_000+i), sent(100_000))
		}
		stop()
		if s.exchanges() != 50 {
			t.Errorf("%d bodies are written", s.exchanges())
		}
	})
}

// kept is what is read of an exchange that was written.
func kept(t *testing.T, s *developer.Sent) *developer.Exchange {
	t.Helper()
	var e *developer.Exchange
	synctest.Test(t, func(t *testing.T) {
		log := &failingRequestLog{counts: map[string]developer.RequestCount{}}
		r, _, stop := recorder(t, log)
		line := keyed(0)
		line.ID, line.At = id.New(id.Request, noon), clock.At(noon)
		r.Record(line, s)
		stop()
		var err error
		e, err = developer.Exchanges{
			Store: log,
			Box:   testBox(),
			Now:   func() time.Time { return noon },
		}.Exchange(context.Background(), &line)
		if err != nil || e == nil {
			t.Fatalf("%v, %v", e, err)
		}
	})
	return e
}

func TestExchangeRoundTrips(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		"",
		"{}",
		"not JSON",
		`{"a": [1,  2.50, "é\u00e9", null]}`,
		strings.Repeat(`["é"]`, 1000),
		"\xff\x00",
	} {
		s := &developer.Sent{
			Target: "/x?a=b%20c",
			Request: developer.SentMessage{
				Headers: []developer.Header{{Name: "A"}, {Name: "A", Value: "b, c"}},
				Body:    []byte(body),
				Size:    int64(len(body)),
			},
			Answer: developer.SentMessage{Size: -1, Unread: true},
		}
		e := kept(t, s)
		if body == "\xff\x00" {
			body = "\ufffd\ufffd"
		}
		if e.Target.Text != s.Target ||
			fmt.Sprint(e.Request.Headers) != "[{A  false false} {A b, c false false}]" ||
			e.Request.Body.Text != body || e.Request.Body.Hidden != strings.ContainsRune(body, '\ufffd') ||
			e.Request.Size != s.Request.Size || e.Request.Unread || !e.Answer.Unread || e.Answer.Size != -1 {
			t.Errorf("%.40q: %+v", body, e)
		}
	}
}

func TestExchangePartsAreTruncatedTo16KiB(t *testing.T) {
	t.Parallel()
	s := sent(300_000)
	for i := range 500 {
		s.Request.Headers = append(s.Request.Headers, developer.Header{
			Name:  fmt.Sprintf("X-%d", i),
			Value: strings.Repeat("a b ", 1000),
		})
	}
	s.Target += "?" + strings.Repeat("a=b&", 10_000)
	e := kept(t, s)
	headers := 0
	for _, h := range e.Request.Headers {
		headers += len(h.Name) + len(h.Value)
		if !h.Cut {
			t.Error("a header is not marked as cut")
		}
	}
	if headers > 16<<10 || len(e.Request.Body.Text) > 16<<10 || !e.Request.Body.Cut ||
		len(e.Answer.Body.Text) > 16<<10 || len(e.Target.Text) > 4<<10 || !e.Target.Cut {
		t.Errorf("kept are %d bytes of headers, %d of the body, %d of the address", headers,
			len(e.Request.Body.Text), len(e.Target.Text))
	}
}

// A PATCH of a ticket, as a client sends it.
func BenchmarkAnExchangeIsKept(b *testing.B) {
	s := &failingRequestLog{counts: map[string]developer.RequestCount{}}
	r := developer.NewRecorder(s, testBox(), nil)
	done, cancel := context.WithCancel(context.Background())
	cancel()
	head := []developer.Header{
		{Name: "Accept", Value: "*/*"},
		{Name: "Authorization", Value: "Bearer sk_live_pm_0123456789"},
		{Name: "Content-Type", Value: "application/json"},
		{Name: "User-Agent", Value: "python-requests/2.32"},
	}
	answer := []byte(
		`{"id":"tkt_01KA5R2M7Q8D4E6F9G1H3J5K7M","object":"maintenance_ticket","mode":"live","version":2,` +
			`"created_at":"2026-11-12T12:00:00.000Z","updated_at":"2026-11-12T12:00:01.000Z","number":"T-1042",` +
			`"property_id":"prop_01KA5R2M7Q8D4E6F9G1H3J5K7M","unit_id":"unit_01KA5R2M7Q8D4E6F9G1H3J5K7M",` +
			`"tenant_id":null,"lease_id":null,"title":"Kitchen tap","description":"The kitchen tap drips ` +
			`all night and the cabinet below it is wet.","status":"in_progress","priority":"normal","category":"plumbing","vendor":{"name":"Lamar Plumbing","trade":null,"phone":null,"email":null},"source":"api","entry_permission":"granted","entry_notes":null,"scheduled_start":null,"scheduled_end":null,"due_date":null,"estimated_cost":null,"cost_limit":null,"actual_cost":null,"completed_at":null,"cancelled_at":null,"reopened_count":0,"age_days":0}`,
	)
	b.ReportAllocs()
	for i := range b.N {
		r.Record(keyed(i), &developer.Sent{
			Target: "/api/v1/external/maintenance/tickets/tkt_01KA5R2M7Q8D4E6F9G1H3J5K7M",
			Request: developer.SentMessage{
				Headers: head,
				Body:    []byte(`{"status":"in_progress","vendor":"Lamar Plumbing"}`),
				Size:    50,
			},
			Answer: developer.SentMessage{Headers: head, Body: answer, Size: int64(len(answer))},
		})
		if i%1000 == 999 {
			r.Run(done)
		}
	}
	r.Run(done)
	b.ReportMetric(float64(s.sealedBytes())/float64(max(1, s.exchanges())), "sealed-B/op")
}
