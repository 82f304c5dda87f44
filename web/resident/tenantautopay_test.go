package resident_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"portal/api/clock"
	"portal/api/id"
	"portal/api/language"
	"portal/api/money"
	"portal/api/payment"
	"portal/api/payment/simulated"
	"portal/api/portfolio"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/web/pagetest"
)

// agrees writes that a tenant has autopay, and is its id.
func (f *tenantPages) agrees(r *renter) string {
	f.Helper()
	at := clock.At(f.now)
	a := payment.Autopay{
		Record:    dbtest.Record(id.Autopay, "autopay", r.by.Portfolio.Mode, f.now),
		LeaseID:   r.lease,
		TenantID:  r.id,
		Processor: simulated.Name,
		Method:    new(portfolio.PayByCard),
		Day:       1,
		Most:      money.Dollars(1),
		Text:      "Only " + r.name + " agrees.",
		Language:  language.English,
		Status:    payment.AutopayActive,
		AgreedAt:  &at,
	}
	pagetest.Must(f, portfoliostore.New(f.db).AddAutopay(f.Context(), r.by.Portfolio, &a))
	return a.ID
}

// emailed are the subjects of all emails, the oldest first, behind those of a count.
func (o *online) emailed(from int) []string {
	return dbtest.Texts(o.T, o.db, "SELECT subject FROM mails ORDER BY id")[from:]
}

// setsUp sets up autopay in a browser, and is its path.
func (o *online) setsUp(lang, day, most, method, number string) string {
	o.Helper()
	form := url.Values{"day": {day}, "most": {most}, "agree": {"on"}}
	rec := o.form(o.at("/autopay"+lang), form)
	to := rec.Header().Get("Location")
	at, _, begun := strings.Cut(to, "/checkout")
	if rec.Code != http.StatusSeeOther || !begun {
		o.Fatalf("%d to %q: %s", rec.Code, to, words(rec))
	}
	o.says(
		o.gets(to, o.cookie),
		http.StatusOK,
		map[bool]string{true: "Pago simulado", false: "No money moves"}[lang != ""],
	)
	if rec = o.form(to, url.Values{"method": {method}, "number": {number}}); rec.Code != http.StatusSeeOther {
		o.Fatalf("%d: %s", rec.Code, words(rec))
	}
	return at
}

func TestTenantSetsUpAutopayAndEndsItWithOneClick(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		all := f.rents(
			&f.home,
			f.home.Test,
			"3A",
			portfolio.PartyPrimary,
			portfolio.PartyCoTenant,
			portfolio.PartyGuarantor,
		)
		sam, kim, guarantor := f.online(all[0]), f.online(all[1]), f.online(all[2])
		f.says(f.gets(sam.at("/payments"), sam.cookie), http.StatusOK, "Autopay is off.")
		f.says(f.gets(sam.at("/autopay"), sam.cookie), http.StatusOK, "Set up autopay", "at least 3 days before")
		f.says(
			f.gets(sam.at("/autopay?lang=es"), sam.cookie),
			http.StatusOK,
			"Activar el pago automático",
			"con un clic",
		)

		f.says(sam.form(sam.at("/autopay"), url.Values{"day": {"31"}, "most": {"none"}}), http.StatusBadRequest,
			"Enter a day from 1 to 28.", "Enter an amount", "Autopay needs your agreement.")
		before := f.count("mails")
		at := sam.setsUp("", "20", "$1,500", "card", numbers[0])
		page := f.gets(sam.at("/autopay"), sam.cookie)
		f.says(page, http.StatusOK, "Next payment", "$1,500.00", "Card", "End autopay", "I authorize", "Change autopay")
		f.says(f.gets(sam.at("/payments"), sam.cookie), http.StatusOK, "Autopay is on. Next payment: ")
		if got := sam.emailed(before); len(got) != 1 || got[0] != "Autopay is set up" {
			f.Errorf("emailed %q", got)
		}
		agreed := dbtest.Texts(t, f.db, "SELECT text FROM payment_autopays")[0]
		for _, part := range []string{
			"I authorize", "Day of the month: 20", "At most each month: $1,500.00", "Agreed on ",
		} {
			if !strings.Contains(agreed, part) {
				f.Errorf("the text that is kept lacks %q: %s", part, agreed)
			}
		}

		// It is nobody else's: neither of a roommate nor of a guarantor.
		for _, other := range []*online{kim, guarantor} {
			for _, path := range []string{"", "/checkout"} {
				link := strings.Replace(at, sam.link, other.link, 1) + path
				f.says(f.gets(link, other.cookie), http.StatusNotFound)
			}
			f.says(other.form(strings.Replace(at, sam.link, other.link, 1)+"/end", nil), http.StatusNotFound)
		}
		f.says(f.gets(guarantor.at("/autopay"), guarantor.cookie), http.StatusOK, "There’s no lease")
		f.says(guarantor.form(guarantor.at("/autopay"), url.Values{"day": {"1"}, "most": {"1"}, "agree": {"on"}}),
			http.StatusBadRequest)

		// Kim sets it up in Spanish, and the emails are Spanish.
		before = f.count("mails")
		kim.setsUp("?lang=es", "25", "200", "ach", numbers[2])
		f.says(f.gets(kim.at("/autopay?lang=es"), kim.cookie), http.StatusOK, "Próximo pago", "Cuenta bancaria")
		if got := kim.emailed(before); len(got) != 1 || got[0] != "El pago automático está activado" {
			f.Errorf("emailed %q", got)
		}

		if rec := sam.form(at+"/end", nil); rec.Code != http.StatusSeeOther {
			f.Errorf("ended: %d", rec.Code)
		}
		f.says(f.gets(sam.at("/autopay"), sam.cookie), http.StatusOK, "You ended it.", "Set up autopay")
		before = f.count("mails")
		for range 40 {
			f.now = f.now.AddDate(0, 0, 1)
			pagetest.Must(f, f.payments.SettleDay(f.Context(), sam.by))
		}
		sam.is(portfolio.PaymentPartiallyPaid, sam.rent-money.Dollars(200)) // Kim's share alone
		got := strings.Join(kim.emailed(before), "; ")
		if !strings.HasPrefix(got, "El pago automático paga $200.00 el 25 de ") {
			f.Errorf("emailed %q", got)
		}
		whole := fmt.Sprint(dbtest.Dump(t, f.db, nil))
		for _, number := range numbers {
			if strings.Contains(whole, number) {
				f.Errorf("the database has the number %s", number)
			}
		}
	})
}

func TestAutopayEndsWhereTheLandlordRevokesTheTenantsPage(t *testing.T) {
	onBothTenantPages(t, false, func(f *tenantPages) {
		sam := f.online(f.rents(&f.home, f.home.Test, "3A", portfolio.PartyPrimary)[0])
		sam.setsUp("", "20", "1500", "card", numbers[0])
		pagetest.Must(f, f.tenants.RevokeLink(f.Context(), sam.by, sam.id))
		before := f.count("mails")
		for range 40 {
			f.now = f.now.AddDate(0, 0, 1)
			pagetest.Must(f, f.payments.SettleDay(f.Context(), sam.by))
		}
		sam.is(portfolio.PaymentDue, sam.rent)
		if got := sam.emailed(before); len(got) != 1 || got[0] != "Autopay has ended" {
			f.Errorf("emailed %q", got)
		}
	})
}
