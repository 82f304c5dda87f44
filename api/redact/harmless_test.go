package redact

import (
	"strings"
	"testing"
)

// What is taken for harmless is what the expressions leave as it is. The seeds have each
// beginning of a secret, alone and one byte short of it.
func FuzzHarmless(f *testing.F) {
	for _, s := range []string{
		"",
		"Austin",
		"The kitchen tap drips all night, says 5.",
		"tkt_01KA5R2M7Q8D4E6F9G1H3J5K7M",
		"2026-11-12T12:00:00.000Z",
		`"default";q=100;w=60`,
		"sk_test_pm_0123456789abcdef",
		"whsec_x",
		"see sk-0123456789abcdef",
		"gho_0123456789abcdef",
		"xoxb-0123456789abcdef",
		"AKIA0123456789ABCDEF",
		"rk_live_0123456789abcdef",
		"eyJhbGciOiJIUzI1NiJ9.eyJ",
		"Bearer a1b2c3d4",
		"BASIC a1b2c3d4",
		"basic a1b2c3d4e5",
		"ssn=1",
		"a?token=1",
		"api_key=1",
		"API-KEY=1",
		"cvc=1",
		"\u017fsn=1",
		"apply_url=1",
		`"password": 1`,
		`'secret':"x"`,
		`{"apply_url":"https://x/y"}`,
		"https://ann:hunter2@example.com",
		`https:\/\/ann:hunter2@example.com`,
		"https%3A%2F%2Fann%3Ahunter2%40example.com",
		"ann@example.com",
		"123 45 6789",
		"123-45-6789",
		"123\u00a045\u202f6789",
		"4242 4242 4242 4242",
		"4242\u20134242\u20134242\u20134242",
		"+1 512 555 0100",
		"5125550100",
		"78701-1234",
		"0400000000000001",
		strings.Repeat("a", 39),
		strings.Repeat("a", 40),
		strings.Repeat("a-", 20),
		strings.Repeat("Ab1/", 10),
	} {
		f.Add(s, "")
		f.Add("x ", s)
		f.Add(s[:max(0, len(s)-1)], "é")
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		for _, s := range []string{before, before + after, before + " " + after, after + before} {
			if harmless(s) && (scrubbed(s) != s || bare(s, disguises) != s) {
				t.Fatalf("%q is taken for harmless, and would become %q", s, bare(s, disguises))
			}
		}
	})
}
