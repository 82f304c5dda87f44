package redact_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"portal/api/redact"
	"portal/api/strictjson"
)

// What must not be told. None of it opens anything.
const (
	live   = "sk_live_pm_4fKq2Z8WbNvXc1LrTg7YhUjMk3PdSaEoQiRw5nBzCx6VtGf9Hy"
	test   = "sk_test_pm_0A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U1v2W3x4Y"
	signs  = "whsec_4wyT1m8Gk+2nD/0sFqLx9vBc6ZrJpHa3UoYe5iKtMbQ="
	link   = "kD3x_9fQ2-LmZ7vTq0YbR5nWcA1sHgE8uJoPiK4tXyU"
	card   = "4242424242424242"
	amex   = "378282246310005"
	social = "078-05-1120"
	jwt    = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1"
	room   = 8 << 10
)

// leads is a key as it may be told.
const leads = "sk_live_pm_4fKq2Z…"

func TestSecretsAreRedactedFromArguments(t *testing.T) {
	t.Parallel()
	escaped := strings.ReplaceAll(strings.ReplaceAll(live, "s", `\u0073`), "_", `\u005F`)
	percent := strings.NewReplacer("_", "%5F", "k", "%6b").Replace(live)
	for _, c := range []struct{ in, want string }{
		// what stays
		{`{}`, `{}`},
		{
			`{"property_id":"prop_01KA5R2M7Q8D4E6F9G1H3J5K7M","dry_run":true}`,
			`{"property_id":"prop_01KA5R2M7Q8D4E6F9G1H3J5K7M","dry_run":true}`,
		},
		{
			`{"city":null,"year_built":1974,"rent":1450.50,"big":1e3,"minus":-2}`,
			`{"city":null,"year_built":1974,"rent":1450.50,"big":1e3,"minus":-2}`,
		},
		{
			`{"phone":"+1 512 555 0100","alternate_phone":"512-555-0101"}`,
			`{"phone":"+1 512 555 0100","alternate_phone":"512-555-0101"}`,
		},
		{
			`{"due_date":"2026-11-02","period":"2026-11-02 2026-12-01"}`,
			`{"due_date":"2026-11-02","period":"2026-11-02 2026-12-01"}`,
		},
		{
			`{"idempotency_key":"550e8400-e29b-41d4-a716-446655440000"}`,
			`{"idempotency_key":"550e8400-e29b-41d4-a716-446655440000"}`,
		},
		{
			`{"idempotency_key":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}`,
			`{"idempotency_key":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}`,
		},
		{`{"idempotency_key":"` + card + `"}`, `{"idempotency_key":"` + card + `"}`},
		{
			`{"description":"100% of the tap's %20 drips; basic understanding, bearer of bad news."}`,
			`{"description":"100% of the tap's %20 drips; basic understanding, bearer of bad news."}`,
		},
		{
			`{"url":"https://example.com/three-bedroom-apartment-near-the-lake-with-parking-and-garden"}`,
			`{"url":"https://example.com/three-bedroom-apartment-near-the-lake-with-parking-and-garden"}`,
		},
		{
			`{"ids":"prop_01KA5R2M7Q8D4E6F9G1H3J5K7M_unit_01KA5R2M7Q8D4E6F9G1H3J5K7M"}`,
			`{"ids":"prop_01KA5R2M7Q8D4E6F9G1H3J5K7M_unit_01KA5R2M7Q8D4E6F9G1H3J5K7M"}`,
		},
		{`{"zips":"78701 78702 78704"}`, `{"zips":"78701 78702 78704"}`},
		{`{"text":"Ünal says \"ok\" \\ \u0001 \ud83c\udfe0"}`, `{"text":"Ünal says \"ok\" \\ \u0001 🏠"}`},
		{`{"a":"","b":[],"c":{},"d":[[],{}]}`, `{"a":"","b":[],"c":{},"d":[[],{}]}`},
		{`[1,"two",false]`, `[1,"two",false]`},
		{`"just text"`, `"just text"`},

		// keys and signing secrets
		{`{"notes":"` + live + `"}`, `{"notes":"` + leads + `"}`},
		{`{"notes":"use ` + live + ` for it"}`, `{"notes":"use ` + leads + ` for it"}`},
		{`{"notes":"` + test + `"}`, `{"notes":"sk_test_pm_0A1b2C…"}`},
		{`{"notes":"` + escaped + `"}`, `{"notes":"` + leads + `"}`},
		{`{"notes":"` + strings.Replace(live, "_pm_4", `_pm\u005f4`, 1) + `"}`, `{"notes":"` + leads + `"}`},
		{`{"notes":"` + percent + `"}`, `{"notes":"` + leads + `"}`},
		{`{"notes":"100% sure: ` + percent + `"}`, `{"notes":"100% sure: ` + leads + `"}`},
		{`{"notes":"` + strings.ReplaceAll(percent, "%", "%25") + `"}`, `{"notes":"` + leads + `"}`},
		{`{"notes":"` + live[11:] + `"}`, `{"notes":"…"}`},
		{`{"notes":"` + signs + `"}`, `{"notes":"whsec_…"}`},
		{`{"notes":"` + strings.ReplaceAll(signs, "/", `\/`) + `"}`, `{"notes":"whsec_…"}`},
		{`{"notes":"` + strings.Repeat("A", 40) + signs + `"}`, `{"notes":"…_…"}`},
		{`{"notes":"` + signs[6:] + `"}`, `{"notes":"…"}`},
		{`{"idempotency_key":"` + live + `"}`, `{"idempotency_key":"` + leads + `"}`},
		{`{"idempotency_key":"` + signs + `"}`, `{"idempotency_key":"whsec_…"}`},

		// where they stand
		{`{"` + live + `":1}`, `{"` + leads + `":1}`},
		{`{"` + escaped + `":1}`, `{"` + leads + `":1}`},
		{
			`{"` + live + `":1,"` + live + `x":2,"` + leads + `":3}`,
			`{"` + leads + `":1,"` + leads + `…":2,"` + leads + `……":3}`,
		},
		{
			`{"vendor":{"name":"Ada","notes":["a",["` + live + `"]]}}`,
			`{"vendor":{"name":"Ada","notes":["a",["` + leads + `"]]}}`,
		},
		{`["` + live + `",{"a":"` + signs + `"}]`, `["` + leads + `",{"a":"whsec_…"}]`},
		{`"` + live + `"`, `"` + leads + `"`},
		{`[[[[[[["` + live + `"]]]]]]]`, `[[[[[[["` + leads + `"]]]]]]]`},
		{`[[[[[[[[["` + live + `"]]]]]]]]]`, `[[[[[[[["…"]]]]]]]]`},

		// those of others
		{`{"notes":"Authorization: Bearer a1b2c3d4e5"}`, `{"notes":"Authorization: Bearer …"}`},
		{`{"notes":"bearer ` + live + `"}`, `{"notes":"bearer ` + leads + `"}`},
		{`{"notes":"BEARER abcdefGhijkl"}`, `{"notes":"BEARER …"}`},
		{`{"notes":"Basic dXNlcjpwYXNz"}`, `{"notes":"Basic …"}`},
		{`{"notes":"` + jwt + `"}`, `{"notes":"eyJ…"}`},
		{
			`{"notes":"https://portal.example.com/apply/` + link + `?x=1"}`,
			`{"notes":"https://portal.example.com/apply/…?x=1"}`,
		},
		{`{"notes":"rk_live_0123456789abcdefghij"}`, `{"notes":"rk_live_…"}`},
		{`{"notes":"AKIAIOSFODNN7EXAMPLEX wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"}`, `{"notes":"AKIA… …"}`},
		{`{"Password":"hunter2","api_key":7,"token":{"a":1},"cvv":["1"],"Card-Number":"","secret":null,"api key":true}`,
			`{"Password":"…","api_key":"…","token":"…","cvv":"…","Card-Number":"","secret":null,"api ` +
				`key":true}`},

		// numbers
		{`{"notes":"card ` + card + ` exp 12/29"}`, `{"notes":"card … exp 12/29"}`},
		{`{"notes":"4242 4242 4242 4242"}`, `{"notes":"…"}`},
		{`{"notes":"4242-4242-4242-4242, 3782 822463 10005."}`, `{"notes":"…, …."}`},
		{`{"notes":"unit 1204 4242 4242 4242 4242 5125550100"}`, `{"notes":"unit 1204 … 5125550100"}`},
		{`{"notes":"4242` + "\u2011" + `4242` + "\u00a0" + `4242–4242"}`, `{"notes":"…"}`},
		{`{"notes":"` + card + ` ` + amex + `"}`, `{"notes":"… …"}`},
		{`{"notes":"` + card + `1229"}`, `{"notes":"…"}`},
		{`{"amount":` + card + `}`, `{"amount":"…"}`},
		{`{"amount":4.242424242424242e15,"same":` + card + `.00}`, `{"amount":"…","same":"…"}`},
		{`{"amount":` + strings.Repeat("1", 41) + `}`, `{"amount":"…"}`},
		{`{"notes":"4242424242424241"}`, `{"notes":"4242424242424241"}`},
		{`{"notes":"her SSN is ` + social + `."}`, `{"notes":"her SSN is …."}`},
		{`{"notes":"078 05 1120, 078–05–1120,` + social + `,` + social + `"}`, `{"notes":"…, …,…,…"}`},
		{`{"` + social + `":"` + card + `"}`, `{"……":"…"}`},

		// what is not JSON
		{`{"notes":"` + live, `"{\"notes\":\"` + leads + `"`},
		{`{"a":1,"a":2}`, `"{\"a\":1,\"a\":2}"`},
		{"\xff" + live, `"` + "\ufffd" + leads + `"`},
		{``, `""`},
	} {
		if got := redact.JSON([]byte(c.in), room); got != c.want {
			t.Errorf("%s\n told %s\n want %s", c.in, got, c.want)
		}
	}
}

