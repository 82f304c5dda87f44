package property_test

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/portfolio/rentroll"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
	"portal/web/property"
	"portal/web/webtest"
)

// confirms imports what the page of an upload shows.
func confirms(r *pagetest.Reader, at string) *httptest.ResponseRecorder {
	r.Helper()
	return r.Post(at, at, url.Values{"seen": {seen(r, at)}})
}

// seen is what the page of an upload says was seen of the file, "" where it is not to be imported.
func seen(r *pagetest.Reader, at string) string {
	r.Helper()
	if strings.Contains(r.Get(at).Body.String(), `name="seen"`) {
		return r.Seen(at)
	}
	return ""
}

func TestRentRollIsReviewedAndImportedOnce(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r, s := m.Member(access.Manager), m.Stranger()
	sample := r.Get("/live/import/sample.csv")
	if sample.Code != http.StatusOK || !strings.Contains(sample.Header().Get("Content-Disposition"), "attachment") {
		t.Errorf("%d, %v", sample.Code, sample.Header())
	}
	at := r.Uploaded(
		"/live/import",
		"sample.csv",
		strings.NewReplacer("2201 Sycamore Court", "1420 Maple Avenue", ",2B,", ",2C,").Replace(sample.Body.String()),
	)
	r.Says(r.Get(at), http.StatusOK, "Nothing is imported yet. Review the records below.")
	r.Says(r.Get(at), http.StatusOK, "Your plan allows 25 live units. You have 1, and this file adds 3.")
	r.Says(r.Get(at), http.StatusOK, "New properties1")
	r.Says(
		r.Get(at),
		http.StatusOK,
		"1420 Maple Avenue, Unit 2A, Austin, TX 78701 in a property you have 2 Dana Whitfield Mar 1, 2026 – Feb "+
			"28, 2027 $1,125",
	)
	for _, path := range []string{at, "/test" + strings.TrimPrefix(at, "/live")} {
		who := s
		if path != at {
			who = r
		}
		who.Says(who.Get(path), http.StatusNotFound, "Page not found")
		who.Says(who.Post(path, "/live/import", nil), http.StatusNotFound, "Page not found")
		who.Says(who.Post(path+"/check", "/live/import", nil), http.StatusNotFound, "Page not found")
		who.Says(who.Post(path+"/discard", "/live/import", nil), http.StatusNotFound, "Page not found")
	}
	r.Leads(confirms(r, at), at)
	r.Leads(r.Post(at, "/live/import", nil), at)
	if len(m.Later.Orders) != 1 {
		t.Errorf("%d orders", len(m.Later.Orders))
	}
	running := r.Get(at)
	r.Says(running, http.StatusOK, "Records written 0 of 8")
	if !strings.Contains(running.Body.String(), `<noscript><meta http-equiv="refresh" content="2"></noscript>`) {
		t.Error("the page does not follow the import without a script")
	}
	store := portfoliostore.New(m.DB)
	row, err := store.Upload(t.Context(), m.Home.Live, m.Later.Orders[0].ID)
	pagetest.Must(t, err)
	row.Written = 5
	pagetest.Must(t, store.SaveProgress(t.Context(), m.Home.Live, &row))
	r.Says(r.Get(at), http.StatusOK, "Records written 5 of 8")
	m.Imports()
	r.Says(r.Get(at), http.StatusOK, "The rent roll was imported just now")
	r.Says(r.Get(at), http.StatusOK, "Units3")
	r.Says(r.Get("/live/import"), http.StatusOK, "sample.csv Imported 3")
	r.Says(r.Get("/test/import"), http.StatusOK, "Import a rent roll")
	r.Leads(r.Post(at+"/discard", "/live/import", nil), at)
	r.Says(r.Get(at), http.StatusOK, "is being imported or was already imported")
}

