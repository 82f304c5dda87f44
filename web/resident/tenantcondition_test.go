package resident_test

import (
	"bytes"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"portal/api/attachment"
	"portal/api/change"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/condition"
	"portal/api/tenantportal"
	"portal/db/dbtest"
	"portal/web/pagetest"
	"portal/web/webtest"
)

// judge has the landlord of a tenant begin a report, say that each item is good, and add a photo to the first one.
func (f *tenantPages) judge(r *renter, kind condition.Kind) *condition.Report {
	f.Helper()
	all := f.rules.Conditions
	made, err := all.Begin(f.Context(), r.by, r.lease, kind)
	pagetest.Must(f, err)
	var changes []condition.Change
	for i := range made.Areas {
		for k := range made.Areas[i].Items {
			changes = append(changes, condition.Change{
				ItemID: made.Areas[i].Items[k].ID, Condition: change.To(new(condition.Good)),
				Note: change.To("Seen by " + string(kind)),
			})
		}
	}
	_, err = all.Save(f.Context(), r.by, r.lease, kind, changes)
	pagetest.Must(f, err)
	photo := attachment.Photo{Content: picture(f.T, 64), Thumbnail: picture(f.T, 16), Width: 64, Height: 64}
	made, err = all.AddPhoto(f.Context(), r.by, r.lease, kind, made.Areas[0].Items[0].ID, &photo)
	pagetest.Must(f, err)
	r.judged = made.Areas[0].Items[0].Photos[0].ID
	return made
}

// judges shares move-in reports with tenants, and has their landlord sign them.
func (f *tenantPages) judges(all ...*renter) {
	f.Helper()
	for _, r := range all {
		f.judge(r, condition.MoveIn)
		f.landlordSigns(r, condition.MoveIn)
	}
}

func (f *tenantPages) landlordSigns(r *renter, kind condition.Kind) {
	f.Helper()
	now, err := f.rules.Conditions.Report(f.Context(), r.by, r.lease, kind)
	pagetest.Must(f, err)
	_, err = f.rules.Conditions.SignAsLandlord(f.Context(), r.by, r.lease, kind, condition.Signing{
		Name: "Dana Cohen", Seen: now.SHA256(),
	})
	pagetest.Must(f, err)
}

func (f *tenantPages) report(r *renter, kind condition.Kind) *condition.Report {
	f.Helper()
	now, err := f.rules.Conditions.Report(f.Context(), r.by, r.lease, kind)
	pagetest.Must(f, err)
	return now
}

// said is what tenants say of an item of the entry.
func (f *tenantPages) said(r *renter, i int) condition.Remark {
	f.Helper()
	return f.report(r, condition.MoveIn).Areas[0].Items[i].Tenant
}

// inspector is a tenant with a browser in which a code was typed, and the page of a report.
type inspector struct {
	*tenantPages
	*renter
	cookie *http.Cookie
	page   string
}

func (f *tenantPages) inspects(r *renter, kind condition.Kind) *inspector {
	f.Helper()
	return &inspector{f, r, f.unlocks(r), r.at(tenantportal.ConditionPath(r.lease, kind))}
}

func (i *inspector) looks(query string) *httptest.ResponseRecorder {
	return i.gets(i.page+query, i.cookie)
}

var areaForm = regexp.MustCompile(`(?s)<form[^>]*enctype="multipart/form-data".*?</form>`)

// form is that of the first area as a browser would send it, with nothing said.
func (i *inspector) form(of string) url.Values {
	i.Helper()
	form := url.Values{}
	area := "?area=" + i.report(i.renter, condition.MoveIn).Areas[0].ID
	for _, text := range areaForm.FindAllString(i.looks(area).Body.String(), -1) {
		if !strings.Contains(text, of) {
			continue
		}
		for _, m := range regexp.MustCompile(`type="hidden" name="([^"]+)" value="([^"]*)"`).FindAllStringSubmatch(text, -1) {
			form.Set(m[1], m[2])
			if itemID, is := strings.CutPrefix(m[1], "seen."); is {
				form.Set("condition."+itemID, "")
				form.Set("note."+itemID, "")
			}
		}
	}
	if form.Get("form") == "" {
		i.Fatalf("no form of %s", of)
	}
	return form
}

