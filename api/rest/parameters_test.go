package rest_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/operation"
)

// lists are the operations that answer a page.
func (r *fixture) lists() (all []*operation.Operation) {
	for _, op := range r.api.Operations() {
		if op.List() {
			all = append(all, op)
		}
	}
	return all
}

// recordLists are the lists of records of a portfolio: the rules of the states are everybody's.
func (r *fixture) recordLists() []*operation.Operation {
	return slices.DeleteFunc(r.lists(), func(op *operation.Operation) bool { return op.Path == "/lease_rules" })
}

const (
	moment  = "must be a moment from 1970 on in RFC 3339, such as 2026-11-02T16:20:11.482Z; not "
	dayForm = "must be a day from 1600 on as YYYY-MM-DD, such as 2026-11-02; not "
	page100 = "must be a whole number between 1 and 100; not "
	aCursor = "is not a cursor of this list; pass next_cursor of the page before, or leave it out to start at the " +
		"beginning."
	control = "must not contain invisible characters; not "
)

// wrongValues are values that no list takes, by the parameter's schema: the value as
// it stands in the query, and what is said of it behind the parameter's name.
func wrongValues(p operation.Parameter) map[string]string {
	type wrong = map[string]string
	switch {
	case p.Name == "limit":
		return wrong{
			"0":                    page100 + `"0".`,
			"101":                  page100 + `"101".`,
			"-1":                   page100 + `"-1".`,
			"020":                  page100 + `"020".`,
			"+5":                   page100 + `" 5".`,
			"%2B5":                 page100 + `"+5".`,
			"1e2":                  page100 + `"1e2".`,
			"1.0":                  page100 + `"1.0".`,
			"":                     page100 + `"".`,
			"five":                 page100 + `"five".`,
			"%D9%A3":               page100 + `"٣".`,
			"5%00":                 page100 + `"5\x00".`,
			"%FF":                  page100 + `"\xff".`,
			"99999999999999999999": page100 + `"99999999999999999999".`,
			"0x10":                 page100 + `"0x10".`,
			"1_0":                  page100 + `"1_0".`,
			"5;status=due":         page100 + `"5;status=due".`,
		}
	case p.Name == "starting_after":
		return wrong{
			"1":                               aCursor,
			"unit_01KA5R2M7Q8D4E6F9G1H3J5K7M": aCursor,
			"%00":                             aCursor,
			"%FF":                             aCursor,
			strings.Repeat("a", 100):          aCursor,
			strings.Repeat("a", 101):          aCursor,
			strings.Repeat("a", 100_000):      aCursor,
		}
	case p.Schema.Format == "date-time":
		return wrong{
			"":                            moment + `"".`,
			"2026-11-02":                  moment + `"2026-11-02".`,
			"2026-11-02T16:20:11":         moment + `"2026-11-02T16:20:11".`,
			"2026-11-02T16:20Z":           moment + `"2026-11-02T16:20Z".`,
			"2026-11-02+16:20:11Z":        moment + `"2026-11-02 16:20:11Z".`,
			"2026-11-02T16:20:11+01:00":   moment + `"2026-11-02T16:20:11 01:00".`,
			"2026-02-30T00:00:00Z":        moment + `"2026-02-30T00:00:00Z".`,
			"2026-11-02T24:00:00Z":        moment + `"2026-11-02T24:00:00Z".`,
			"2026-11-02T6:20:11Z":         moment + `"2026-11-02T6:20:11Z".`,
			"2026-11-02T16:20:11,482Z":    moment + `"2026-11-02T16:20:11,482Z".`,
			"2026-11-02T16:20:11%2B25:00": moment + `"2026-11-02T16:20:11+25:00".`,
			"0000-01-01T00:00:00Z":        moment + `"0000-01-01T00:00:00Z".`,
			"1969-12-31T23:59:59Z":        moment + `"1969-12-31T23:59:59Z".`,
			"9999-12-31T23:59:59-01:00":   moment + `"9999-12-31T23:59:59-01:00".`,
			"1970-01-01T00:59:59%2B01:00": moment + `"1970-01-01T00:59:59+01:00".`,
			"1793638800":                  moment + `"1793638800".`,
			"now":                         moment + `"now".`,
			"%00":                         moment + `"\x00".`,
			strings.Repeat("1", 100_000):  moment + `"` + strings.Repeat("1", 60) + `…".`,
		}
	case p.Schema.Format == "date":
		return wrong{
			"":                     dayForm + `"".`,
			"2026-02-30":           dayForm + `"2026-02-30".`,
			"2026-2-3":             dayForm + `"2026-2-3".`,
			"0000-01-01":           dayForm + `"0000-01-01".`,
			"1599-12-31":           dayForm + `"1599-12-31".`,
			"20261102":             dayForm + `"20261102".`,
			"02.11.2026":           dayForm + `"02.11.2026".`,
			"2026-11-02T00:00:00Z": dayForm + `"2026-11-02T00:00:00Z".`,
			"2025-02-29":           dayForm + `"2025-02-29".`,
			"2026-13-01":           dayForm + `"2026-13-01".`,
			"+2026-11-02":          dayForm + `" 2026-11-02".`,
			"today":                dayForm + `"today".`,
			"%FF":                  dayForm + `"\xff".`,
		}
	case p.Schema.Type == "boolean":
		return wrong{
			"":        `must be true or false; not "".`,
			"1":       `must be true or false; not "1".`,
			"TRUE":    `must be true or false; not "TRUE".`,
			"yes":     `must be true or false; not "yes".`,
			"true%00": `must be true or false; not "true\x00".`,
		}
	case p.Schema.Enum != nil:
		var values []string
		for _, v := range p.Schema.Enum {
			values = append(values, v.(string))
		}
		one := "must be one of " + strings.Join(values, ", ") + "; not "
		return wrong{
			"":                           one + `"".`,
			"-":                          one + `"-".`,
			"%00":                        one + `"\x00".`,
			"%FF%FE":                     one + `"\xff\xfe".`,
			"null":                       one + `"null".`,
			strings.Repeat("z", 100_000): one + `"` + strings.Repeat("z", 60) + `…".`,
		}
	case p.Name == "search":
		const none, most = "must have a letter or a digit; not ", "must have between 1 and 100 characters, not "
		return wrong{
			"":                            "is empty; give it a value or leave it out.",
			"+":                           none + `" ".`,
			"%25":                         none + `"%".`,
			"%27+--":                      none + `"' --".`,
			"%00a":                        control + `"\x00a".`,
			"%FF":                         "is not valid UTF-8.",
			strings.Repeat("a", 101):      most + "101.",
			strings.Repeat("%C3%A4", 101): most + "101.",
			strings.Repeat("-", 100_000):  most + "100,000.",
		}
	case p.Schema.MaxLength != nil:
		most := *p.Schema.MaxLength
		return wrong{
			"":          "is empty; give it a value or leave it out.",
			"%FF":       "is not valid UTF-8.",
			"a\xc3":     "is not valid UTF-8.",
			"%00":       control + `"\x00".`,
			"Aus%0Atin": control + `"Aus\ntin".`,
			"%C2%85":    control + `"\u0085".`,
			strings.Repeat("%C3%A4", most+1): fmt.Sprintf("must have between 1 and %d characters, not %d.",
				most, most+1),
			strings.Repeat("a", 100_000): fmt.Sprintf("must have between 1 and %d characters, not 100,000.", most),
		}
	default: // an id to filter by
		return wrong{
			"":        "is empty; give it a value or leave it out.",
			"%FF":     "is not valid UTF-8.",
			"%00":     control + `"\x00".`,
			"%1B[31m": control + `"\x1b[31m".`,
		}
	}
}