func TestRentRollProblemsAreListedAndFileIsKept(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	r.Says(r.Uploads("/live/import", "", ""), http.StatusBadRequest, "Rent roll: Choose a file.")
	// No browser sends it like this.
	r.Says(r.Post("/live/import", "/live/import", nil), http.StatusBadRequest, "Rent roll: Choose a file.")
	r.Says(
		r.Uploads("/live/import", "big.csv", strings.Repeat("x", 9<<20)),
		http.StatusRequestEntityTooLarge,
		"A file can be up to 8 MB.",
	)
	for content, words := range map[string]string{
		"":                                  "The file is empty.",
		"PK\x03\x04":                        "This workbook is damaged.",
		"%PDF-1.7":                          "This is a PDF",
		"street_address,city,state\n":       "No unit follows the line of column names.",
		"street_address,city,state\na,b,XX": "Line 2 state",
		"\xff\xfex\x00":                     "The first line names no column of a rent roll.",
	} {
		page := r.Get(r.Uploaded("/live/import", "roll.csv", content))
		r.Says(page, http.StatusOK, words)
		r.Says(page, http.StatusOK, "problem keeps the file from being imported")
	}
	var b strings.Builder
	b.WriteString("street_address,city,state,bedrooms\n")
	for i := range 150 {
		fmt.Fprintf(&b, "%d Oak Street,Austin,TX,many %d\n", i, i)
	}
	at := r.Uploaded("/live/import", "roll.csv", b.String())
	first := r.Get(at)
	r.Says(first, http.StatusOK, "150 problems keep the file from being imported")
	r.Says(first, http.StatusOK, "Line 31 bedrooms")
	next := r.Get(pagetest.Link(t, first, "Next"))
	r.Says(next, http.StatusOK, "Line 32 bedrooms")
	for range 3 {
		next = r.Get(pagetest.Link(t, next, "Next"))
	}
	r.Says(next, http.StatusOK, "Line 151 bedrooms")
	if first.Body.Len() > 60<<10 {
		t.Errorf("%d bytes", first.Body.Len())
	}
	r.Leads(confirms(r, at), at)
	r.Says(r.Get(at), http.StatusOK, "The file has problems.")
	r.Leads(r.Post(at+"/check", at, nil), at)
	r.Says(r.Get(at), http.StatusOK, "150 problems keep")
	r.Leads(r.Post(at+"/discard", at, nil), "/live/import")
	r.Says(r.Get("/live/import"), http.StatusOK, "File discarded.")
	if len(m.Later.Orders) != 0 {
		t.Error("something was ordered")
	}
}

func TestRentRollOverPlanLimitShowsNumbers(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	var b strings.Builder
	b.WriteString("street_address,city,state\n")
	for i := range 30 {
		fmt.Fprintf(&b, "%d Oak Street,Austin,TX\n", i)
	}
	at := r.Uploaded("/live/import", "roll.csv", b.String())
	r.Says(
		r.Get(at),
		http.StatusOK,
		"Your plan allows 25 live units. You have 1, and this file adds 30. Once your plan allows that many units, "+
			"you can import this file without uploading it again. We delete it after ",
	)
	r.Leads(confirms(r, at), at)
	r.Says(r.Get(at), http.StatusOK, "the plan's limit is 25")
	test := r.Uploaded("/test/import", "roll.csv", b.String())
	r.Says(r.Get(test), http.StatusOK, "Review the records below.")
}

