package operation_test

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"portal/api/contact"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/operation"
	"portal/api/portfolio"
)

// every is an operation with a parameter of every kind.
type every struct {
	portfolio.PaymentFilter
	State contact.State `in:"query" name:"state" doc:"A state."`
	City  string        `in:"query" name:"city" minlen:"1" maxlen:"100" doc:"A city."`
}

var decodes = operation.Define(operation.Spec{
	Name: "list_payments",
}, func(context.Context, *every) (*list.Page[portfolio.Payment], error) {
	return nil, nil //nolint:nilnil // never called
})

func decode(query string) (*every, error) {
	d, err := decodes.Decode(operation.Request{Query: query})
	if err != nil {
		return nil, err
	}
	return d.Input.(*every), nil
}

func TestMissingParametersGetDefaults(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"", "&", "&&"} {
		in, err := decode(query)
		if err != nil || *in != (every{
			PaymentFilter: portfolio.PaymentFilter{Query: list.Query{Limit: list.Default}},
		}) {
			t.Errorf("%q is %+v: %v", query, in, err)
		}
	}
}

func TestQueryParametersAreDecoded(t *testing.T) {
	t.Parallel()
	in, err := decode(
		"limit=7&starting_after=pay_01KA5R2M7Q8D4E6F9G1H3J5K7M&created_after=2026-11-02T16%3A20%3A11%2B01:00&status=due&lease_id=lea%5F1&due_after=2026-11-02&overdue=false&state=tx&city=Ca%C3%B1on+City",
	)
	if err != nil {
		t.Fatal(err)
	}
	if in.Limit != 7 || in.StartingAfter != "pay_01KA5R2M7Q8D4E6F9G1H3J5K7M" ||
		in.CreatedAfter.String() != "2026-11-02T15:20:11.000Z" || in.UpdatedAfter != nil ||
		in.Status != "due" || in.Type != "" ||
		in.LeaseID !=
			"lea_1" || in.DueAfter.String() !=
		"2026-11-02" || in.DueBefore !=
		nil || in.Overdue ==
		nil || *in.Overdue || in.State !=
		"TX" || in.City !=
		"Cañon City" {
		t.Errorf("%+v", in)
	}
}

func TestPathIDIsCheckedAfterQuery(t *testing.T) {
	t.Parallel()
	type path struct {
		ID   string `in:"path" name:"id" format:"id" doc:"Identifier."`
		Deep bool   `in:"query" name:"deep" doc:"Deep."`
	}
	op := operation.Define(operation.Spec{
		Name: "get_payment",
	}, func(context.Context, *path) (*portfolio.Payment, error) { return nil, nil }) //nolint:nilnil // never called
	for _, c := range []struct {
		id, query string
		code      fault.Code
	}{
		{"pay_01KA5R2M7Q8D4E6F9G1H3J5K7M", "", ""},
		{"pay_01KA5R2M7Q8D4E6F9G1H3J5K7M", "deep=true", ""},
		{"pay_1", "", fault.NoRecord},
		{"", "", fault.NoRecord},
		{"lea_01KA5R2M7Q8D4E6F9G1H3J5K7M", "deep=true", fault.NoRecord},
		{"pay_1", "deep=1", fault.InvalidField},
		{"pay_1", "id=pay_1", fault.UnknownParameter},
		{"\xff\x00", "", fault.NoRecord},
	} {
		d, err := op.Decode(operation.Request{
			Path:  func(name string) string { return map[string]string{"id": c.id}[name] },
			Query: c.query,
		})
		if err == nil {
			err = d.Missing
		}
		if c.code == "" && err != nil || c.code != "" && !fault.Is(err, c.code) {
			t.Errorf("%q?%s: %v", c.id, c.query, err)
		}
	}
}