func TestListParametersExplainInvalidValues(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	for _, op := range r.lists() {
		for _, p := range op.Parameters() {
			cases := wrongValues(p)
			cases["%zz"] = "is not percent-encoded rightly."
			cases["5%"] = "is not percent-encoded rightly."
			for raw, said := range cases {
				code := "invalid_field"
				if said == aCursor {
					code = "invalid_cursor"
				}
				f := r.get(op.Path+"?"+p.Name+"="+raw, key).expect(t, http.StatusBadRequest, code)
				want := detail{p.Name, code, p.Name + " " + said}
				if f.Error.Param == nil || *f.Error.Param != p.Name ||
					f.Error.Message != want.Message || !slices.Equal(f.Error.Errors, []detail{
					want,
				}) {
					t.Errorf("%s?%s=%.60s\nwant %+v\n got %+v", op.Path, p.Name, raw, want, f.Error)
				}
			}
		}
	}
}

// rightValues are values that a parameter takes.
func rightValues(p operation.Parameter, prefix string) []string {
	switch {
	case p.Name == "limit":
		return []string{"1", "20", "100", "%35"}
	case p.Name == "starting_after" && strings.ToUpper(prefix) == prefix: // the code of a state
		return []string{"", prefix, "AL", "WY"}
	case p.Name == "starting_after":
		return []string{
			"",
			prefix + "_00000000000000000000000000",
			prefix + "_7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
			absent(prefix),
		}
	case p.Schema.Format == "date-time":
		return []string{
			"1970-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2026-11-02T16:20:11.482123456Z",
			"2026-11-02T16:20:11%2B05:45", "2024-02-29T00:00:00-00:00",
		}
	case p.Schema.Format == "date":
		return []string{"1600-01-01", "9999-12-31", "2024-02-29", "2026%2D11-02"}
	case p.Schema.Type == "boolean":
		return []string{"true", "false", "%74rue"}
	case p.Schema.Enum != nil:
		var all []string
		for _, v := range p.Schema.Enum {
			all = append(all, v.(string))
		}
		if p.Name == "state" {
			all = append(all, "tx", "Tx", "dC")
		}
		return all
	case p.Name == "search":
		return []string{
			"a",
			strings.Repeat("%C3%A4", 100),
			strings.Repeat("a ", 50),
			"'; DROP TABLE leases; --",
			"100%25_",
			"%F0%9F%8F%A1",
			"%E6%9D%B1",
			"+a+",
		}
	case p.Schema.MaxLength != nil:
		return []string{
			"a",
			strings.Repeat("%C3%A4", *p.Schema.MaxLength),
			"'; DROP TABLE leases; --",
			"%25",
			"_",
			"%F0%9F%8F%A1",
			"null",
		}
	default:
		return []string{"x", absent("prop"), "'%20OR%201=1", strings.Repeat("9", 100_000), "%F0%9F%8F%A1", "0"}
	}
}

