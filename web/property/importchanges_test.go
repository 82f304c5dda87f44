package property_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"portal/api/access"
	"portal/web/pagetest"
)

// The file of an earlier import, and one of later, in which two rents and two units are others and a tenant is gone.
const (
	rollHead  = "address,city,state,unit,beds,tenant,start,end,rent\n"
	firstRoll = rollHead + "7 Oak St,Austin,TX,1,2,Amara Okafor,2026-01-01,,900\n7 Oak St,Austin,TX,2,1,Wren Grant,2026-01-01,,800\n" +
		"7 Oak St,Austin,TX,3,1,Per Lind,2026-01-01,,700\n"
	laterRoll = rollHead + "7 Oak St,Austin,TX,1,3,Amara Okafor,2026-01-01,,925\n7 Oak St,Austin,TX,2,2,Wren Grant,2026-01-01,,825\n" +
		"7 Oak St,Austin,TX,3,1,VACANT,,,\n"
)

func TestChangesOfAnImportAreTicked(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	imports := func(at string) {
		t.Helper()
		r.Leads(r.Post(at, at, url.Values{"seen": {r.Seen(at)}}), at)
		m.Imports()
		r.Says(r.Get(at), http.StatusOK, "The rent roll was imported")
	}
	imports(r.Uploaded("/live/import", "roll.csv", firstRoll))

	same := r.Uploaded("/live/import", "roll.csv", firstRoll)
	page := r.Get(same)
	r.Says(page, http.StatusOK, "Everything in this file is in the portfolio already. There is nothing to import.")
	if strings.Contains(page.Body.String(), "Import rent roll</button>") {
		t.Error("a file that brings nothing can be imported")
	}

	at := r.Uploaded("/live/import", "roll.csv", laterRoll)
	page = r.Get(at)
	for _, words := range []string{
		"This file brings nothing new. Choose what it should change.",
		"Bedrooms: 2 → 3", "Monthly rent: $900.00 → $925.00", "Leases that aren’t in the file", "Change all 2 leases",
	} {
		r.Says(page, http.StatusOK, words)
	}
	ticks := func() url.Values { return url.Values{"shown": r.Shown(at)["shown"]} }
	all := ticks()
	if len(strings.Fields(all.Get("shown"))) != 7 {
		t.Fatalf("boxes: %v", all)
	}
	all["tick"] = []string{"changes:unit", "changes:lease"}
	r.Leads(r.Post(at+"/changes", at, all), at)
	page = r.Get(at)
	r.Says(page, http.StatusOK, "Nothing is imported yet. Review the records below.")
	r.Says(page, http.StatusOK, "Records that change4")

	none := ticks()
	r.Leads(r.Post(at+"/changes", at, none), at)
	r.Says(r.Get(at), http.StatusOK, "This file brings nothing new.")

	some := ticks()
	for question := range strings.FieldsSeq(some.Get("shown")) {
		if strings.HasPrefix(question, "change:unit:") || strings.HasPrefix(question, "change:end:") {
			some.Add("tick", question)
		}
	}
	some.Add("tick", "change:lease:lea_00000000000000000000000000:1") // of nothing that was shown
	r.Leads(r.Post(at+"/changes", at, some), at)
	r.Says(r.Get(at), http.StatusOK, "Records that change3")
	r.Post(at+"/answers", at, url.Values{"take": {"all"}}) // no answer of this kind
	r.Says(r.Get(at), http.StatusOK, "Records that change3")
	imports(at)
	r.Says(r.Get("/live/leases?status=terminated"), http.StatusOK, "Per Lind")
	r.Says(r.Get("/live/leases?status=active"), http.StatusOK, "$900.00")
	r.Leads(r.Post(at+"/changes", "/live/import", url.Values{}), at)
}

func TestColumnsOfAnEarlierFileAreSaidToBeRemembered(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	const head = "Where,City,State,No\n"
	at := r.Uploaded("/live/import", "roll.csv", head+"7 Oak St,Austin,TX,1\n")
	r.Leads(r.Post(at+"/columns", at, url.Values{
		"column0": {"street_address"}, "column1": {"city"}, "column2": {"state"}, "column3": {"unit_number"},
	}), at)
	r.Leads(r.Post(at, at, url.Values{"seen": {r.Seen(at)}}), at)
	m.Imports()
	r.Says(r.Get(r.Uploaded("/live/import", "roll.csv", head+"7 Oak St,Austin,TX,2\n")), http.StatusOK,
		"The columns are read as those of your last file with the same header were.")
}

func TestManyChangesAreTickedByPages(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	roll := func(rent int) string {
		text := rollHead
		for i := range 70 {
			text += fmt.Sprintf("7 Oak St,Austin,TX,%d,2,Amara Okafor %d,2026-01-01,,%d\n", i, i, rent)
		}
		return text
	}
	at := r.Uploaded("/test/import", "roll.csv", roll(900))
	r.Leads(r.Post(at, at, url.Values{"seen": {r.Seen(at)}}), at)
	m.Imports()
	at = r.Uploaded("/test/import", "roll.csv", roll(950))
	page := r.Get(at)
	r.Says(page, http.StatusOK, "46 more changes like these are not shown here.")
	r.Says(page, http.StatusOK, "See all changes")
	page = r.Get(at + "/changes")
	r.Says(page, http.StatusOK, "1–30 of 70 changes")
	r.Says(r.Get(at+"/changes?after=60"), http.StatusOK, "61–70 of 70 changes")
	shown := strings.Fields(r.Shown(at + "/changes?after=30").Get("shown"))
	if len(shown) != 31 || shown[0] != "changes:lease" {
		t.Fatalf("%d boxes: %v", len(shown), shown)
	}
	ticked := url.Values{"shown": {strings.Join(shown, " ")}, "after": {"30"}, "tick": shown[1:3]}
	r.Leads(r.Post(at+"/changes", at+"/changes", ticked), at+"/changes?after=30")
	r.Says(r.Get(at), http.StatusOK, "Records that change2")
	first := url.Values{"shown": r.Shown(at + "/changes")["shown"], "after": {""}} // of another page: the ticks stay
	r.Leads(r.Post(at+"/changes", at+"/changes", first), at+"/changes")
	r.Says(r.Get(at), http.StatusOK, "Records that change2")
	other := r.Uploaded("/test/import", "roll.csv", "address,city,state\n9 Elm St,Austin,TX\n")
	r.Leads(r.Get(other+"/changes"), other) // has none
}