func TestImportOverPlanLimitGoesOnWhenStaffGrantTheUnits(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	roll := func(units int) string {
		var b strings.Builder
		b.WriteString("street_address,city,state\n")
		for i := range units {
			fmt.Fprintf(&b, "%d Oak Street,Austin,TX\n", i)
		}
		return b.String()
	}
	r, stranger := m.Member(access.Manager), m.Stranger()
	starter := developer.Plan{Tier: developer.Starter}
	pagetest.Must(t, m.Dev.SetPlanOf(t.Context(), m.Home.AccountID, starter))
	at := r.Uploaded("/live/import", "roll.csv", roll(30))
	small := r.Uploaded("/live/import", "small.csv", roll(2))
	larger := r.Uploaded("/live/import", "larger.csv", roll(40))
	test := r.Uploaded("/test/import", "test.csv", roll(30))
	asked := func(what string) []developer.UnitRequest {
		t.Helper()
		all, err := m.Dev.UnitRequestsOf(t.Context(), developer.Member{AccountID: m.Home.AccountID})
		if pagetest.Must(t, err); len(all) > 1 {
			t.Errorf("%s: there are %d requests", what, len(all))
		}
		return all
	}

	stranger.Says(stranger.Post(at+"/units", "/live/import", nil), http.StatusNotFound, "not found")
	unsigned := url.Values{"token": {"x"}}
	if code := r.Send(http.MethodPost, at+"/units", unsigned, nil).Code; code != http.StatusForbidden {
		t.Errorf("a form without its token: %d", code)
	}
	for _, fits := range []string{small, test} {
		r.Leads(r.Post(fits+"/units", fits, nil), fits)
		r.Says(r.Get(fits), http.StatusOK, "This file needs no more units than the plan allows.")
	}
	if len(asked("files that fit")) != 0 {
		t.Error("units were asked for without need")
	}

	r.Says(r.Get(at), http.StatusOK, "Ask for more unitsThis asks for 31 units")
	r.Leads(r.Post(at+"/units", at, nil), at)
	r.Says(r.Get(at), http.StatusOK, "Request sent. We answer by email.")
	page := r.Get(at)
	r.Says(page, http.StatusOK, "You asked for 31 units on ")
	if strings.Contains(page.Body.String(), at+"/units") {
		t.Error("the page lets ask for what was asked for already")
	}
	r.Leads(r.Post(at+"/units", at, nil), at)
	r.Says(r.Get(larger), http.StatusOK, "This asks for 41 units")
	r.Leads(r.Post(larger+"/units", larger, nil), larger)
	if all := asked("a larger file"); all[0].Units != 41 {
		t.Errorf("%+v", all)
	}
	r.Says(r.Get(at), http.StatusOK, "You asked for 41 units on ")

	granted := developer.Plan{Tier: developer.Starter, Units: new(41)}
	pagetest.Must(t, m.Dev.SetPlanOf(t.Context(), m.Home.AccountID, granted))
	m.People[r.Cookies["session"].Value].Account.Plan = granted
	if mails := m.Mails(); len(mails) != 1 || mails[0].Subject != "You can now have 41 units" {
		t.Errorf("the emails are %+v", mails)
	}
	r.Says(
		r.Get(larger),
		http.StatusOK,
		"Review the records below. Your plan allows 41 live units. You have 1, and this file adds 40.",
	)
	r.Leads(confirms(r, larger), larger)
	m.Imports()
	r.Says(r.Get(larger), http.StatusOK, "The rent roll was imported")
	r.Says(r.Get(at), http.StatusOK, "Your plan allows 41 live units. You have 41, and this file adds 30.")
}

func TestRentRollContentNeverRunsAsScript(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	quoted := func(s string) string {
		return `"` + strings.ReplaceAll(strings.ReplaceAll(s, `"`, `""`), "\n", " ") + `"`
	}
	for _, payload := range webtest.Payloads {
		for _, content := range []string{
			"street_address,city,state,unit_number,tenant_first_name,tenant_last_name,lease_start,monthly_rent\n" +
				quoted(payload) + ",Austin,TX,1," + quoted(payload) + "," + quoted(payload) + ",2026-01-01,1200\n",
			"street_address,city,state," + quoted(payload) + "\n" + quoted(payload) + "," + quoted(payload) +
				"," + quoted(payload) + "," + quoted(payload) + "\n",
		} {
			at := r.Uploaded(
				"/live/import",
				"x"+strings.NewReplacer("\n", " ", "\r", " ", "\x00", "", "/", "|", "\\", "|").Replace(payload),
				content,
			)
			for _, path := range []string{at, "/live/import"} {
				body := r.Get(path).Body.String()
				if strings.Contains(body, payload) && strings.ContainsAny(payload, "<\"") {
					t.Errorf("%s shows %q as it is", path, payload)
				}
			}
		}
	}
}

func TestExplainedColumnsMatchRentRoll(t *testing.T) {
	t.Parallel()
	var explained []string
	for _, c := range property.RollColumns() {
		explained = append(explained, c.Name)
	}
	if !slices.Equal(explained, rentroll.Columns()) {
		t.Errorf("explained are %v", explained)
	}
}

