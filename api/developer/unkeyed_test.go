package developer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/db/developerstore"
)

// unkeyed is a request without a valid key.
func unkeyed(address, code string, at time.Time) developer.Request {
	return developer.Request{
		ID:      id.New(id.Request, at),
		At:      clock.At(at),
		Method:  "GET",
		Path:    "/api/v1/external/me",
		Status:  401,
		Code:    code,
		Address: address,
	}
}

// sums are the counted requests of all clients and of each, in a log.
func (s *failingRequestLog) sums() (all int64, by map[string]int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	by = map[string]int64{}
	for _, c := range s.counts {
		all += c.Total
		by[c.Client] += c.Total
		for _, one := range c.Codes {
			by[c.Client+" "+one.Code] += one.Count
		}
	}
	return all, by
}

func TestClientRequestsBeyondTenAMinuteAreCountedByCode(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &failingRequestLog{counts: map[string]developer.RequestCount{}}
		nodes := make([]*developer.RequestRecorder, 2)
		for i := range nodes { // over one log
			r, _, stop := recorder(t, s)
			defer stop()
			nodes[i] = r
		}
		minute := noon.Truncate(time.Minute)
		for i := range 200 {
			for n, r := range nodes {
				code := []string{"unknown_api_key", "unknown_api_key", "rate_limited", "missing_api_key"}[i%4]
				r.Record(unkeyed(fmt.Sprintf("2001:db8::%x",
					i+1), code, minute.Add(time.Duration(i*(n+1))*time.Millisecond)), nil)
			}
			<-time.After(7 * time.Millisecond) // some batches are written while others are counted
		}
		nodes[0].Record(unkeyed("2001:db8:0:1::1", "missing_api_key", minute), nil)
		nodes[0].Record(unkeyed("2001:db8::1", "missing_api_key", minute.Add(time.Minute)), nil)
		nodes[0].Record(unkeyed("2001:db8::1", "missing_api_key", minute.Add(30*time.Second)), nil) // began earlier
		<-time.After(time.Second)
		synctest.Wait()
		all, by := s.sums()
		if rows := len(s.kept()); rows != 2*10+2 {
			t.Errorf("%d rows of their own", rows)
		}
		if all != 2*190+1 || by["2001:db8::/64"] != all ||
			by["2001:db8::/64 unknown_api_key"]+by["2001:db8::/64 rate_limited"]+by["2001:db8::/64 missing_api_key"] !=
				all ||
			len(s.counts) != 2 {
			t.Errorf("counted are %v in %d rows", by, len(s.counts))
		}
	})
}

func TestCountsOfFailedBatchAreWrittenWithNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &failingRequestLog{counts: map[string]developer.RequestCount{}}
		r, _, stop := recorder(t, s)
		s.failing(errors.New("the disk is full"))
		for range 5 {
			for range 30 {
				r.Record(unkeyed("192.0.2.1", "unknown_api_key", noon), nil)
			}
			<-time.After(time.Second)
		}
		s.failing(nil)
		stop()
		if all, _ := s.sums(); all != 140 || len(s.kept()) != 10 {
			t.Errorf("%d are counted, %d have rows", all, len(s.kept()))
		}
	})
}

func TestFloodFromManyClientsWritesBoundedRows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &failingRequestLog{counts: map[string]developer.RequestCount{}}
		r, _, stop := recorder(t, s)
		const clients, each = 20_000, 3
		for range each {
			for i := range clients {
				r.Record(unkeyed(fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255), "missing_api_key", noon), nil)
			}
			<-time.After(time.Second)
		}
		stop()
		rows := len(s.kept())
		all, by := s.sums()
		if rows != 600 || len(s.counts) != 601 || all+int64(rows) != clients*each || by[developer.OtherClients] == 0 {
			t.Errorf("%d rows, %d counts of %d requests, %d of all other clients", rows, len(s.counts), all,
				by[developer.OtherClients])
		}
		if r.Dropped() != 0 {
			t.Errorf("%d were dropped", r.Dropped())
		}
	})
}

func TestCountListsMostFrequentCodes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &failingRequestLog{counts: map[string]developer.RequestCount{}}
		r, _, stop := recorder(t, s)
		for range 10 {
			r.Record(unkeyed("192.0.2.1", "", noon), nil)
		}
		for n, code := range strings.Fields("a b c d e f g") {
			for range n + 1 {
				r.Record(unkeyed("192.0.2.1", code, noon), nil)
			}
		}
		stop()
		for _, c := range s.counts {
			if got := fmt.Sprint(c.Total, c.Codes); got != "28 [{g 7} {f 6} {e 5} {d 4} {c 3} {other 3}]" {
				t.Error(got)
			}
		}
	})
}

func TestRequestWithoutItsOwnRowIsLookedUpByMinute(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		minute := noon.Truncate(time.Minute)
		lost := id.New(id.Request, minute.Add(17*time.Second))
		row := func(address string, after time.Duration) developer.Request {
			return unkeyed(address, "missing_api_key", minute.Add(after))
		}
		count := func(client string, after time.Duration, total int64) developer.RequestCount {
			return developer.RequestCount{
				ID:     id.New(id.Request, minute.Add(after)),
				Client: client,
				Total:  total,
				Codes:  []developer.CodeCount{{Code: "", Count: 1}, {Code: "unknown_api_key", Count: total - 1}},
			}
		}
		keyed := row("192.0.2.1", time.Second)
		keyed.AccountID, keyed.KeyID = "acct_1", "key_1"
		b := developer.LogBatch{
			Requests: []developer.Request{
				row("192.0.2.1", 0),
				row("2001:db8::7", 59_999*time.Millisecond),
				keyed,
				row("192.0.2.1", -time.Millisecond),
				row("192.0.2.1", time.Minute),
			},
			Counts: []developer.RequestCount{
				count("192.0.2.1", 2*time.Second, 5),
				count("2001:db8::/64", 3*time.Second, 9),
				count(developer.OtherClients, 4*time.Second, 7),
				count("192.0.2.1", time.Minute, 11),
			},
		}
		must(t, developerstore.New(r.db).AddLog(t.Context(), b))
		b.Counts[0].Total = 6
		must(t, developerstore.New(r.db).AddLog(t.Context(), b)) // as after an error
		r.add(minute.Add(time.Hour).Sub(r.now()))
		for address, want := range map[string]string{
			"":               "2 [9 7 6]",
			"192.0.2.1":      "1 [7 6]",
			"2001:db8::ffff": "1 [9 7]",
			"nonsense":       "0 [7]",
		} {
			m, err := r.UnkeyedMinute(t.Context(), lost, address)
			must(t, err)
			var totals []int64
			for _, c := range m.Counts {
				totals = append(totals, c.Total)
			}
			if got := fmt.Sprint(len(m.Requests), " ", totals); got != want || m.From != clock.At(minute) {
				t.Errorf("%q: %s, want %s", address, got, want)
			}
		}
		for _, none := range []string{"", "req_none", "prop" + lost[3:], id.New(id.Request, noon.AddDate(0, 0, -91))} {
			_, err := r.UnkeyedMinute(t.Context(), none, "")
			refused(t, none, err, "not_found", "")
		}
	})
}