func TestLongStringsAreTruncatedAndShortOnesKept(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("The tap drips. ", 700)
	in := fmt.Sprintf(`{"description":%q,"unit_id":"unit_1"}`, long)
	if got, want := redact.JSON([]byte(in), room), fmt.Sprintf(`{"description":%q,"unit_id":"unit_1"}`,
		long[:1000]+"…"); got != want {
		t.Errorf("told %s", got)
	}
	many := `{"last":"x"`
	for i := range 20 {
		many += fmt.Sprintf(`,"n%d":%q`, i, long)
	}
	var told map[string]string
	got := redact.JSON([]byte(many+"}"), room)
	err := json.Unmarshal([]byte(got), &told)
	if err != nil || len(told) != 21 || told["n19"] != long[:250]+"…" || len(got) > room {
		t.Errorf("%d bytes, %v: %s", len(got), err, got)
	}
}

func TestOversizedContentIsElidedWithMarker(t *testing.T) {
	t.Parallel()
	items := strings.Repeat(`123456789,`, 5000)
	deep := strings.Repeat(`{"a":[`, 3) + items + "0" + strings.Repeat(`]}`, 3)
	members := `{"first":1`
	for i := range 5000 {
		members += fmt.Sprintf(`,"m%d":%d`, i, i)
	}
	names := `{"a":1`
	for i := range 20 {
		names += fmt.Sprintf(`,"%s%d":{"%s":{"%s":1}}`, strings.Repeat(`\u0001`, 90), i,
			strings.Repeat(`\u0002`, 200), strings.Repeat(`\u0003`, 200))
	}
	for name, in := range map[string]string{
		"a list":    "[" + items + "0]",
		"an object": members + "}",
		"deep":      deep,
		"names":     names + "}",
		"a string":  `"` + strings.Repeat(`\u0001`, 9000) + `"`,
	} {
		for _, most := range []int{512, 600, room, 16 << 10} {
			got := redact.JSON([]byte(in), most)
			if !json.Valid([]byte(got)) || len(got) > most || len(got) < most/32 || !strings.Contains(got, "…") {
				t.Errorf("%s in %d: %d bytes, %.300s", name, most, len(got), got)
			}
		}
	}
	if got := redact.JSON([]byte(members+"}"), 512); !strings.HasSuffix(got, `,"…":"…"}`) ||
		!strings.HasPrefix(got, `{"first":1,"m0":0,`) {
		t.Error(got)
	}
}

func TestTruncatedSecretIsNotShown(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{
		live, signs, link, card, "4242 4242 4242 4242", social, "Bearer a1b2c3d4e5f6", live[11:],
	} {
		for at := 4096 - len(secret) - 2; at < 4098; at++ {
			// What is taken out before makes room for what stands behind.
			before := strings.Repeat(strings.Repeat("x", 900)+" ", 5)[:at-1] + " "
			got := redact.FreeText(redact.JSON(fmt.Appendf(nil, "%q", before+secret+" and more"), room))
			if piece := secret[:min(len(secret), 10)]; strings.Contains(got, piece) && piece != "sk_live_pm" {
				t.Fatalf("at %d: %s", at, got)
			}
		}
	}
}

func TestMissingArgumentsBecomeEmptyObject(t *testing.T) {
	t.Parallel()
	if got := redact.Value(nil, room); got != "{}" {
		t.Error(got)
	}
	if got := redact.Value(&strictjson.Value{Kind: strictjson.Null, Text: "null"}, room); got != "null" {
		t.Error(got)
	}
}