// What is listed may have no id of its own: balances are those of leases.
func TestCursorCanHaveItsOwnPrefix(t *testing.T) {
	t.Parallel()
	type page struct {
		After string `in:"query" name:"starting_after" format:"cursor" prefix:"lea" doc:"A lease."`
	}
	op := operation.Define(operation.Spec{
		Name: "list_payments",
	}, func(context.Context, *page) (*list.Page[portfolio.Payment], error) {
		return nil, nil //nolint:nilnil // never called
	})
	const good = "lea_01KA5R2M7Q8D4E6F9G1H3J5K7M"
	if d, err := op.Decode(operation.Request{
		Query: "starting_after=" + good,
	}); err != nil || d.Input.(*page).After != good {
		t.Errorf("%q: %v", good, err)
	}
	for _, bad := range []string{"pay_01KA5R2M7Q8D4E6F9G1H3J5K7M", "lea_1", "lea", " "} {
		if _, err := op.Decode(operation.Request{Query: "starting_after=" + bad}); !fault.Is(err, fault.InvalidCursor) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestPositionIsOpaqueButLengthLimited(t *testing.T) {
	t.Parallel()
	type page struct {
		After string `in:"query" name:"starting_after" format:"position" doc:"A position."`
	}
	op := operation.Define(operation.Spec{
		Name: "list_payments",
	}, func(context.Context, *page) (*list.Page[portfolio.Payment], error) {
		return nil, nil //nolint:nilnil // never called
	})
	if s := op.Parameters()[0].Schema; *s.MaxLength != 100 {
		t.Errorf("its schema is %+v", s)
	}
	for _, good := range []string{"", "x", "2026-12-31_lea_01KA5R2M7Q8D4E6F9G1H3J5K7M", strings.Repeat("ä", 100)} {
		d, err := op.Decode(operation.Request{Query: "starting_after=" + url.QueryEscape(good)})
		if err != nil || d.Input.(*page).After != good {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{strings.Repeat("x", 101), "\xff", "a\x00", "a\nb"} {
		if _, err := op.Decode(operation.Request{
			Query: "starting_after=" + url.QueryEscape(bad),
		}); !fault.Is(err, fault.InvalidCursor) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func FuzzAQueryIsReadWholeOrRefusedInWords(f *testing.F) {
	for _, query := range []string{
		"",
		"limit=5",
		"limit=0&limit=1",
		"%zz=1&a=%zz",
		"status=due&&overdue=true",
		"city=%FF%00",
		"stat=x&=&&=x",
		"created_after=2026-11-02T16:20:11+01:00",
		"starting_after=pay_7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
		"state=tx&city=a;b",
		strings.Repeat("a=1&", 200),
		"due_after=2026-02-30&due_before=9999-12-31",
	} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		in, err := decode(query)
		if err != nil {
			refusal(t, query, err)
			return
		}
		given, err := url.ParseQuery(query)
		if err != nil && !strings.Contains(query, ";") {
			t.Errorf("%q is read, the standard library does not: %v", query, err)
		}
		for name, values := range given {
			if len(values) != 1 && name != "" {
				t.Errorf("%q is read although it has %s %d times", query, name, len(values))
			}
		}
		switch {
		case in.Limit < 1 || in.Limit > list.Max,
			in.StartingAfter != "" && !id.Valid(id.Payment, in.StartingAfter),
			in.Status != "" && !slices.Contains(in.Status.Values(), string(in.Status)),
			in.State != "" && !slices.Contains(in.State.Values(), string(in.State)),
			utf8.RuneCountInString(in.City) >
				100, strings.ContainsFunc(in.City+
				in.LeaseID, unicode.IsControl), !utf8.ValidString(in.City +
				in.LeaseID):
			t.Errorf("%q is read as %+v", query, in)
		}
	})
}

// refusal checks the words and the order of what is said of a query.
func refusal(t *testing.T, query string, err error) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || len(f.Details) == 0 || len(f.Details) > 150 ||
		f.Message != f.Details[0].Message || f.Param != f.Details[0].Param || f.Code != f.Details[0].Code {
		t.Fatalf("%q is refused with %+v", query, err)
	}
	last := 0
	for _, d := range f.Details {
		if !utf8.ValidString(d.Message+d.Param) || strings.ContainsFunc(d.Message, unicode.IsControl) ||
			len(d.Message) > 1000 || utf8.RuneCountInString(d.Param) > 61 ||
			!strings.HasSuffix(d.Message, ".") && !strings.HasSuffix(d.Message, "?") {
			t.Errorf("%q is refused with %+v", query, d)
		}
		place := slices.IndexFunc(decodes.Parameters(), func(p operation.Parameter) bool { return p.Name == d.Param })
		if d.Code == fault.UnknownParameter {
			place = len(decodes.Parameters())
		}
		if place < last {
			t.Errorf("%q: %s comes too late", query, d.Param)
		}
		last = place
	}
}
