package operation_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/operation"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/property"
)

// made is an operation with a body and every kind of parameter beside it.
type made struct {
	ID      string `in:"path" name:"id" format:"id" doc:"Identifier."`
	Deep    bool   `in:"query" name:"deep" doc:"Deep."`
	IfMatch string `in:"header" name:"If-Match" format:"etag" doc:"Version."`
	property.Create
}

type changed struct {
	ID string `in:"path" name:"id" format:"id" doc:"Identifier."`
	lease.TenantUpdate
}

var (
	makes = operation.Write(operation.Spec{
		Name: "make",
	}, func(context.Context, *made) (*change.Result[portfolio.Property], error) { return nil, errors.New("no") })
	updates = operation.Write(operation.Spec{
		Name: "change",
	}, func(context.Context, *changed) (*change.Result[portfolio.Tenant], error) {
		return nil, errors.New("no")
	})
)

func request(id, query, body string, ifMatch ...string) operation.Request {
	return operation.Request{
		Path:   func(string) string { return id },
		Query:  query,
		Header: func(string) []string { return ifMatch },
		Body:   []byte(body),
		Today:  clock.Day(2026, 11, 2),
	}
}

const someID = "prop_01KA5R2M7Q8D4E6F9G1H3J5K7M"

// A required field that is empty is to be given a value; only another one can be left out.
func TestEmptyFieldSaysWhetherItCanBeLeftOut(t *testing.T) {
	t.Parallel()
	type inner struct {
		Name string `json:"name" minlen:"1" doc:"Name."`
	}
	type body struct {
		Title   string                `json:"title" doc:"Title."`
		Note    *string               `json:"note" doc:"Note."`
		Parts   []inner               `json:"parts" doc:"Parts."`
		Words   []string              `json:"words" doc:"Words."`
		Usual   string                `json:"usual" default:"x" doc:"Usual."`
		Changed change.Field[string]  `json:"changed" doc:"Changed."`
		Emptied change.Field[*string] `json:"emptied" doc:"Emptied."`
	}
	op := operation.DefineInput[body]("sentences")
	_, err := op.Decode(operation.Request{Body: []byte(`{"title":"","note":"","parts":[{"name":" "}],"words":[""],` +
		`"usual":"","changed":"","emptied":""}`)})
	var said []string
	for _, d := range fault.From(err).Details {
		said = append(said, d.Message)
	}
	want := []string{
		"title is empty; give it a value: it is required.",
		"note is empty; give it a value or leave it out.",
		"parts.0.name is blank; give it a value: it is required.",
		"words.0 is empty; give it a value or leave it out.",
		"usual is empty; give it a value or leave it out.",
		"changed is empty; give it a value or leave it out.",
		"emptied is empty; give it a value or leave it out.",
	}
	if !slices.Equal(said, want) {
		t.Errorf("said is %q", said)
	}
}

func TestBodyIsDecodedAlongsideParameters(t *testing.T) {
	t.Parallel()
	d, err := makes.Decode(request(
		someID,
		"deep=true",
		`{"street_address":"1 A","city":"B","state":"tx","unit":{"bathrooms":1.5}}`,
		`W/"3"`,
	))
	if err != nil {
		t.Fatal(err)
	}
	in := d.Input.(*made)
	if in.ID != someID || !in.Deep || in.IfMatch != `"3"` || in.City != "B" || in.State != "TX" ||
		in.PropertyType != "single_family" || in.Unit.UnitNumber != "1" || *in.Unit.Bathrooms != 3 ||
		in.Name != nil || d.Missing != nil {
		t.Errorf("%+v", in)
	}
	if string(d.Body) != `{"city":"B","state":"tx","street_address":"1 A","unit":{"bathrooms":1.5}}` {
		t.Errorf("the canonical body is %s", d.Body)
	}
}

func TestEqualBodiesHaveOneCanonicalForm(t *testing.T) {
	t.Parallel()
	var first string
	for _, body := range []string{
		`{"street_address":"1 A","city":"B","state":"TX","year_built":1974}`,
		` {"year_built":1974.0, "state" : "\u0054X","city":"B","street_address":"1 A" }`,
		`{"city":"B","state":"TX","street_address":"1 A","year_built":1.974e3}`,
	} {
		d, err := makes.Decode(request(someID, "", body))
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(d.Body)
		}
		if string(d.Body) != first {
			t.Errorf("%s is %s, not %s", body, d.Body, first)
		}
	}
}

