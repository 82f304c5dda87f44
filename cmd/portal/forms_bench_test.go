package main

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"portal/db/dbtest"
)

// BenchmarkForms has eight people of one account open tickets in one portfolio at once, by
// the form of the dashboard, which is taken once.
func BenchmarkForms(b *testing.B) {
	for name, env := range map[string]func(*testing.B) []string{
		"sqlite": func(*testing.B) []string { return nil },
		"postgres": func(b *testing.B) []string {
			return []string{
				"DATABASE_URL=" + dbtest.NewPostgres(b).Empty(b),
				"PORTAL_SECRET_KEY=" + base64.StdEncoding.EncodeToString(make([]byte, 32)),
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			_, demo, handler := inProcess(b, env(b)...)
			people := make(chan *person, 8)
			for range cap(people) {
				people <- opensTickets(b, newPlainBrowser(b, handler, demoLandlord, demo.Password))
			}
			b.SetParallelism(4) // of each of two processors
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				one := <-people
				for pb.Next() {
					one.open()
				}
				people <- one
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "posts/s")
		})
	}
}

// person opens tickets for one property.
type person struct {
	*plainBrowser
	token, property string
}

func opensTickets(b *testing.B, s *plainBrowser) *person {
	b.Helper()
	of := regexp.MustCompile(`href="/test/properties/(prop_\w+)"`).FindStringSubmatch(s.get("/test/properties"))
	if of == nil {
		b.Fatal("the demo portfolio has no property")
	}
	return &person{s, s.token("/test/tickets/new?property_id=" + of[1]), of[1]}
}

func (p *person) open() {
	w := p.send("/test/tickets/new", p.token, url.Values{
		"property_id": {p.property},
		"description": {"The kitchen tap drips."},
	})
	if w.Code != http.StatusSeeOther || !strings.HasPrefix(w.Header().Get("Location"), "/test/tickets/") {
		p.Errorf("%d to %q: %.300s", w.Code, w.Header().Get("Location"), w.Body)
	}
}
