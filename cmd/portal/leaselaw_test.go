package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"testing"

	"portal/api/mcp"
	"portal/api/rest"
)

// unlawful are leases that the law of a state or their document refuses: lawful ones with one change. The
// change is written as a generation asks for it, and as an update of the lawful lease does.
var unlawful = []struct {
	name, state         string
	lawful, ask, change string
	code, param         string
	beside              string // the field of the form where the refusal stands, if that is another one
	asksNobody          bool   // no field of the form can ask for it
}{
	{
		name: "a lower rent under a deposit, MA", state: "MA",
		lawful: `"monthly_rent": 2000, "security_deposit": 2000`,
		ask:    `"monthly_rent": 1`,
		code:   "deposit_above_legal_maximum", param: "security_deposit",
	},
	{
		name: "a lower rent under a deposit, CA", state: "CA",
		lawful: `"monthly_rent": 3000, "security_deposit": 3000`,
		ask:    `"monthly_rent": 1000`,
		code:   "deposit_above_legal_maximum", param: "security_deposit",
	},
	{
		name: "a higher deposit, CO", state: "CO",
		ask:  `"security_deposit": 9000`,
		code: "deposit_above_legal_maximum", param: "security_deposit",
	},
	{
		name: "month-to-month under a deposit, NC", state: "NC",
		lawful: `"monthly_rent": 1000, "security_deposit": 2000`,
		ask:    `"lease_type": "month_to_month"`,
		change: `"lease_type": "month_to_month", "end_date": null`,
		code:   "deposit_above_legal_maximum", param: "security_deposit",
	},
	{
		name: "a fee beside a full deposit, CA", state: "CA",
		lawful: `"monthly_rent": 1000, "security_deposit": 2000`,
		ask:    `"fees": [{"name": "Pet deposit", "amount": 500, "frequency": "once"}]`,
		code:   "deposit_above_legal_maximum", param: "fees", beside: "fees.0.name",
	},
	{
		name: "a lower rent under a late fee, NY", state: "NY",
		lawful: `"monthly_rent": 1000, "late_fee_amount": 50`,
		ask:    `"monthly_rent": 500`,
		code:   "late_fee_above_legal_maximum", param: "late_fee_amount",
	},
	{
		name: "a higher late fee, TX", state: "TX",
		ask:  `"late_fee_amount": 900`,
		code: "late_fee_above_legal_maximum", param: "late_fee_amount",
	},
	{
		name: "a daily late fee, CT", state: "CT",
		lawful: `"late_fee_amount": 20`,
		ask:    `"late_fee_frequency": "daily"`,
		code:   "late_fee_above_legal_maximum", param: "late_fee_amount",
	},
	{
		name: "an answer to what the state does not ask", state: "TX",
		ask:  `"disclosures": [{"code": "voter_registration_packet", "applies": true}]`,
		code: "invalid_field", param: "disclosures.0.code", asksNobody: true,
	},
	{
		name: "hazards without what they are", state: "TX",
		ask:  `"lead_paint": {"hazards": "known", "records": "none"}`,
		code: "missing_field", param: "lead_paint.details",
	},
	{
		name: "a no to what the law always asks for", state: "NV",
		ask:  `"disclosures": [{"code": "flag_display", "applies": false}]`,
		code: "invalid_field", param: "disclosures.0.applies", asksNobody: true,
	},
	{
		name: "a pamphlet that is yet to be handed over", state: "TX",
		ask:  `"lead_paint": {"hazards": "none", "records": "none", "pamphlet_given_on": "9999-01-01"}`,
		code: "invalid_field", param: "lead_paint.pamphlet_given_on",
	},
	{
		name: "a first day of 1650", state: "TX",
		ask:  `"start_date": "1650-01-01"`,
		code: "invalid_field", param: "start_date",
	},
	{
		name: "a last day of 9999", state: "TX",
		ask:  `"end_date": "9999-12-31"`,
		code: "invalid_field", param: "end_date",
	},
	{
		name: "an occupant without glyphs", state: "TX",
		ask:  `"occupants": ["Sam", "አበበ"]`,
		code: "invalid_field", param: "occupants.1", beside: "occupants",
	},
	{
		name: "a fee without glyphs", state: "TX",
		ask:  `"fees": [{"name": "መኪና", "amount": 1, "frequency": "monthly"}]`,
		code: "invalid_field", param: "fees.0.name",
	},
	{
		name: "a clause without glyphs", state: "TX",
		ask:  `"clauses": {"parking": "መኪና"}`,
		code: "invalid_field", param: "clauses.parking",
	},
}