// saves sends the form of an area with photos of an item.
func (i *inspector) saves(query string, form url.Values, of string, files ...[]byte) *httptest.ResponseRecorder {
	i.Helper()
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	for _, name := range slices.Sorted(maps.Keys(form)) {
		for _, value := range form[name] {
			pagetest.Must(i, m.WriteField(name, value))
		}
	}
	for _, content := range files {
		part, err := m.CreateFormFile("photos."+of, "photo.jpg")
		pagetest.Must(i, err)
		_, err = part.Write(content)
		pagetest.Must(i, err)
	}
	pagetest.Must(i, m.Close())
	r := httptest.NewRequestWithContext(i.Context(), http.MethodPost, i.page+query, &body)
	r.Header.Set("Content-Type", m.FormDataContentType())
	r.AddCookie(i.cookie)
	rec := httptest.NewRecorder()
	i.ServeHTTP(rec, r)
	return rec
}

var seenHash = regexp.MustCompile(`name="seen" value="([0-9a-f]{64})"`)

func (i *inspector) signs(query, name string) *httptest.ResponseRecorder {
	i.Helper()
	seen := seenHash.FindStringSubmatch(i.looks("").Body.String())
	if seen == nil {
		i.Fatalf("nothing to sign: %s", words(i.looks("")))
	}
	return i.asks(http.MethodPost, i.page+"/sign"+query, url.Values{"name": {name}, "seen": {seen[1]}}, i.cookie)
}

