package page

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/views/kit"
)

func TestNextAllowsOnlySameSitePaths(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{
		"/keys":               "/keys",
		"/keys?after=x&b":     "/keys?after=x&b",
		"/":                   "/",
		"/a#b":                "/a#b",
		"":                    "/overview",
		"keys":                "/overview",
		"//evil.test":         "/overview",
		"/\\evil.test":        "/overview",
		"/\t/evil.test":       "/overview",
		"\\\\evil.test":       "/overview",
		"https://evil.test/":  "/overview",
		"javascript:alert(1)": "/overview",
		"/%zz":                "/overview",
		"/a\r\nSet-Cookie: x": "/overview",
		"///evil.test":        "/overview",
	} {
		if got := Next(to, "/overview"); got != want {
			t.Errorf("%q leads to %q, want %q", to, got, want)
		}
	}
}

func TestDayFilterEndsAtMidnightWithinCalendar(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{
		"2026-11-02": "2026-11-03T00:00:00.000Z",
		"9999-12-30": "9999-12-31T00:00:00.000Z",
		"9999-12-31": "9999-12-31T00:00:00.000Z",
	} {
		f := &Form{Values: url.Values{"from": {"2026-11-01"}, "to": {to}}}
		if from, end := f.Days(time.UTC); from.String() != "2026-11-01T00:00:00.000Z" || end.String() != want {
			t.Errorf("to %s: from %s to %s", to, from, end)
		}
	}
	f := &Form{Values: url.Values{"from": {"yesterday"}, "to": {"10000-01-01"}}}
	if from, end := f.Days(time.UTC); from != nil || end != nil {
		t.Errorf("what is no day is %v to %v", from, end)
	}
}

func TestListPagingKeepsFilters(t *testing.T) {
	t.Parallel()
	at := func(address string) Cursor {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		return CursorAt(u)
	}
	for _, c := range []struct {
		address, next string
		want          kit.Pages
	}{
		{"/k", "", kit.Pages{}},
		{"/k?mode=test", "b", kit.Pages{Next: "/k?after=b&mode=test"}},
		{
			"/k?after=b&mode=test",
			"c",
			kit.Pages{First: "/k?mode=test", Previous: "/k?mode=test", Next: "/k?after=c&mode=test&trail=b"},
		},
		{"/k?after=c&trail=b", "d", kit.Pages{First: "/k", Previous: "/k?after=b", Next: "/k?after=d&trail=b%2Cc"}},
		{"/k?after=d&trail=b%2Cc", "", kit.Pages{First: "/k", Previous: "/k?after=c&trail=b"}},
		{"/k?after=" + strings.Repeat("x", 101), "", kit.Pages{}},
	} {
		if got := at(c.address).Pages(c.next); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.address, got, c.want)
		}
	}
	address := "/k"
	for range 3 * MaxPreviousPages {
		address = at(address).Pages(strings.Repeat("c", 26)).Next
	}
	if len(address) > 700 {
		t.Errorf("the address grows to %d characters", len(address))
	}
}

func TestFormFieldsAreNormalized(t *testing.T) {
	t.Parallel()
	f := Blank(url.Values{
		"name":     {"  CI "},
		"none":     {" "},
		"day":      {"2026-12-31"},
		"box":      {"on"},
		"many":     {"a", "b"},
		"password": {" p "},
	})
	if f.Text("name") != "CI" || f.Optional("none") != nil || *f.Optional("name") != "CI" ||
		*f.Day("day") !=
			clock.Day(2026, 12, 31) || !f.Checked("box") || f.Checked("none2") || len(f.All("many")) !=
		2 || f.Raw("password") !=
		" p " || f.Rejected() {
		t.Errorf("read as %+v", f)
	}
	f = Blank(url.Values{"x": {"soon"}})
	if f.Day("x"); !f.Rejected() || f.Status != http.StatusBadRequest || f.FieldErrors["x"] == "" {
		t.Errorf("taken as %+v", f)
	}
}

func TestRuleErrorsAppearBesideFields(t *testing.T) {
	t.Parallel()
	groups := func() kit.Form {
		return kit.Form{Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{Name: "name"},
			{Name: "password", Kind: "password"},
			{Name: "ok", Kind: "checkbox", Checked: true},
			{
				Name:    "mode",
				Kind:    "radios",
				Choices: []kit.Choice{{Value: "test", Chosen: true}, {Value: "live"}},
			},
			{Name: "zone", Value: "UTC"},
		}}}}
	}
	f := Blank(url.Values{"name": {"CI"}, "password": {"hunter2hunter2"}, "mode": {"live"}})
	err := fault.Invalid([]fault.Detail{
		{Param: "name", Code: fault.InvalidField, Message: "is taken."},
		{Param: "unit.x", Code: fault.InvalidField, Message: "Elsewhere."},
	})
	if !f.Refused(err) || f.Status != http.StatusBadRequest {
		t.Fatalf("%+v", f)
	}
	got := f.Fill(groups())
	fields := got.Groups[0].Fields
	if fields[0].Error != "This is taken." || fields[0].Value != "CI" || fields[1].Value != "" ||
		fields[2].Checked || fields[3].Choices[0].Chosen || !fields[3].Choices[1].Chosen ||
		fields[4].Value != "UTC" || got.Trouble != "Elsewhere." {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		err     error
		mends   bool
		trouble string
		status  int
	}{
		{nil, false, "", http.StatusOK},
		{errors.New("away"), false, "", http.StatusOK},
		{fault.Of(fault.NoRecord), false, "", http.StatusOK},
		{fault.Of(fault.NoRecord).At("name"), true, "", http.StatusNotFound},
		{fault.New(fault.InvalidTransition, "Not so."), true, "Not so.", http.StatusConflict},
		{fault.New(fault.RateLimited, "Wait."), true, "Wait.", http.StatusTooManyRequests},
		{fault.New(fault.InvalidField, "Bad.").At("name"), true, "", http.StatusBadRequest},
	} {
		f := Blank(nil)
		if got := f.Refused(c.err); got != c.mends || f.Fill(groups()).Trouble != c.trouble || f.Status != c.status {
			t.Errorf("%v: mends %v, %+v", c.err, got, f)
		}
	}
}