// lawOffice is a landlord of the demo who writes leases by every way that there is.
type lawOffice struct {
	*testing.T
	*httpServer
	browser *http.Client
	tenant  string // id of who signs
	email   string // of the tenant
}

func TestUnlawfulLeaseTermsAreRefusedEverywhere(t *testing.T) {
	eachDatabase(t, func(t *testing.T, s *httpServer) {
		o := newLawOffice(t, s)
		for _, c := range unlawful {
			home := o.home(c.state)
			lawful := o.members(home, c.lawful)
			lease := o.rest(http.MethodPost, "/leases/generate", lawful, false)
			if lease["id"] == nil {
				o.Fatalf("%s: the lawful lease: %v", c.name, lease)
			}
			ask, change := maps.Clone(lawful), o.members(nil, c.change)
			maps.Copy(ask, o.members(nil, c.ask))
			if c.change == "" {
				change = o.members(nil, c.ask)
			}
			o.refusedByPrograms(c.name, c.code, c.param, lease["id"].(string), ask, change)
			if !c.asksNobody {
				at := c.beside
				if at == "" {
					at = c.param
				}
				o.refusedByForm(c.name, at, ask)
			}
			now := o.rest(http.MethodGet, "/leases/"+lease["id"].(string), nil, false)
			if now["version"] != lease["version"] || now["monthly_rent"] != lease["monthly_rent"] {
				o.Errorf("%s: what was refused has changed the lease: %v", c.name, now)
			}
			drafts := o.rest(http.MethodGet, "/leases?unit_id="+lawful["unit_id"].(string), nil, false)["data"].([]any)
			if len(drafts) != 1 {
				o.Errorf("%s: what was refused has made %d leases", c.name, len(drafts)-1)
			}
		}
	})
}

func newLawOffice(t *testing.T, s *httpServer) *lawOffice {
	jar, err := cookiejar.New(nil)
	orFail(t, err)
	o := &lawOffice{T: t, httpServer: s, browser: &http.Client{Jar: jar}}
	for _, x := range o.rest(http.MethodGet, "/tenants?limit=100", nil, false)["data"].([]any) {
		if email, is := x.(map[string]any)["email"].(string); is {
			o.tenant, o.email = x.(map[string]any)["id"].(string), email
		}
	}
	token := o.token("/sign-in")
	_, at := o.form("/sign-in", url.Values{"token": {token}, "email": {demoLandlord}, "password": {s.demo.Password}})
	if at == "/sign-in" {
		t.Fatal("the landlord cannot sign in")
	}
	return o
}

// home is a new home in a state, old enough for paint with lead.
func (o *lawOffice) home(state string) map[string]any {
	p := o.rest(http.MethodPost, "/properties", map[string]any{
		"street_address": "12 Harbor Lane", "city": "Springfield", "state": state, "year_built": 1960,
	}, false)
	units, is := p["units"].([]any)
	if !is {
		o.Fatalf("no property: %v", p)
	}
	return map[string]any{
		"property_id": p["id"], "unit_id": units[0].(map[string]any)["id"], "tenant_id": o.tenant,
		"start_date": "2028-01-09", "monthly_rent": json.Number("1450.5"),
	}
}

// members are those of an object and those that a text adds.
func (o *lawOffice) members(of map[string]any, more string) map[string]any {
	all := maps.Clone(of)
	if all == nil {
		all = map[string]any{}
	}
	d := json.NewDecoder(strings.NewReader("{" + more + "}"))
	d.UseNumber()
	orFail(o.T, d.Decode(&all))
	return all
}

// refusedByPrograms tries REST, and the tool that changes leases, each with and without a preview.
func (o *lawOffice) refusedByPrograms(name, code, param, lease string, ask, change map[string]any) {
	target := maps.Clone(change)
	target["lease_id"] = lease
	for _, preview := range []bool{false, true} {
		for way, got := range map[string]map[string]any{
			"POST":         o.rest(http.MethodPost, "/leases/generate", ask, preview),
			"PATCH":        o.rest(http.MethodPatch, "/leases/"+lease, change, preview),
			"update_lease": o.tool("update_lease", target, preview),
		} {
			failed, _ := got["error"].(map[string]any)
			if failed["code"] != code || failed["param"] != param {
				o.Errorf("%s, %s, preview %t: %v", name, way, preview, got)
			}
		}
	}
}

