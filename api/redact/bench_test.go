package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"portal/api/redact"
	"portal/api/strictjson"
)

// What a call costs before it is recorded: a usual one, one with a long text, and one
// that fills the largest body with what has to be looked at.
func BenchmarkValue(b *testing.B) {
	for name, in := range map[string]string{
		"usual": `{"ticket_id":"tkt_01KA5R2M7Q8D4E6F9G1H3J5K7M","status":"completed","dry_run":true}`,
		"long": fmt.Sprintf(`{"unit_id":"unit_01KA5R2M7Q8D4E6F9G1H3J5K7M","description":%q}`,
			strings.Repeat("The tap drips. ", 300)),
		"megabyte": `{"` + strings.Repeat(
			`4242 4242_sk_live_pm_a%41earer-`,
			35_000,
		) + `":"` + strings.Repeat(
			`4242 4242_sk_live_pm_a%41earer-`,
			35_000,
		) + `"}`,
		"members": "[" + strings.Repeat(`{"a_b":"Bearer 4242 4242%20","b":[1,2]},`, 25_000) + "0]",
	} {
		v, err := strictjson.Parse([]byte(in))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				redact.Value(&v, 8<<10)
			}
		})
	}
}