func TestMomentFormats(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 12, 17, 0, 0, 0, time.UTC)
	zone, err := time.LoadLocation("America/Chicago")
	if err != nil {
		t.Fatal(err)
	}
	for past, want := range map[time.Duration]string{
		0:                    "just now",
		44 * time.Second:     "just now",
		46 * time.Second:     "1 minute ago",
		89 * time.Minute:     "89 minutes ago",
		90 * time.Minute:     "2 hours ago",
		26 * time.Hour:       "26 hours ago",
		36 * time.Hour:       "2 days ago",
		29 * 24 * time.Hour:  "29 days ago",
		30 * 24 * time.Hour:  "Oct 13, 2026",
		-30 * time.Second:    "in a moment",
		-10 * time.Minute:    "in 10 minutes",
		-24 * time.Hour:      "in 24 hours",
		-40 * 24 * time.Hour: "Dec 22, 2026",
	} {
		if got := Moment(now.Add(-past), now, zone); got.Ago != want {
			t.Errorf("%s past: %q, want %q", past, got.Ago, want)
		}
	}
	if got := Moment(now.AddDate(-1, 0, 0), now, zone); got.Clock != "Nov 12, 2025, 11:00:00 AM" {
		t.Errorf("a year ago: %+v", got)
	}
	if got := Moment(now, now, zone); got.Clock != "Nov 12, 11:00:00 AM" || got.Short != "Nov 12, 11:00 AM" {
		t.Errorf("now: %+v", got)
	}
	if got := Moment(now, now, zone); got.ISO != "2026-11-12T17:00:00Z" || got.Text != "Nov 12, 2026, 11:00:00 AM CST" {
		t.Errorf("%+v", got)
	}
}

func TestFormBindsHumanFormattedInput(t *testing.T) {
	t.Parallel()
	type typed struct {
		Rent   money.Cents `json:"rent" doc:"Rent."`
		Pages  *int        `json:"pages" min:"1" max:"5000" doc:"Pages."`
		Day    *clock.Date `json:"day" doc:"Day."`
		Ends   *clock.Time `json:"ends" doc:"End."`
		Agreed bool        `json:"agreed" doc:"Agreed."`
		Note   *string     `json:"note" format:"text" minlen:"5" maxlen:"1500" doc:"Note."`
	}
	contract := InputOf[typed]("add")
	bind := func(values url.Values) (typed, *Form) {
		f := Blank(values)
		return contract.BindOn(
			clock.Day(2026, 11, 24),
			time.UTC,
			f,
			"rent",
			"pages",
			"day",
			"ends",
			"agreed",
			"note",
		), f
	}
	in, f := bind(url.Values{
		"rent":   {" $1 450.50 "},
		"pages":  {"1,204"},
		"day":    {"12/31/2026"},
		"ends":   {"2026-12-31"},
		"agreed": {"on"},
		"note":   {" Hello\r\nyou "},
	})
	if f.Rejected() || in.Rent != 145050 || *in.Pages != 1204 || *in.Day != clock.Day(2026, 12, 31) ||
		in.Ends.String() != "2027-01-01T00:00:00.000Z" || !in.Agreed || *in.Note != "Hello\nyou" {
		t.Errorf("%+v, %+v", in, f)
	}
	if in, f := bind(url.Values{
		"rent":  {"0"},
		"pages": {" "},
		"ends":  {"2026-12-31T08:30"},
	}); f.Rejected() || in.Pages != nil || in.Day != nil || in.Ends.String() != "2026-12-31T08:30:00.000Z" ||
		in.Agreed || in.Note != nil {
		t.Errorf("%+v, %+v", in, f)
	}
	for name, wrong := range map[string]string{
		"rent":  "lots",
		"pages": "1.5",
		"day":   "13/1/2026",
		"ends":  "soon",
		"note":  "a\x1bbcdef",
	} {
		values := url.Values{"rent": {"0"}}
		values.Set(name, wrong)
		if _, f := bind(values); f.Status != http.StatusBadRequest || len(f.FieldErrors) != 1 ||
			f.FieldErrors[name] == "" {
			t.Errorf("%s %q: %+v", name, wrong, f.FieldErrors)
		}
	}
	if _, f := bind(nil); f.FieldErrors["rent"] != "This is required." {
		t.Errorf("%+v", f.FieldErrors)
	}
	form := contract.Form(kit.Form{
		Groups: []kit.FieldGroup{{
			Fields: []kit.Field{
				{Name: "note", Lines: 3, Hint: "In your words."},
				{Name: "rent", Optional: true},
				{Name: "other", Optional: true},
			},
		}},
	})
	note, rent, other := form.Groups[0].Fields[0], form.Groups[0].Fields[1], form.Groups[0].Fields[2]
	if note.Hint != "In your words. Between 5 and 1,500 characters." || !note.Optional ||
		note.Longest != 1500 || rent.Optional || !other.Optional {
		t.Errorf("%+v", form)
	}
}