func TestImportPagesAreAccessible(t *testing.T) {
	t.Parallel()
	b, m := pagetest.Browser(t), pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	ready := r.Uploaded(
		"/test/import",
		"a-rent-roll-with-a-rather-long-name-of-october-2026.csv",
		r.Get("/test/import/sample.csv").Body.String(),
	)
	rejected := r.Uploaded(
		"/test/import",
		"roll.csv",
		"street_address,city,state,bedrooms,nonsense\n1 Oak Street,Austin,Texas-on-the-Rio-Grande,many,x\n,,,\n",
	)
	running := r.Uploaded("/test/import", "roll.csv", "street_address,city,state\n7 Elm Street,Austin,TX\n")
	done := r.Uploaded("/test/import", "roll.csv", "street_address,city,state\n9 Elm Street,Austin,TX\n")
	r.Leads(confirms(r, done), done)
	m.Imports()
	r.Leads(confirms(r, running), running)
	over := func(units int) string {
		var roll strings.Builder
		roll.WriteString("street_address,city,state\n")
		for i := range units {
			fmt.Fprintf(&roll, "%d Oak Street,Austin,TX\n", i)
		}
		return r.Uploaded("/live/import", "roll.csv", roll.String())
	}
	asked, larger := over(300), over(400)
	r.Leads(r.Post(asked+"/units", asked, nil), asked)
	r.Get(asked) // shows what was done
	guesses := r.Uploaded(
		"/test/import", "roll.csv",
		"address,city,state,unit,tenant,start,rent\n7 Oak St,Austin,TX,1,Amara Okafor Lind,2026-03-01,900\n",
	)
	r.Leads(r.Post(guesses+"/columns", guesses, url.Values{"column0": {"street_address"}, "column1": {"city"},
		"column2": {"state"}, "column3": {"unit_number"}, "column4": {"tenant_name"}, "column5": {"lease_start"},
		"column6": {"monthly_rent"}}), guesses)
	places := r.Uploaded("/test/import", "roll.csv", "property,unit,tenant,start,rent\nHarrow House,1,,,\n")
	r.Looks(b, guesses, guesses+"/plan", places)
	r.Looks(b, "/test/import", "/live/import", ready, rejected, running, done, asked, larger)
}

// control is the name of the field of a kind for the n-th question of a page, from 0.
func control(r *pagetest.Reader, path, kind string, n int) string {
	r.Helper()
	for node := range pagetest.Parse(r.T, r.Get(path).Body.String()).Descendants() {
		if name := pagetest.Attr(node, "name"); node.Type == html.ElementNode && strings.HasPrefix(name, kind+"-") {
			if n--; n < 0 {
				return name
			}
		}
	}
	r.Fatalf("%s has too few fields %s", path, kind)
	return ""
}

const unclearRoll = "address,city,state,unit,tenant,start,end,rent\n" +
	"7 Oak St,Austin,Texaz,1,Amara Okafor,2026-03-01,soon,900\n" +
	"7 Oak St,Austin,Texaz,2,,,,\n" +
	"7 Oak St,Austin,TX,3,,,,\n7 Oak St,Austin,TX,3,,,,\n"