func TestListParametersAcceptDocumentedValues(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key := r.someone()
		for _, op := range r.lists() {
			prefix, _, _ := strings.Cut(op.Parameters()[1].Example().(string), "_")
			for _, p := range op.Parameters() {
				for _, raw := range rightValues(p, prefix) {
					var got page
					r.get(op.Path+"?"+p.Name+"="+strings.ReplaceAll(raw, " ", "+"), key).ok(t, &got)
				}
			}
		}
	})
}

func TestMisspelledFilterValueSuggestsNearest(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	for query, hint := range map[string]string{
		"/payments?status=du":                     "Did you mean due?",
		"/payments?status=partialy_paid":          "Did you mean partially_paid?",
		"/payments?type=Rent":                     "Did you mean rent?",
		"/leases?status=pending-signature":        "Did you mean pending_signature?",
		"/maintenance/tickets?priority=emergancy": "Did you mean emergency?",
		"/properties?property_type=appartment":    "Did you mean apartment?",
		"/tenants?status=curent":                  "Did you mean current?",
	} {
		f := r.get(query, key).expect(t, http.StatusBadRequest, "invalid_field")
		if !strings.HasSuffix(f.Error.Message, ". "+hint) {
			t.Errorf("%s: %s", query, f.Error.Message)
		}
	}
	f := r.get("/properties?state=TC", key).expect(t, http.StatusBadRequest, "invalid_field")
	if strings.Contains(f.Error.Message, "mean") {
		t.Errorf("any of 50 states may be near: %s", f.Error.Message)
	}
}

