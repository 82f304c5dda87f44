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

func TestOneIsLedBackToPagesOfThisSiteAlone(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{
		"/keys": "/keys", "/keys?after=x&b": "/keys?after=x&b", "/": "/", "/a#b": "/a#b",
		"": "/overview", "keys": "/overview", "//evil.test": "/overview", "/\\evil.test": "/overview", "/\t/evil.test": "/overview", "\\\\evil.test": "/overview",
		"https://evil.test/": "/overview", "javascript:alert(1)": "/overview", "/%zz": "/overview", "/a\r\nSet-Cookie: x": "/overview", "///evil.test": "/overview",
	} {
		if got := Next(to, "/overview"); got != want {
			t.Errorf("%q leads to %q, want %q", to, got, want)
		}
	}
}

func TestAListIsTurnedForthAndBackWithItsFilters(t *testing.T) {
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
		{"/k?after=b&mode=test", "c", kit.Pages{First: "/k?mode=test", Previous: "/k?mode=test", Next: "/k?after=c&mode=test&trail=b"}},
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

func TestAFieldIsReadAsPeopleWriteIt(t *testing.T) {
	t.Parallel()
	f := Blank(url.Values{"name": {"  CI "}, "none": {" "}, "n": {"1,204"}, "rent": {"$1,450.50"}, "day": {"2026-12-31"}, "box": {"on"}, "many": {"a", "b"}, "password": {" p "}})
	if f.Text("name") != "CI" || f.Optional("none") != nil || *f.Optional("name") != "CI" || *f.Whole("n") != 1204 || *f.Amount("rent") != money.Cents(145050) ||
		*f.Day("day") != clock.Day(2026, 12, 31) || !f.Checked("box") || f.Checked("none2") || len(f.All("many")) != 2 || f.Raw("password") != " p " || f.Whole("none") != nil || f.Rejected() {
		t.Errorf("read as %+v", f)
	}
	for _, bad := range []func(*Form){func(f *Form) { f.Whole("x") }, func(f *Form) { f.Amount("x") }, func(f *Form) { f.Day("x") }} {
		f := Blank(url.Values{"x": {"soon"}})
		bad(f)
		if !f.Rejected() || f.Status != http.StatusBadRequest || f.FieldErrors["x"] == "" {
			t.Errorf("taken as %+v", f)
		}
	}
}

func TestWhatARuleRefusesStandsBesideItsField(t *testing.T) {
	t.Parallel()
	groups := func() kit.Form {
		return kit.Form{Groups: []kit.FieldGroup{{Fields: []kit.Field{
			{Name: "name"}, {Name: "password", Kind: "password"}, {Name: "ok", Kind: "checkbox", Checked: true},
			{Name: "mode", Kind: "radios", Choices: []kit.Choice{{Value: "test", Chosen: true}, {Value: "live"}}}, {Name: "zone", Value: "UTC"},
		}}}}
	}
	f := Blank(url.Values{"name": {"CI"}, "password": {"hunter2hunter2"}, "mode": {"live"}})
	err := fault.Invalid([]fault.Detail{{Param: "name", Code: fault.InvalidField, Message: "is taken."}, {Param: "unit.x", Code: fault.InvalidField, Message: "Elsewhere."}})
	if !f.Refused(err) || f.Status != http.StatusBadRequest {
		t.Fatalf("%+v", f)
	}
	got := f.Fill(groups())
	fields := got.Groups[0].Fields
	if fields[0].Fault != "This is taken." || fields[0].Value != "CI" || fields[1].Value != "" || fields[2].Checked || fields[3].Choices[0].Chosen || !fields[3].Choices[1].Chosen || fields[4].Value != "UTC" || got.Trouble != "Elsewhere." {
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

func TestAMomentIsToldAsItsReaderWantsIt(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 12, 17, 0, 0, 0, time.UTC)
	zone, err := time.LoadLocation("America/Chicago")
	if err != nil {
		t.Fatal(err)
	}
	for past, want := range map[time.Duration]string{
		0: "just now", 44 * time.Second: "just now", 46 * time.Second: "1 minute ago", 89 * time.Minute: "89 minutes ago", 90 * time.Minute: "2 hours ago",
		26 * time.Hour: "26 hours ago", 36 * time.Hour: "2 days ago", 29 * 24 * time.Hour: "29 days ago", 30 * 24 * time.Hour: "Oct 13, 2026",
		-30 * time.Second: "in a moment", -10 * time.Minute: "in 10 minutes", -24 * time.Hour: "in 24 hours", -40 * 24 * time.Hour: "Dec 22, 2026",
	} {
		if got := Moment(now.Add(-past), now, zone); got.Ago != want {
			t.Errorf("%s past: %q, want %q", past, got.Ago, want)
		}
	}
	if got := Moment(now, now, zone); got.ISO != "2026-11-12T17:00:00Z" || got.Text != "Nov 12, 2026, 11:00:00 AM CST" {
		t.Errorf("%+v", got)
	}
}