func TestEqualProblemsAreAnsweredOnceAndAnswersTakenBack(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Manager)
	at := r.Uploaded("/live/import", "roll.csv", unclearRoll)
	r.Says(r.Get(at), http.StatusOK, "Lines 2 and 3 state \"Texaz\" is not")
	state, end := control(r, at, "text", 0), control(r, at, "choose", 1)
	twice := control(r, at, "choose", 2)
	r.Says(r.Post(at+"/answers", at, nil), http.StatusBadRequest, "Answer at least one question.")
	both := r.Post(at+"/answers", at, url.Values{state: {"TX"}, strings.Replace(state, "text", "choose", 1): {"leave"}})
	r.Says(both, http.StatusBadRequest, "Value to use for lines 2 and 3, state: Clear this field, or choose")
	if !strings.Contains(both.Body.String(), `value="TX"`) {
		t.Error("what was typed is lost")
	}
	r.Says(
		r.Post(at+"/answers", at, url.Values{end: {"never"}}),
		http.StatusBadRequest,
		"Or choose for line 2, lease_end: Choose one of the answers.",
	)
	r.Says(r.Get(at), http.StatusOK, "4 problems keep")
	r.Leads(r.Post(at+"/answers", at, url.Values{state: {"TX"}, end: {"="}, twice: {"leave"}}), at)
	r.Says(r.Get(at), http.StatusOK, "Nothing is imported yet.")
	for _, words := range []string{
		"State “Texaz” TX Take back", "Lease end “soon” No last day: month to month Take back", "Line 5 Left out Take back",
	} {
		r.Says(r.Get(at), http.StatusOK, words)
	}
	r.Leads(r.Post(at+"/answers", at, url.Values{"take": {strings.TrimPrefix(state, "text-")}}), at)
	r.Says(r.Get(at), http.StatusOK, "2 problems keep")
	r.Leads(r.Post(at+"/answers", at, url.Values{"take": {strings.TrimPrefix(state, "text-")}}), at)
	r.Leads(r.Post(at+"/answers", at, url.Values{"take": {"all"}}), at)
	r.Says(r.Get(at), http.StatusOK, "4 problems keep")
	if strings.Contains(r.Get(at).Body.String(), "Your answers") {
		t.Error("an answer is left")
	}
	s := m.Stranger()
	s.Says(s.Post(at+"/answers", "/live/import", url.Values{"take": {"all"}}), http.StatusNotFound, "Page not found")
	s.Says(s.Get(at+"/plan"), http.StatusNotFound, "Page not found")
}

func TestAnswerThatIsNoneIsRefusedBesideItsField(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	at := r.Uploaded("/live/import", "roll.csv", "property,unit,tenant,start,rent\nHarrow House,1,,,\nKestrel,1,,,\n")
	first, second := control(r, at, "text", 0), control(r, at, "text", 1)
	page := r.Get(at)
	r.Says(page, http.StatusOK, "1420 Maple")
	refused := r.Post(
		at+"/answers",
		at,
		url.Values{first: {"Harrow <script>alert(1)</script>"}, second: {"14 Kestrel Ct, Columbus, OH"}},
	)
	r.Says(refused, http.StatusBadRequest, "is not an address, such as 220 Harrow St")
	body := refused.Body.String()
	if strings.Contains(body, "<script>alert") || !strings.Contains(body, `aria-invalid="true"`) ||
		!strings.Contains(
			body,
			`value="14 Kestrel Ct, Columbus, OH"`,
		) || !strings.Contains(body, "Harrow &lt;script&gt;") {
		t.Error("what was typed is lost, runs, or isn’t marked")
	}
	r.Says(r.Get(at), http.StatusOK, "2 problems keep")
	r.Leads(r.Post(at+"/answers", at, url.Values{
		first: {"220 Harrow St, Dayton, OH 45402"}, second: {"14 Kestrel Ct, Columbus, OH"},
	}), at)
	r.Says(r.Get(at), http.StatusOK, "Nothing is imported yet.")
	r.Says(r.Get(at), http.StatusOK, "Address of Harrow House 220 Harrow St, Dayton, OH 45402")
}

func TestTwoMembersDoNotImportOrAnswerWhatNeitherSaw(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	one, other := m.Member(access.Owner), m.Member(access.Manager)
	at := one.Uploaded(
		"/live/import", "roll.csv",
		"address,city,state,unit,tenant,start,rent\n7 Oak St,Austin,TX,1,Amara Okafor Lind,2026-03-01,900\n",
	)
	name := control(one, at, "text", 0)
	old := seen(one, at)
	one.Says(one.Get(at), http.StatusOK, "Correct it for line 2, tenant")
	other.Leads(other.Post(at+"/answers", at, url.Values{name: {"Okafor Lind, <script>alert(2)</script>"}}), at)
	page := other.Get(at)
	other.Says(page, http.StatusOK, "Tenants, first and last names “Amara Okafor Lind” Okafor Lind, <script>")
	if strings.Contains(page.Body.String(), "<script>alert(2)") {
		t.Error("an answer runs as a script")
	}
	one.Leads(one.Post(at, at, url.Values{"seen": {old}}), at)
	one.Says(one.Get(at), http.StatusOK, "Somebody has changed how this file is read. Review it again.")
	late := one.Post(at+"/answers", at, url.Values{name: {"Lind, Amara"}})
	one.Says(late, http.StatusConflict, "Somebody has changed how this file is read. Review it again.")
	if len(m.Later.Orders) != 0 {
		t.Error("something was ordered")
	}
	other.Leads(other.Post(at+"/answers", at, url.Values{"take": {"all"}}), at)
	one.Leads(one.Post(at+"/answers", at, url.Values{name: {"Okafor Lind, Amara"}}), at)
	one.Leads(confirms(one, at), at)
	if len(m.Later.Orders) != 1 {
		t.Error("nothing was ordered")
	}
	other.Leads(other.Post(at+"/answers", "/live/import", url.Values{"take": {"all"}}), at)
}