func TestUnknownParameterIsRefusedWithSuggestion(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	own := seeded{1, access.Test}
	for path, said := range map[string]string{
		"/payments?Limit=5":          `"Limit" is not a parameter here; did you mean limit?`,
		"/payments?limits":           `"limits" is not a parameter here; did you mean limit?`,
		"/payments?starting-after=x": `"starting-after" is not a parameter here; did you mean starting_after?`,
		"/payments?leaseid=x":        `"leaseid" is not a parameter here; did you mean lease_id?`,
		"/payments?%73tatu=due":      `"statu" is not a parameter here; did you mean status?`,
		"/webhooks/endpoints?page=2": `"page" is not a parameter here; the parameters are limit, ` +
			`starting_after, created_after, updated_after.`,
		"/webhooks/endpoints?=2": `"" is not a parameter here; the parameters are limit, starting_after, ` +
			`created_after, updated_after.`,
		"/webhooks/endpoints?%zz=2": `"%zz" is not a parameter here; the parameters are limit, starting_after,` +
			` created_after, updated_after.`,
		"/webhooks/endpoints?%00=2": `"\x00" is not a parameter here; the parameters are limit, ` +
			`starting_after, created_after, updated_after.`,
		"/webhooks/endpoints?%FF=2": `"�" is not a parameter here; the parameters are limit, starting_after,` +
			` created_after, updated_after.`,
		"/webhooks/endpoints?limit%5B%5D": `"limit[]" is not a parameter here; did you mean limit?`,
		"/webhooks/endpoints?" + strings.Repeat("p", 100_000) +
			"=1": `"` + strings.Repeat("p", 60) +
			`…" is not a parameter here; the parameters are limit, starting_after, created_after, updated_after.`,
		"/me?verbose=1": `"verbose" is not a parameter here; this operation takes none.`,
		"/properties/" + own.id("prop", 1) +
			"?id=1": `"id" is not a parameter here; this operation takes none.`,
		"/properties/none?property_id=prop_1": `"property_id" is not a parameter here; this operation takes none.`,
	} {
		f := r.get(path, key).expect(t, http.StatusBadRequest, "unknown_parameter")
		if f.Error.Message != said {
			t.Errorf("%.60s\nwant %s\n got %s", path, said, f.Error.Message)
		}
	}
}

func TestErrorOrderFollowsSchemaNotRequest(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	wrong := []string{
		"limit=0", "starting_after=x", "created_after=x", "updated_after=x", "status=x", "type=x",
		"method=x", "lease_id=", "due_after=x", "due_before=x", "overdue=x",
	}
	for range 20 {
		query := slices.Clone(wrong)
		shuffle(query)
		f := r.get("/payments?"+strings.Join(query, "&"), key).expect(t, http.StatusBadRequest, "invalid_field")
		var named []string
		for _, d := range f.Error.Errors {
			named = append(named, d.Param)
		}
		for i, w := range wrong {
			if name, _, _ := strings.Cut(w, "="); i >= len(named) || named[i] != name {
				t.Fatalf("%s\nnames %q", strings.Join(query, "&"), named)
			}
		}
		if *f.Error.Param != "limit" || f.Error.Message != f.Error.Errors[0].Message {
			t.Errorf("the first fault does not lead: %+v", f.Error)
		}
	}
}

func TestUnknownParametersAreReportedLastInRequestOrder(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	f := r.get("/webhooks/endpoints?zeta=1&limit=x&alpha=1&created_after=x&zeta=2", key).expect(
		t,
		http.StatusBadRequest,
		"invalid_field",
	)
	var named []string
	for _, d := range f.Error.Errors {
		named = append(named, d.Param+" "+d.Code)
	}
	want := []string{
		"limit invalid_field", "created_after invalid_field", "zeta unknown_parameter",
		"alpha unknown_parameter",
	}
	if !slices.Equal(named, want) {
		t.Errorf("the faults are %q, want %q", named, want)
	}
}

func TestRepeatedParameterIsReportedOnce(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	for query, said := range map[string]string{
		"limit=5&limit=5":                   "limit is given more than once; send it once.",
		"limit=5&%6Cimit=5":                 "limit is given more than once; send it once.",
		"status=due&status=due&status=void": "status is given more than once; send it once.",
		"limit=5&&status=due&limit":         "limit is given more than once; send it once.",
	} {
		f := r.get("/payments?"+query, key).expect(t, http.StatusBadRequest, "invalid_field")
		if len(f.Error.Errors) != 1 || f.Error.Message != said {
			t.Errorf("%s: %+v", query, f.Error)
		}
	}
}

func TestManyErrorsProduceBoundedResponse(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	for _, query := range []string{
		strings.Repeat("a&", 30_000),
		strings.Repeat("limit&", 10_000),
		strings.Repeat("%zz&", 15_000),
		many(10_000),
	} {
		a := r.get("/payments?"+query, key)
		if a.failed(t); a.status != http.StatusBadRequest || len(a.body) > 100_000 {
			t.Errorf("%.20s… is answered %d with %d bytes", query, a.status, len(a.body))
		}
	}
}

