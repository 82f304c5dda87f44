package rest_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/property"
	"portal/api/webhook"
)

// everything is a body with a field of every kind.
type everything struct {
	Text    string                                    `json:"text" minlen:"1" maxlen:"10" doc:"Text."`
	Lines   *string                                   `json:"lines" format:"text" maxlen:"20" doc:"Lines."`
	Email   *string                                   `json:"email" format:"email" maxlen:"254" doc:"Email."`
	Phone   *string                                   `json:"phone" format:"phone" doc:"Phone."`
	Zip     *string                                   `json:"zip" format:"postal-code" doc:"ZIP."`
	Link    *string                                   `json:"link" format:"uri" maxlen:"50" doc:"Link."`
	Ref     *string                                   `json:"ref" format:"ref" prefix:"unit" doc:"Unit."`
	State   *contact.State                            `json:"state" doc:"State."`
	Kind    portfolio.PropertyType                    `json:"kind" default:"condo" doc:"Kind."`
	Count   *int                                      `json:"count" min:"1" max:"28" doc:"Count."`
	Money   *money.Cents                              `json:"money" doc:"Money."`
	Half    *portfolio.Half                           `json:"half" doc:"Half."`
	Day     *clock.Date                               `json:"day" doc:"Day."`
	Moment  *clock.Time                               `json:"moment" doc:"Moment."`
	Flag    *bool                                     `json:"flag" doc:"Flag."`
	Kinds   []webhook.Kind                            `json:"kinds" default:"*" minlen:"1" maxlen:"4" doc:"Kinds."`
	Unit    *property.UnitCreate                      `json:"unit" doc:"Unit."`
	Vendor  *portfolio.Vendor                         `json:"vendor" doc:"Vendor."`
	Update  change.Field[*int]                        `json:"update" min:"0" doc:"Update."`
	Address change.Field[*lease.MailingAddressUpdate] `json:"address" doc:"Address."`
}

var takesEverything = operation.Write(operation.Spec{
	Name: "everything",
}, func(context.Context, *everything) (*change.Result[portfolio.Property], error) {
	return nil, errors.New("never called")
})

// schemaOfEverything is the schema of the body, in a document of its own.
func schemaOfEverything(t testing.TB) (document, map[string]any) {
	t.Helper()
	s := &operation.Schemas{Prefix: "#/"}
	top, err := json.Marshal(s.Body(takesEverything))
	must(t, err)
	named, err := json.Marshal(s.Named)
	must(t, err)
	d := read(t, named)
	d.input = true
	return d, decoded(t, top).(map[string]any)
}

// looser are the faults of a schema that reading forgives, and why.
var looser = regexp.MustCompile(`(?s)\.state is [a-zA-Z]{2}, which is none of` + // small letters are written large
	`|\.ref is ".*", which does not fit \^unit_` + // such a unit is not found, which is judged later
	`|\.link is ".*", which is no uri` + // judged by the operation
	`|\.email is "\s.*|\.email is ".*\s", which is no email` + // the spaces around it go
	`|phone is ".*", which does not fit ` + // other marks between the digits go too
	`|is "(\\ufeff|\s)+", which does not fit`) // to some a space, to others not

// stricter are the refusals that no schema says. A step of 0.01 is not in the schema, since
// floating point cannot be divided by it.
var stricter = regexp.MustCompile(`with at most two decimals, such as 1450\.00` +
	`|is not an email address` + // a schema's email address needs no dot in its domain
	`|must be a moment from 1970 on`) // a moment with an offset may be of another year

// judged holds a body against its schema: what the one takes the other takes.
func judged(t *testing.T, d document, schema map[string]any, body string) {
	t.Helper()
	_, err := takesEverything.Decode(operation.Request{Body: []byte(body)})
	if err != nil {
		inWords(t, body, err)
	}
	if fault.Is(err, fault.InvalidJSON) || body == "" || extreme.MatchString(body) {
		return
	}
	if err == nil {
		d.forgives = looser.MatchString
	}
	faults := d.check("it", schema, decoded(t, []byte(body)))
	if err == nil && len(faults) > 0 {
		t.Errorf("%q is read, but the schema says %q", body, faults)
	}
	f := fault.From(err)
	if err != nil && len(faults) == 0 &&
		!slices.ContainsFunc(f.Details, func(d fault.Detail) bool { return stricter.MatchString(d.Message) }) {
		t.Errorf("%q is refused, but not by the schema: %v", body, err)
	}
}

// extreme are numbers of more than thirty digits, which no field takes.
var extreme = regexp.MustCompile(`[eE][+-]?0*([3-9][1-9]|[4-9][0-9]|[0-9]{3,})`)

// inWords checks the words and the order of what is said of a body.
func inWords(t *testing.T, body string, err error) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Message == "" || !utf8.ValidString(f.Message) ||
		strings.ContainsFunc(f.Message, unicode.IsControl) {
		t.Fatalf("%q is refused with %v", body, err)
	}
	if len(f.Details) > 100 ||
		len(f.Details) > 0 &&
			(f.Message != f.Details[0].Message || f.Param != f.Details[0].Param || f.Code != f.Details[0].Code) {
		t.Errorf("%q is refused with %+v", body, f)
	}
	for _, d := range f.Details {
		if d.Code != fault.InvalidField && d.Code != fault.MissingField && d.Code != fault.UnknownField ||
			len(d.Message) > 1500 || strings.ContainsFunc(d.Message, unicode.IsControl) ||
			!utf8.ValidString(d.Message+d.Param) || d.Code != fault.UnknownField &&
			!strings.HasPrefix(d.Message, d.Param+" ") || !strings.HasSuffix(d.Message, ".") &&
			!strings.HasSuffix(d.Message, "?") {
			t.Errorf("%q is refused with %+v", body, d)
		}
	}
}