func TestThousandsOfProblemsAreAnsweredAPageAtATime(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	var b strings.Builder
	b.WriteString("street_address,city,state,unit_number,bedrooms\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "7 Oak Street,Austin,TX,%d,many %d\n", i, i)
	}
	at := r.Uploaded("/test/import", "roll.csv", b.String())
	first := r.Get(at)
	r.Says(first, http.StatusOK, "More than 1,000 problems keep")
	next := pagetest.Link(t, first, "Next")
	name := control(r, next, "text", 0)
	_, query, _ := strings.Cut(next, "?")
	refused := r.Post(
		at+"/answers?"+query,
		at,
		url.Values{name: {"2"}, strings.Replace(name, "text", "choose", 1): {"leave"}},
	)
	r.Says(refused, http.StatusBadRequest, "Line 32 bedrooms")
	if to := pagetest.Link(t, refused, "Next"); !strings.HasPrefix(to, at+"?") {
		t.Errorf("the next page is %s", to)
	}
	r.Leads(r.Post(at+"/answers?"+query, at, url.Values{name: {"2"}}), at)
	r.Says(r.Get(at), http.StatusOK, "Bedrooms “many 30” 2 Take back")
	longest := url.Values{}
	for i := range 30 {
		longest.Set(control(r, at, "text", i), strings.Repeat("ñ", rentroll.LongestAnswer))
	}
	if code := r.Post(at+"/answers", at, longest).Code; code != http.StatusSeeOther {
		t.Errorf("the longest answers of a page: %d", code)
	}
	r.Says(r.Get(at), http.StatusOK, "Your answers")
}

// slowFile is a file that is being read until it is released.
type slowFile struct {
	begin    func()
	released chan struct{}
}

func (f slowFile) Size() int { return 1 }

func (f slowFile) Reader() io.Reader {
	f.begin()
	<-f.released
	return strings.NewReader("a\n")
}

func TestPagesSayThatOtherFilesAreBeingReadAndKeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	unclear := r.Uploaded("/test/import", "roll.csv", unclearRoll)
	ready := r.Uploaded("/test/import", "roll.csv", "street_address,city,state\n7 Elm Street,Austin,TX\n")
	state, token := control(r, unclear, "text", 0), r.Token(unclear)
	by := m.People[r.Session()].Actor(access.Test)
	began := make(chan struct{})
	f := slowFile{sync.OnceFunc(func() { close(began) }), make(chan struct{})}
	var slow, others sync.WaitGroup
	slow.Go(func() {
		if _, err := m.Uploads.Draft(t.Context(), by, "user_1", "slow.csv", f); err != nil {
			t.Error(err)
		}
	})
	<-began
	var answered, plan *httptest.ResponseRecorder
	others.Go(func() { plan = r.Get(ready + "/plan") })
	others.Go(func() {
		form := url.Values{"token": {token}, "once": {"1"}, state: {"TX, later"}}
		answered = r.Send(http.MethodPost, unclear+"/answers", form, nil)
	})
	others.Wait()
	r.Says(plan, http.StatusServiceUnavailable, "Other files are being read")
	r.Says(answered, http.StatusServiceUnavailable, "Other files are being read at the moment. Nothing was changed.")
	if !strings.Contains(answered.Body.String(), `value="TX, later"`) {
		t.Error("what was typed is lost")
	}
	close(f.released)
	slow.Wait()
	r.Says(r.Get(ready+"/plan"), http.StatusOK, "7 Elm Street, Austin, TX")
}