// many are that many parameters, all of them unknown.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "p%d&", i)
	}
	return b.String()
}

func TestEmptyQuerySegmentsAreIgnored(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	var want, got page
	r.get("/properties?limit=1", key).ok(t, &want)
	r.get("/properties?&&limit=1&", key).ok(t, &got)
	if len(got.Data) != 1 || *got.NextCursor != *want.NextCursor {
		t.Errorf("the page is %+v", got)
	}
	r.get("/properties?", key).ok(t, &got)
	r.get("/properties?&", key).ok(t, &got)
}

func TestEveryFilterReturnsMatchingRecords(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		key, s := r.someone(), seeded{1, access.Test}
		for query, kept := range map[string]string{
			"/properties?":                                            "12",
			"/properties?state=TX":                                    "1",
			"/properties?state=co":                                    "2",
			"/properties?city=AUSTIN":                                 "1",
			"/properties?city=austin":                                 "1",
			"/properties?city=aust":                                   "",
			"/properties?search=MAPLE":                                "1",
			"/properties?search=aus+14":                               "1",
			"/properties?search=canon":                                "2",
			"/properties?search=Ca%C3%91+ol":                          "2",
			"/properties?search=ple":                                  "",
			"/properties?search=maple+canon":                          "",
			"/properties?search=c":                                    "12",
			"/properties?search=co&state=CO":                          "2",
			"/properties?search=co&state=TX":                          "1",
			"/properties?search=c&starting_after=" + s.id("prop", 1):  "2",
			"/properties?search=c&limit=1":                            "1",
			"/tenants?search=zoe":                                     "2",
			"/tenants?search=ONEIL":                                   "2",
			"/tenants?search=o%27n+zo":                                "2",
			"/tenants?search=dana.whit":                               "1",
			"/tenants?search=(512)+555-0142":                          "1",
			"/tenants?search=0143&status=notice":                      "1",
			"/tenants?search=0143&status=past":                        "",
			"/tenants?search=box+118":                                 "1",
			"/tenants?search=robin":                                   "",
			"/properties?city=Ca%C3%B1on+City":                        "2",
			"/properties?property_type=apartment":                     "1",
			"/properties?status=archived":                             "2",
			"/properties?state=TX&status=archived":                    "",
			"/tenants?":                                               "12",
			"/tenants?status=notice":                                  "1",
			"/tenants?property_id=" + s.id("prop", 1):                 "1",
			"/tenants?unit_id=" + s.id("unit", 1):                     "1",
			"/tenants?email=dana.whitfield@EXAMPLE.com":               "1",
			"/tenants?email=dana@example.org":                         "",
			"/leases?":                                                "12",
			"/leases?status=draft":                                    "2",
			"/leases?property_id=" + s.id("prop", 1):                  "12",
			"/leases?unit_id=" + s.id("unit", 2):                      "2",
			"/leases?tenant_id=" + s.id("ten", 1):                     "1",
			"/leases?tenant_id=" + s.id("ten", 2):                     "12",
			"/leases?ending_before=2026-12-20":                        "",
			"/leases?ending_before=2026-12-21":                        "1",
			"/leases?ending_after=2026-12-20":                         "",
			"/leases?ending_after=2026-12-19":                         "1",
			"/maintenance/tickets?":                                   "12",
			"/maintenance/tickets?status=open":                        "2",
			"/maintenance/tickets?priority=high":                      "1",
			"/maintenance/tickets?category=plumbing":                  "1",
			"/maintenance/tickets?property_id=" + s.id("prop", 2):     "2",
			"/maintenance/tickets?unit_id=" + s.id("unit", 1):         "1",
			"/maintenance/tickets?tenant_id=" + s.id("ten", 1):        "1",
			"/payments?":                                              "12",
			"/payments?status=scheduled":                              "2",
			"/payments?type=fee":                                      "1",
			"/payments?method=ach":                                    "1",
			"/payments?lease_id=" + s.id("lea", 1):                    "12",
			"/payments?tenant_id=" + s.id("ten", 1):                   "12",
			"/payments?property_id=" + s.id("prop", 2):                "",
			"/payments?unit_id=" + s.id("unit", 1):                    "12",
			"/payments?due_after=2026-10-06":                          "2",
			"/payments?due_after=2026-10-05":                          "12",
			"/payments?due_before=2026-12-01":                         "1",
			"/payments?due_before=2026-12-02":                         "12",
			"/payments?overdue=true":                                  "1",
			"/payments?overdue=false":                                 "2",
			"/webhooks/endpoints?":                                    "12",
			"/payments?limit=1":                                       "1",
			"/payments?limit=1&starting_after=" + s.id("pay", 1):      "2",
			"/payments?starting_after=" + s.id("pay", 2):              "",
			"/payments?starting_after=pay_00000000000000000000000000": "12",
			"/payments?starting_after=pay_7ZZZZZZZZZZZZZZZZZZZZZZZZZ": "",
			"/payments?created_after=2026-01-15T09:30:00.119Z":        "12",
			"/payments?created_after=2026-01-15T09:30:00.120Z":        "2",
			"/payments?created_after=2026-01-15T10:30:00.120%2B01:00": "2",
			"/payments?created_after=2026-03-01T12:00:00Z":            "",
			"/payments?updated_after=2026-03-01T12:00:00.000Z":        "1",
			"/payments?updated_after=2026-03-01T11:59:59.999Z":        "12",
			"/payments?updated_after=2026-10-30T23:59:59.999Z":        "",
			"/payments?created_after=2026-03-01T12:00:00Z&starting_after=pay_00000000000000000000000000": "",
			"/webhooks/endpoints?created_after=2026-01-15T09:30:00.120Z":                                 "2",
			"/webhooks/endpoints?updated_after=2026-03-01T12:00:00Z":                                     "1",
		} {
			var got struct {
				Data []struct{ ID string }
			}
			r.get(query, key).ok(t, &got)
			which := ""
			for _, d := range got.Data {
				which += d.ID[len(d.ID)-1:]
			}
			if which != kept {
				t.Errorf("%s keeps %q, want %q", query, which, kept)
			}
		}
	})
}