func TestTenantsAddToConditionReportAndSignIt(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		f.rules.Conditions.Notices = f.tenants
		all := f.rents(&f.home, f.home.Live, "3A",
			portfolio.PartyPrimary, portfolio.PartyCoTenant, portfolio.PartyGuarantor)
		other := f.rents(&f.home, f.home.Live, "4B", portfolio.PartyPrimary)[0]
		made := f.judge(all[0], condition.MoveIn)
		sam, kim, gus := f.inspects(all[0], condition.MoveIn), f.inspects(all[1], condition.MoveIn),
			f.inspects(all[2], condition.MoveIn)
		f.says(sam.looks(""), http.StatusNotFound) // it is not shared yet
		_, err := f.rules.Conditions.Share(f.Context(), all[0].by, all[0].lease, condition.MoveIn)
		pagetest.Must(f, err)

		f.says(f.gets(sam.at("/lease")), http.StatusOK, "Condition of the home: Move-in report", "Please look at it.")
		if rec := f.gets(sam.page); rec.Code != http.StatusSeeOther ||
			!strings.Contains(rec.Header().Get("Location"), "/unlock") {
			f.Errorf("without a code: %d", rec.Code)
		}
		f.says(sam.looks(""), http.StatusOK, "Entry and hallway", "Walls and ceiling", "Good", "Seen by move_in",
			"You can sign once your landlord has signed.")
		f.says(sam.looks("?lang=es"), http.StatusOK, "Informe de entrada", "Paredes y techo", "Bueno",
			"Igual que el arrendador")
		for _, size := range []string{"", "/thumbnail"} {
			f.says(f.gets(sam.page+"/photos/"+all[0].judged+size, sam.cookie), http.StatusOK)
		}
		stranger := f.inspects(other, condition.MoveIn)
		for _, who := range []*inspector{gus, stranger} {
			f.says(who.looks(""), http.StatusNotFound)
			f.says(
				f.gets(who.at(tenantportal.ConditionPath(sam.lease, condition.MoveIn)), who.cookie),
				http.StatusNotFound,
			)
			f.says(f.gets(who.page+"/photos/"+all[0].judged, who.cookie), http.StatusNotFound)
			f.says(who.saves("", url.Values{"form": {"x"}}, ""), http.StatusNotFound)
			if strings.Contains(words(f.gets(who.at("/lease"), who.cookie)), "Condition of the home") {
				f.Error("the lease of another person shows the report")
			}
		}

		walls, floor := made.Areas[0].Items[0].ID, made.Areas[0].Items[1].ID
		form := sam.form(walls)
		form.Set("condition."+walls, "poor")
		form.Set("note."+walls, "A hole by the door.")
		form.Set("note."+floor, strings.Repeat("y", condition.MostNote+1))
		// What is right is saved with its photo, and what is not is shown again as it was typed.
		rec := sam.saves("", form, walls, picture(t, 32))
		f.says(rec, http.StatusBadRequest, "Not all is saved yet", "Write at most 500 characters", "yyyyyyy")
		if said := f.said(sam.renter, 0); said.Note != "A hole by the door." || *said.Condition != condition.Poor {
			f.Errorf("%+v", said)
		}
		form.Set("note."+floor, "Scratched.")
		for range 2 { // sent twice, it is taken once
			rec = sam.saves("", form, walls, picture(t, 32))
			if rec.Code != http.StatusSeeOther ||
				!strings.HasSuffix(rec.Header().Get("Location"), "#"+made.Areas[0].ID) {
				f.Errorf("%d to %q: %s", rec.Code, rec.Header().Get("Location"), words(rec))
			}
		}
		photos := f.report(sam.renter, condition.MoveIn).Areas[0].Items[0].PhotosBy(condition.Tenant)
		if len(photos) != 1 {
			f.Fatalf("%d photos", len(photos))
		}
		f.says(sam.saves("?lang=es", sam.form(walls), walls, []byte("x")), http.StatusUnprocessableEntity,
			"El archivo no es una imagen", "Aún no se guardó todo")

		// Another tenant says something else of an item than was shown to the first one.
		old, changed := kim.form(walls), sam.form(walls)
		changed.Set("condition."+walls, "poor")
		changed.Set("note."+walls, "Two holes.")
		f.says(sam.saves("?lang=en", changed, ""), http.StatusSeeOther)
		old.Set("note."+walls, "No hole at all.")
		f.says(kim.saves("", old, ""), http.StatusConflict, "Somebody else has changed this meanwhile", "Two holes.",
			"No hole at all.")
		if got := f.said(sam.renter, 0).Note; got != "Two holes." {
			f.Errorf("a stale form has written over it: %q", got)
		}
		form = sam.form(walls)
		form.Set("remove", photos[0].ID)
		form.Set("note."+walls, "Two holes.")
		form.Set("condition."+walls, "poor")
		f.says(sam.saves("", form, ""), http.StatusSeeOther)
		if n := f.report(sam.renter, condition.MoveIn).Photos(condition.Tenant); n != 0 {
			f.Errorf("%d photos after one was removed", n)
		}

		f.landlordSigns(sam.renter, condition.MoveIn)
		f.says(f.gets(sam.at("/lease")), http.StatusOK, "Please look at it and sign.")
		rec = sam.signs("", "Someone Else")
		f.says(rec, http.StatusBadRequest, "Not signed yet", "Type your name as it is here: Sam3AA Rivera.")
		if !strings.Contains(rec.Body.String(), `value="Someone Else"`) {
			f.Error("the name is lost")
		}
		f.says(sam.signs("?lang=es", ""), http.StatusBadRequest, "Escriba su nombre tal como está aquí: Sam3AA Rivera.")
		stale := url.Values{"name": {"Sam3AA Rivera"}, "seen": {strings.Repeat("0", 64)}}
		f.says(f.asks(http.MethodPost, sam.page+"/sign?lang=en", stale, sam.cookie), http.StatusConflict,
			"The report has changed since you saw it.", "Sam3AA Rivera")
		before := kim.form(walls)
		f.says(sam.signs("", "sam3aa  rivera"), http.StatusSeeOther)
		f.says(sam.looks(""), http.StatusOK, "You signed", "Others have still to sign it.", "Has not signed yet")

		// What was typed when another tenant signed is shown, not lost.
		before.Set("note."+floor, "Typed too late.")
		f.says(kim.saves("", before, floor, picture(t, 32)), http.StatusConflict, "can’t be changed any more",
			"What you had written, and was not saved", "Floor: Typed too late.")
		f.says(kim.signs("", "Sam3AB Rivera"), http.StatusSeeOther)
		f.says(kim.looks(""), http.StatusOK, "Everybody has signed this report.", "Two holes.")
		if !f.report(sam.renter, condition.MoveIn).Complete() {
			f.Error("it is not complete")
		}
		for _, subject := range []string{
			"Look at the condition of your home: ", "Please sign the condition of your home: ",
			"All have signed the condition of your home: ",
		} {
			for _, r := range all[:2] {
				m := f.mailed(r.email, subject)
				path := tenantportal.ConditionPath(r.lease, condition.MoveIn)
				if !strings.Contains(m.Text, path) || !strings.Contains(m.HTML, path) ||
					!strings.Contains(m.Text, "sobre el estado de su vivienda") {
					f.Errorf("%s: %s", subject, m.Text)
				}
			}
			if n := f.count("mails WHERE subject LIKE $1", subject+"%"); n != 2 {
				f.Errorf("%d emails: %s", n, subject)
			}
		}
	})
}