func TestAllLinesOfRentRollAreSearchedBeforeImport(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	var b strings.Builder
	b.WriteString("address,city,state,unit,tenant,start,rent,balance\n")
	for i := range 120 {
		fmt.Fprintf(&b, "7 Oak St,Austin,TX,%d,Amara Okafor %c,2026-03-01,%d,12\n", i, 'A'+i%26, 900+i)
	}
	at := r.Uploaded("/test/import", "roll.csv", b.String())
	plan := pagetest.Link(t, r.Get(at), "See all lines")
	page := r.Get(plan)
	r.Says(page, http.StatusOK, "1–50 of 120 lines")
	r.Says(page, http.StatusOK, "Nothing is imported yet.")
	page = r.Get(pagetest.Link(t, page, "Next"))
	r.Says(page, http.StatusOK, "51–100 of 120 lines")
	r.Says(r.Get(pagetest.Link(t, page, "Next")), http.StatusOK, "101–120 of 120 lines")
	found := r.Get(plan + "?search=" + url.QueryEscape("unit 117,"))
	r.Says(
		found,
		http.StatusOK,
		"7 Oak St, Unit 117, Austin, TX 119 Amara Okafor N Mar 1, 2026 – month to month $1,017.00 $12.00",
	)
	r.Says(found, http.StatusOK, "1–1 of 1 line")
	r.Says(r.Get(plan+"?search=nobody"), http.StatusOK, "No lines match this search")
	r.Says(r.Get(plan+"?after=x&search=%00"), http.StatusOK, "1–50 of 120 lines")
	unclear := r.Uploaded("/test/import", "roll.csv", unclearRoll)
	r.Leads(r.Get(unclear+"/plan"), unclear)
	r.Leads(confirms(r, at), at)
	r.Leads(r.Get(plan), at)
}

func TestColumnsOfRentRollCanBeCorrectedAndAddressGiven(t *testing.T) {
	t.Parallel()
	m := pagetest.NewDemoPages(t)
	r := m.Member(access.Owner)
	at := r.Uploaded("/live/import", "roll.csv", "Unit,Who,Start,Rent,Shed\n1,Amara Okafor,2026-03-01,900,yes\n2,,,,\n")
	page := r.Get(at)
	r.Says(page, http.StatusOK, "keep the file from being imported")
	r.Says(page, http.StatusOK, "Amara Okafor")
	if got := strings.Count(page.Body.String(), `value="unit_number" selected`); got != 1 {
		t.Errorf("unit_number is chosen %d times", got)
	}
	said := url.Values{
		"column0": {"unit_number"}, "column1": {"tenant_name"}, "column2": {"lease_start"}, "column3": {"monthly_rent"},
		"column4": {""}, "address": {"7 Oak St, Austin, TX 78701"},
	}
	wrong := maps.Clone(said)
	wrong.Set("column4", "monthly_rent")
	r.Says(
		r.Post(at+"/columns", at, wrong),
		http.StatusBadRequest,
		"Column 4 is monthly rent already. Each column holds something else.",
	)
	wrong = maps.Clone(said)
	wrong.Set("address", "Oak St")
	r.Says(
		r.Post(at+"/columns", at, wrong),
		http.StatusBadRequest,
		"\"Oak St\" is not an address, such as 220 Harrow St, Dayton, OH 45402.",
	)
	r.Leads(r.Post(at+"/columns", at, said), at)
	page = r.Get(at)
	r.Says(page, http.StatusOK, "7 Oak St, Unit 1, Austin, TX 78701")
	r.Says(page, http.StatusOK, "Nothing is imported yet.")
	r.Leads(r.Post(at+"/check", at, nil), at) // keeps what was said
	r.Says(r.Get(at), http.StatusOK, "7 Oak St, Unit 1, Austin, TX 78701")
	r.Leads(confirms(r, at), at)
	m.Imports()
	r.Says(r.Get(at), http.StatusOK, "The rent roll was imported")
	r.Says(r.Get(at), http.StatusOK, "Units2")
	r.Leads(r.Post(at+"/columns", at, said), at)
}