func TestAbsentIsDistinguishedFromNull(t *testing.T) {
	t.Parallel()
	d, err := updates.Decode(request(
		"ten_01KA5R2M7Q8D4E6F9G1H3J5K7M",
		"",
		`{"email":null,"first_name":"D","mailing_address":{"city":"B","postal_code":null},"emergency_contact":null}`,
	))
	if err != nil {
		t.Fatal(err)
	}
	in := d.Input.(*changed)
	address := in.MailingAddress.Value
	switch {
	case !in.Email.Given, in.Email.Value !=
		nil, in.Phone.Given, in.LastName.Given, in.FirstName.Value !=
		"D", !in.EmergencyContact.Given, in.EmergencyContact.Value !=
		nil,
		!in.MailingAddress.Given, !address.City.Given, address.City.Value !=
			"B", !address.PostalCode.Given, address.PostalCode.Value !=
			nil, address.State.Given:
		t.Errorf("%+v", in)
	}
}

func TestParameterErrorsPrecedeBodyErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from operation.Request
		want string
	}{
		{
			request("x", "deep=1&wide=1", `{"x":1}`, "3"),
			"deep invalid_field, If-Match invalid_field, wide unknown_parameter, street_address missing_field, " +
				"city missing_field, state missing_field, x unknown_field",
		},
		{request(someID, "deep=1", `{`), "deep invalid_field"},
		{request(someID, "", `{`), " invalid_json"},
		{request(someID, "", ``), "street_address missing_field, city missing_field, state missing_field"},
		{request(someID, "", `[]`), " invalid_json"},
		{
			request(someID, "", `{"street_address":"1 A","city":"B","state":"TX"}`, `"3"`, `"3"`),
			"If-Match invalid_field",
		},
		{request(someID, "", `{"street_address":"1 A","city":"B","state":"TX"}`, ""), "If-Match invalid_field"},
		{request("x", "", `{"street_address":"1 A","city":"B","state":"TX"}`), ""},
	} {
		d, err := makes.Decode(c.from)
		var said []string
		if err != nil {
			f := fault.From(err)
			for _, detail := range f.Details {
				said = append(said, detail.Param+" "+string(detail.Code))
			}
			if len(f.Details) == 0 {
				said = []string{f.Param + " " + string(f.Code)}
			}
		} else if !fault.Is(d.Missing, fault.NoRecord) {
			t.Errorf("an id that cannot exist is not told: %v", d.Missing)
		}
		if got := strings.Join(said, ", "); got != c.want {
			t.Errorf("%s\nwant %s\n got %s", c.from.Body, c.want, got)
		}
	}
}

func TestBodyIsRequiredWhenAnyFieldIs(t *testing.T) {
	t.Parallel()
	type loose struct {
		Count int `json:"count" default:"3" min:"1" doc:"Count."`
	}
	optional := operation.Write(operation.Spec{
		Name: "loose",
	}, func(context.Context, *loose) (*change.Result[portfolio.Property], error) {
		return nil, errors.New("no")
	})
	none := operation.Write(operation.Spec{
		Name: "none",
	}, func(context.Context, *operation.Nothing) (*change.Result[portfolio.Property], error) {
		return nil, errors.New("no")
	})
	for op, want := range map[*operation.Operation][2]bool{
		makes:    {true, true},
		updates:  {true, true},
		optional: {true, false},
		none:     {false, false},
	} {
		if op.TakesBody() != want[0] || op.BodyRequired() != want[1] {
			t.Errorf("%s takes a body: %v, needs one: %v", op.Name, op.TakesBody(), op.BodyRequired())
		}
	}
	for _, body := range []string{"", "{}", `{"count":3}`} {
		d, err := optional.Decode(request("", "", body))
		if err != nil || d.Input.(*loose).Count != 3 {
			t.Errorf("%q: %v", body, err)
		}
	}
	for _, body := range []string{"", "{}"} {
		if d, err := none.Decode(request("", "", body)); err != nil || d.Body != nil {
			t.Errorf("%q where no body is read: %v", body, err)
		}
	}
	for body, code := range map[string]fault.Code{
		"{ not JSON":  fault.InvalidJSON,
		"[]":          fault.InvalidJSON,
		`{"count":3}`: fault.UnknownField,
	} {
		if _, err := none.Decode(request("", "", body)); !fault.Is(err, code) {
			t.Errorf("%q where no body is read: %v", body, err)
		}
	}
}