func TestTenantWhoReadsSpanishGetsEmailsAboutConditionReportsInIt(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		f.rules.Conditions.Notices = f.tenants
		r := f.rents(&f.home, f.home.Test, "3A", portfolio.PartyPrimary)[0]
		pagetest.Must(f, f.tenants.SendCode(f.Context(), r.link, "es"))
		f.judges(r)
		m := f.mailed(r.email, "Firme el informe del estado de su vivienda: ")
		if strings.Contains(m.Text, "Hello") || !strings.Contains(m.Text, "lang=es") ||
			!strings.Contains(m.Text, "informe de entrada") {
			f.Error(m.Text)
		}
		if n := f.count("mails WHERE subject LIKE 'Revise el estado%'"); n != 0 {
			f.Errorf("signing shares it: %d emails besides", n)
		}
		// Signing and taking it back over and over again does not fill a mailbox.
		for range 10 {
			_, err := f.rules.Conditions.Reopen(f.Context(), r.by, r.lease, condition.MoveIn)
			pagetest.Must(f, err)
			f.landlordSigns(r, condition.MoveIn)
		}
		if n := f.count("mails WHERE subject LIKE 'Firme el informe%'"); n != 5 {
			f.Errorf("%d emails within an hour", n)
		}
	})
}

func TestMoveOutReportShowsTenantWhatMoveInReportSaid(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		r := f.rents(&f.home, f.home.Live, "3A", portfolio.PartyPrimary)[0]
		f.judge(r, condition.MoveIn)
		f.judge(r, condition.MoveOut)
		out := f.inspects(r, condition.MoveOut)
		f.landlordSigns(r, condition.MoveOut)
		if seen := words(out.looks("")); strings.Contains(seen, "Seen by move_in") {
			f.Error("it shows a move-in report that was not shared")
		}
		f.landlordSigns(r, condition.MoveIn)
		f.says(out.looks(""), http.StatusOK, "Move-out report", "At move-in, your landlord", "Seen by move_in",
			"Seen by move_out")

		f.says(out.looks("?lang=es"), http.StatusOK, "Informe de salida", "A la entrada, su arrendador")
	})
}

