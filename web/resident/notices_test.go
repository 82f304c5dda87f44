package resident_test

import (
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/document/documenttest"
	"portal/api/agreement/notice"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
)

// notifies gives tenants a notice of entry each, which is emailed to them, and keeps another one back.
func (f *tenantPages) notifies(all ...*renter) {
	f.Helper()
	for _, r := range all {
		for _, emailed := range []*clock.Time{new(clock.At(f.now)), nil} {
			n := &notice.Notice{
				ID: id.New(id.Notice, f.now), LeaseID: r.lease, CreatedAt: clock.At(f.now), Kind: notice.Entry,
				GivenOn: clock.Day(2027, 1, 4), EffectiveOn: clock.Day(2027, 1, 5), EmailedAt: emailed,
				Content: &notice.Content{
					Landlord: "Maple & Oak",
					Home:     "1420 Maple Avenue",
					Tenants:  []string{r.name},
					State:    "CA",
					From:     "09:00",
					Until:    "12:00",
					Purpose:  "Check the roof of " + r.name,
					Rule:     notice.Rule{Hours: 24},
				},
			}
			pagetest.Must(f, portfoliostore.New(f.db).AddNotice(f.Context(), r.by.Portfolio, n))
			if emailed != nil {
				r.notice = n.ID
			}
		}
	}
}

func TestTenantReadsNoticeThatTheLandlordEmails(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		all := f.rents(&f.home, f.home.Live, "3A", portfolio.PartyPrimary, portfolio.PartyCoTenant,
			portfolio.PartyGuarantor)
		r, other := all[0], f.rents(&f.home, f.home.Live, "3B", portfolio.PartyPrimary)[0]
		owner := r.by
		owner.Role = access.Owner
		_, err := f.agreements.UpdateDetails(f.Context(), owner, change.Target{}, agreement.DetailsUpdate{
			Address: change.To(new("12 Harbor Lane, Austin, TX 78701")),
		})
		pagetest.Must(f, err)
		today := f.rules.Today(r.by)
		made, err := f.notices.Create(f.Context(), r.by, r.lease, notice.Create{
			Kind: notice.Entry, GivenOn: today, EffectiveOn: today.AddDays(2), From: new("09:00"), Until: new("11:30"),
			Purpose: new("Repair the <b>boiler</b>"),
		})
		pagetest.Must(f, err)
		n := made.After
		pdf := "/lease/" + r.lease + "/notices/" + n.ID + "/notice.pdf"
		open := f.unlocks(r)
		if body := f.gets(r.at("/lease"), open).Body.String(); strings.Contains(body, n.ID) {
			t.Error("a notice shows that nobody was emailed")
		}
		f.says(f.gets(r.at(pdf), open), http.StatusNotFound)
		sent, err := f.notices.Email(f.Context(), r.by, r.lease, n.ID)
		pagetest.Must(f, err)
		if count := f.count("mails WHERE subject LIKE 'Notice of entry: %'"); sent != 2 || count != 2 {
			t.Errorf("%d tenants, %d emails", sent, count)
		}
		m := f.mailed(all[0].email, "Notice of entry: ")
		for _, want := range []string{"What for: Repair the ", "9:00 AM to 11:30 AM", "Motivo: Repair the ", "/lease"} {
			if !strings.Contains(m.Text, want) || !strings.Contains(m.HTML, want) {
				t.Errorf("the email lacks %q:\n%s", want, m.Text)
			}
		}
		if strings.Contains(m.HTML, "<b>boiler") {
			t.Error("what the landlord wrote is HTML in the email")
		}
		locked := f.gets(r.at("/lease"))
		f.says(locked, http.StatusOK, "Notice from the landlord")
		if strings.Contains(locked.Body.String(), "Notice of entry") {
			t.Error("what a notice is about shows without a code")
		}
		if rec := f.gets(r.at(pdf)); rec.Code != http.StatusSeeOther {
			t.Errorf("without a code: %d", rec.Code)
		}
		f.says(f.gets(r.at("/lease"), open), http.StatusOK, "Notice of entry")
		f.says(f.gets(r.at("/lease?lang=es"), open), http.StatusOK, "Aviso de entrada")
		for query, want := range map[string]string{"": "What this notice says", "?lang=es": "Lo que dice este aviso"} {
			rec := f.gets(r.at(pdf+query), open)
			text := documenttest.Tool(t, rec.Body.Bytes(), "pdftotext", "-layout", "FILE", "-")
			if rec.Code != http.StatusOK || !strings.Contains(text, want) ||
				!strings.Contains(text, "Repair the <b>boiler") {
				t.Error(rec.Code, text)
			}
		}
		stranger := f.unlocks(other)
		f.says(f.gets(other.at(pdf), stranger), http.StatusNotFound)
		f.says(f.gets(other.at("/lease/"+other.lease+"/notices/"+n.ID+"/notice.pdf"), stranger), http.StatusNotFound)
		guarantor := f.unlocks(all[2])
		f.says(f.gets(all[2].at(pdf), guarantor), http.StatusNotFound)
		if body := f.gets(all[2].at("/lease"), guarantor).Body.String(); strings.Contains(body, n.ID) {
			t.Error("a guarantor sees a notice")
		}
	})
}
