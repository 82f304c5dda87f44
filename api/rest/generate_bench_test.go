package rest_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/id"
)

// BenchmarkWriteBesideDocuments measures writes of one portfolio while 16 clients of another one change
// drafts of leases, each of which gets a new document: writes a second and what share that is of the
// same writes without them, with the share of a handler that inserts one row.
func BenchmarkWriteBesideDocuments(b *testing.B) {
	const writers, writes = 4, 400
	r := newFixture(b, setting{})
	r.landlord("ada@example.com", unlimited())
	r.landlord("bob@example.com", unlimited())
	key := *r.key("ada@example.com", access.Test, "write").Plaintext
	other := *r.key("bob@example.com", access.Test, "write").Plaintext
	url := r.server.URL + "/api/v1/external"
	property, bareURL := r.first("/properties", key), r.bareInsert(b)
	drafts := r.draftsOf(b, seeded{2, access.Test}, other)
	measure := func(busy bool, at string, method string, body string) float64 {
		ctx, stop := context.WithCancel(b.Context())
		var all sync.WaitGroup
		for client := range 16 {
			if !busy {
				break
			}
			all.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					_ = write(ctx, http.MethodPatch, url+"/leases/"+
						drafts[client%len(drafts)], other, id.New("key", time.Now()), fmt.Sprintf(
						`{"rent_due_day":%d}`, 1+n%28))
				}
			})
		}
		took := together(writers, writes/writers, func(n int) error {
			return write(b.Context(), method, at, key, id.New("key", time.Now()), fmt.Sprintf(body, n))
		}, b)
		stop()
		all.Wait()
		return writes / took.Seconds()
	}
	var alone, beside, bare, bareBeside float64
	for b.Loop() {
		alone += measure(false, url+"/properties/"+property, http.MethodPatch, `{"city":"Town %d"}`)
		beside += measure(true, url+"/properties/"+property, http.MethodPatch, `{"city":"Town %d"}`)
		bare += measure(false, bareURL, http.MethodPost, `{"city":"Town %d"}`)
		bareBeside += measure(true, bareURL, http.MethodPost, `{"city":"Town %d"}`)
	}
	b.ReportMetric(beside/float64(b.N), "writes/s")
	b.ReportMetric(beside/alone, "share")
	b.ReportMetric(bareBeside/bare, "bare-share")
}

// draftsOf generates as many drafts of a unit as it may have.
func (r *fixture) draftsOf(b *testing.B, s seeded, key string) (ids []string) {
	b.Helper()
	r.exec("UPDATE tenants SET first_name = 'Sam', last_name = 'Rivera'")
	for range 4 { // beside the one that is there
		a := r.send(
			http.MethodPost,
			"/leases/generate",
			key,
			`{"property_id":"`+s.id("prop", 1)+`","tenant_id":"`+s.id("ten", 1)+`","unit_id":"`+
				s.id("unit", 2)+`","start_date":"2027-01-01","monthly_rent":1450}`,
		)
		ids = append(ids, a.done(b)["id"].(string))
	}
	return ids
}