func TestPhotosBeyondLimitsOfConditionReportAreRefusedAndWordsAreSaved(t *testing.T) {
	t.Parallel()
	f := newTenantPages(t, dbtest.SQLite(t), false)
	r := f.rents(&f.home, f.home.Live, "3A", portfolio.PartyPrimary)[0]
	made := f.judge(r, condition.MoveIn)
	area, walls := made.Areas[0].ID, made.Areas[0].Items[0].ID
	_, err := f.rules.Conditions.Arrange(f.Context(), r.by, r.lease, condition.MoveIn, condition.Arrangement{
		AddItems: slices.Repeat([]condition.NewItem{{AreaID: area, Name: "A wall"}}, condition.MostAreaItems-5),
	})
	pagetest.Must(t, err)
	_, err = f.rules.Conditions.Share(f.Context(), r.by, r.lease, condition.MoveIn)
	pagetest.Must(t, err)
	sam := f.inspects(r, condition.MoveIn)
	tiny := picture(t, 8)
	for n, want := range map[int]string{6: "An item takes up to 5 photos", 11: "Send up to 10 photos at a time."} {
		form := sam.form(walls)
		form.Set("note."+walls, want)
		f.says(sam.saves("", form, walls, slices.Repeat([][]byte{tiny}, n)...), http.StatusUnprocessableEntity, want)
		if got := f.said(r, 0).Note; got != want {
			f.Errorf("%d photos: the note is %q", n, got)
		}
	}
	form := sam.form(walls)
	long := strings.Repeat("🏠", condition.MostNote)
	for name := range form {
		if strings.HasPrefix(name, "note.") {
			form.Set(name, long) // all together are more than other forms take
		}
	}
	f.says(sam.saves("", form, ""), http.StatusSeeOther)
	items := f.report(r, condition.MoveIn).Areas[0].Items
	for i := range items {
		if items[i].Tenant.Note != long || len(items) != condition.MostAreaItems {
			f.Fatalf("%d of %d: %q", i, len(items), items[i].Tenant.Note)
		}
	}
	form = sam.form(walls)
	form.Set("note."+walls, "Too large.")
	f.says(sam.saves("", form, walls, make([]byte, 101<<20)), http.StatusRequestEntityTooLarge,
		"The photos are too large to be sent together")
	if got := f.said(r, 0).Note; got != "Too large." {
		f.Errorf("the note is %q", got)
	}
	if n := f.report(r, condition.MoveIn).Photos(condition.Tenant); n != 0 {
		f.Errorf("%d photos", n)
	}
}

func TestConditionReportIsAccessibleToTenants(t *testing.T) {
	b := pagetest.Browser(t)
	f := newTenantPages(t, dbtest.SQLite(t), false)
	r := f.rents(&f.home, f.home.Live, "3A", portfolio.PartyPrimary, portfolio.PartyCoTenant)[0]
	f.judges(r)
	sam := f.inspects(r, condition.MoveIn)
	form := sam.form("")
	form.Set("note."+f.report(r, condition.MoveIn).Areas[0].Items[0].ID, "A hole.")
	f.says(sam.saves("", form, f.report(r, condition.MoveIn).Areas[0].Items[0].ID, picture(t, 32)), http.StatusSeeOther)
	server := httptest.NewServer(f)
	defer server.Close()
	w := b.Window(t)
	w.Cookie(server.URL, sam.cookie.Name, sam.cookie.Value)
	w.Look(server.URL + sam.page)
	w.Look(server.URL + sam.page + "?lang=es&area=" + f.report(r, condition.MoveIn).Areas[0].ID)
	// Signing needs no script.
	w.Visit(webtest.Screen{Width: 360, Height: 780, Plain: true}, server.URL+sam.page+"?lang=en")
	w.Type(`input[name="name"]`, "Nobody")
	w.Follow(`form[action*="/sign"] button`)
	w.Await(`document.querySelector("input[name=name]").value === "Nobody" &&
		document.body.textContent.includes("Type your name as it is here")`)
	w.Look(server.URL + sam.at("/lease?lang=en"))
}