// refusedByForm tries the form and its preview.
func (o *lawOffice) refusedByForm(name, field string, ask map[string]any) {
	from := "/live/leases/generate?unit_id=" + ask["unit_id"].(string)
	for _, path := range []string{"/live/leases/generate", "/live/leases/generate/preview"} {
		values := url.Values{"tenant": {o.email}, "token": {o.token(from)}, "once": {rand.Text()}}
		enter(values, "", ask)
		page, at := o.form(path, values)
		if at != path || !strings.Contains(page, `href="#field-`+field+`"`) {
			o.Errorf("%s, the form at %s: nothing stands beside %s, at %s", name, path, field, at)
		}
	}
}

// enter types what a program sends into the fields of the form.
func enter(into url.Values, at string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, x := range v {
			enter(into, strings.TrimPrefix(at+"."+name, "."), x)
		}
	case []any:
		if at == "occupants" {
			var lines []string
			for _, x := range v {
				lines = append(lines, x.(string))
			}
			into.Set(at, strings.Join(lines, "\n"))
			return
		}
		for i, x := range v {
			enter(into, fmt.Sprintf("%s.%d", at, i), x)
		}
	default:
		into.Set(at, fmt.Sprint(v))
	}
}

// rest is what the API answers.
func (o *lawOffice) rest(method, path string, body map[string]any, preview bool) map[string]any {
	o.Helper()
	headers := http.Header{"Authorization": {"Bearer " + o.demo.LiveKey}}
	text := ""
	if body != nil {
		b, err := json.Marshal(body)
		orFail(o.T, err)
		text = string(b)
		headers.Set("Content-Type", "application/json")
	}
	if preview {
		headers.Set("Dry-Run", "true")
	}
	return o.object([]byte(o.send(o.T, method, rest.Base+path, text, headers).body))
}

// tool is what a tool answers.
func (o *lawOffice) tool(name string, arguments map[string]any, preview bool) map[string]any {
	o.Helper()
	arguments = maps.Clone(arguments)
	if preview {
		arguments["dry_run"] = true
	}
	call, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": name, "arguments": arguments},
	})
	orFail(o.T, err)
	a := o.send(o.T, http.MethodPost, mcp.Path, string(call), http.Header{
		"Authorization": {"Bearer " + o.demo.LiveKey}, "Content-Type": {"application/json"},
	})
	result, is := o.object([]byte(a.body))["result"].(map[string]any)
	if !is {
		o.Fatalf("%s: %s", name, a.body)
	}
	return map[string]any{"error": result["_meta"], "content": result["content"]}
}

func (o *lawOffice) object(text []byte) (all map[string]any) {
	o.Helper()
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&all); err != nil {
		o.Fatalf("%s: %v", text, err)
	}
	return all
}

// token is that of the forms of a page.
func (o *lawOffice) token(path string) string {
	o.Helper()
	page, _ := o.page(http.MethodGet, path, nil)
	found := formToken.FindStringSubmatch(page)
	if found == nil {
		o.Fatalf("%s has no form", path)
	}
	return found[1]
}

// form sends a form, and tells the page and the path to which that leads.
func (o *lawOffice) form(path string, values url.Values) (page, at string) {
	return o.page(http.MethodPost, path, values)
}

func (o *lawOffice) page(method, path string, values url.Values) (page, at string) {
	o.Helper()
	r, err := http.NewRequestWithContext(
		o.Context(),
		method,
		"http://"+o.address+path,
		strings.NewReader(values.Encode()),
	)
	orFail(o.T, err)
	if values != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	a, err := o.browser.Do(r)
	orFail(o.T, err)
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	orFail(o.T, err)
	if a.StatusCode >= http.StatusInternalServerError || slices.Contains([]int{403, 404, 429}, a.StatusCode) {
		o.Fatalf("%s: %d", path, a.StatusCode)
	}
	return string(text), a.Request.URL.Path
}