func TestOverdueStartsAtLandlordsMidnight(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		key := r.someone() // an account in New York
		for at, want := range map[string]string{
			"2026-10-07T03:59:59.999Z": "0 false",
			"2026-10-07T04:00:00Z":     "1 true",
			"2026-12-02T05:00:00Z":     "57 true",
		} {
			r.clock.ns.Store(parse(t, at).UnixNano())
			var p struct {
				Overdue     bool `json:"overdue"`
				DaysOverdue int  `json:"days_overdue"`
			}
			r.get("/payments/"+seeded{1, access.Test}.id("pay", 1), key).ok(t, &p)
			if got := fmt.Sprint(p.DaysOverdue, p.Overdue); got != want {
				t.Errorf("at %s the row is %s, want %s", at, got, want)
			}
			var overdue page
			r.get("/payments?overdue=true", key).ok(t, &overdue)
			if (len(overdue.Data) == 1) != p.Overdue {
				t.Errorf("at %s the filter finds %d rows", at, len(overdue.Data))
			}
		}
	})
}

func TestPageLinkKeepsFilters(t *testing.T) {
	t.Parallel()
	r, key := common(t)
	s := seeded{1, access.Test}
	a := r.get("/payments?overdue=false&limit=1", key)
	if a.header.Get("Link") != "" {
		t.Errorf("the last page has the Link %q", a.header.Get("Link"))
	}
	a = r.get("/leases?limit=1&tenant_id="+s.id("ten", 2), key)
	want := "<" + base + "/api/v1/external/leases?" + url.Values{
		"limit":          {"1"},
		"starting_after": {s.id("lea", 1)},
		"tenant_id":      {s.id("ten", 2)},
	}.Encode() + `>; rel="next"`
	if got := a.header.Get("Link"); got != want {
		t.Errorf("Link is %s, want %s", got, want)
	}
	a = r.get("/properties?city=Ca%C3%B1on+City&limit=1&starting_after=prop_00000000000000000000000000", key)
	if a.header.Get("Link") != "" {
		t.Errorf("one record in a page of one has the Link %q", a.header.Get("Link"))
	}
}