func FuzzABodyIsReadWholeOrRefusedInWords(f *testing.F) {
	d, schema := schemaOfEverything(f)
	for _, body := range []string{
		`{"text":"a","lines":"a\nb","email":"a@b.example","phone":"(512) 555-0142","zip":"78701-1234",` +
			`"link":"https://a.example","ref":"unit_1","state":"TX","kind":"condo","count":28,"money":1450.5,` +
			`"half":1.5,"day":"2026-11-02","moment":"2026-11-02T16:20:11+01:00","flag":true,"kinds":["*"],` +
			`"unit":{"bathrooms":0.5},"vendor":"x","update":null,"address":{"city":"x","country":"US"}}`,
		`{"text":"a","vendor":{"name":"x","trade":null},"unit":null,"address":null,"kinds":["lease.signed","*"],` +
			`"count":1e0,"money":0,"phone":"+442079460958"}`,
		`{}`, ``, `[]`, `{"text":null,"txet":1}`, `{"text":"\u0000"}`,
		`{"text":"a","unit":{"x":1},"x":{"y":[[]]}}`,
		`{"text":"a","day":"2026-02-30","moment":"0000"}`, `{"text":" ","money":-1e-3}`,
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		d := d
		d.t = t
		judged(t, d, schema, body)
	})
}

// values are what a random body is made of: right and wrong for one field or another.
var values = []string{
	`null`,
	`true`,
	`false`,
	`0`,
	`1`,
	`-1`,
	`28`,
	`29`,
	`1.5`,
	`0.5`,
	`1.25`,
	`1450.005`,
	`1e2`,
	`-0`,
	`100.5`,
	`1e12`,
	`999999999.99`,
	`1000000000`,
	`1.0`,
	`[]`,
	`{}`,
	`[null]`,
	`[{}]`,
	`""`,
	`" "`,
	`"a"`,
	`"a\nb"`,
	`"\t"`,
	`"a\u0000"`,
	`"\u00a0"`,
	`"\u2003"`,
	`"\ufeff"`,
	`"\u0085x"`,
	`"\u200b"`,
	`"aaaaaaaaaaa"`,
	`"ääääääääää"`,
	`"aaaaaaaaaaaaaaaaaaaaaaaaaa"`,
	`"a@b.example"`,
	`"a@b"`,
	`" a@b.example"`,
	`"é@b.example"`,
	`"(512) 555-0142"`,
	`"+15125550142"`,
	`"512555014"`,
	`"1-512-555-0142"`,
	`"+442079460958"`,
	`"+44 20 7946 0958"`,
	`"+1 112 555 0142"`,
	`"512/555/0142"`,
	`"+0123456789"`,
	`"(512 555-0142"`,
	`"512)555-0142"`,
	`" 512 555 0142"`,
	`"5125550142 "`,
	`"+1-5125550142"`,
	`"+49.30.901820"`,
	`"+19005550142"`,
	`"78701"`,
	`"787011234"`,
	`"78701-1234"`,
	`"78701-"`,
	`"-78701"`,
	`"7870-11234"`,
	`"https://a.example"`,
	`"unit_1"`,
	`"prop_1"`,
	`"TX"`,
	`"tx"`,
	`"ZZ"`,
	`"condo"`,
	`"CONDO"`,
	`"US"`,
	`"us"`,
	`"CA"`,
	`"2026-11-02"`,
	`"2026-02-30"`,
	`"1599-12-31"`,
	`"1600-01-01"`,
	`"9999-12-31"`,
	`"2026-11-02T16:20:11Z"`,
	`"2026-11-02T16:20:11.4829+01:00"`,
	`"2026-11-02T16:20:60Z"`,
	`"1969-12-31T23:59:59Z"`,
	`"2026-11-02T16:20Z"`,
	`["*"]`,
	`["lease.signed","*"]`,
	`["lease.signed","lease.signed"]`,
	`["x"]`,
	`["*","*","*","*","*"]`,
	`{"name":"x"}`,
	`{"name":"x","phone":"5125550142"}`,
	`{"name":"","x":1}`,
	`{"bathrooms":1.5}`,
	`{"bathrooms":1.3,"bedrooms":101}`,
	`{"unit_number":"` + strings.Repeat("x", 31) +
		`"}`,
	`{"city":"x","state":"tx"}`,
	`{"city":null}`,
	`{"country":"CA"}`,
	`{"postal_code":null}`,
}

func TestDecoderAcceptsExactlyWhatSchemaAccepts(t *testing.T) {
	t.Parallel()
	d, schema := schemaOfEverything(t)
	names := []string{"txet"}
	for name := range d.follow(schema)["properties"].(map[string]any) {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names { // each value in each field alone
		for _, v := range values {
			body := `{"text":"a","` + name + `":` + v + `}`
			if name == "text" {
				body = `{"text":` + v + `}`
			}
			judged(t, d, schema, body)
		}
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 3))
	for range 3000 { // and some together
		var members []string
		for _, name := range names {
			if random.IntN(5) == 0 {
				members = append(members, `"`+name+`":`+values[random.IntN(len(values))])
			}
		}
		judged(t, d, schema, "{"+strings.Join(members, ",")+"}")
	}
}
