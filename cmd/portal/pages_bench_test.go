package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"portal/api/developer"
	"portal/api/portfolio/rentroll"
)

// BenchmarkPages draws pages for a landlord of 100 and of 10,000 properties, each with two
// let units: a page costs the same for either, and less than 5 ms of the server's time.
func BenchmarkPages(b *testing.B) {
	for _, properties := range []int{100, 10_000} {
		e := newPageVisitor(b, properties)
		for _, path := range e.paths() {
			b.Run(fmt.Sprintf("%d%s", properties, path), func(b *testing.B) {
				bytes := 0
				for b.Loop() {
					bytes = len(e.get(path))
				}
				b.ReportMetric(float64(bytes), "bytes")
			})
		}
	}
}

// pageVisitor is a landlord's own portfolio, with a user who looks at its pages.
type pageVisitor struct{ *plainBrowser }

func newPageVisitor(b *testing.B, properties int) *pageVisitor {
	b.Helper()
	p, demo, handler := inProcess(b)
	orFail(b, p.Developer.SetPlan(b.Context(), demoLandlord, developer.Plan{
		Tier:  developer.Prime,
		Units: new(1_000_000),
	}))
	roll, problems := rentroll.Read(strings.NewReader(rollOf(properties)))
	if len(problems) > 0 {
		b.Fatal(problems[0])
	}
	_, account, err := p.Developer.Account(b.Context(), demoLandlord)
	if err != nil {
		b.Fatal(err)
	}
	_, _, err = p.ImportRoll(b.Context(), account, roll)
	orFail(b, err)
	return &pageVisitor{newPlainBrowser(b, handler, demoLandlord, demo.Password)}
}

// rollOf is a rent roll of so many properties with two let units each.
func rollOf(properties int) string {
	var b strings.Builder
	b.WriteString(
		"street_address,city,state,property_type,unit_number,tenant_first_name,tenant_last_name,tenant_email,lease_start,lease_end,monthly_rent\n",
	)
	for i := range properties {
		for unit := range 2 {
			fmt.Fprintf(&b,
				"%d Long Street,Austin,TX,duplex,%d,Ann,Lee %d,ann%d.%d@example.com,2026-0%d-01,2030-01-31,1450\n",
				i, unit+1, i, i, unit, 1+i%9)
		}
	}
	return b.String()
}

// paths are pages of each kind, those of single records among them.
func (e *pageVisitor) paths() []string {
	all := []string{
		"/overview", "/keys", "/usage", "/team", "/settings", "/docs", "/live/webhooks",
		"/live/events", "/live/logs", "/live/activity", "/live/mail", "/live/applications",
		"/test/demo",
	}
	for _, list := range []string{"properties", "tenants", "leases", "ledger", "tickets"} {
		at := "/live/" + list
		all = append(all, at)
		if one := regexp.MustCompile(`href="(` + at + `/[a-z]+_\w+)"`).FindStringSubmatch(e.get(at)); one != nil {
			all = append(all, one[1])
		}
	}
	return append(
		all,
		"/live/properties?city=Austin&status=active",
		"/live/leases?status=active",
		"/live/ledger?overdue=true",
		"/live/tickets/new?q=Long",
	)
}
