package rest_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

// addTemplates adds a template that has everything, and one that has nothing.
func (s seeded) addTemplates(ctx context.Context, d *db.DB, in access.Portfolio) error {
	store := portfoliostore.New(d)
	full := agreement.LeaseTemplate{
		Record: s.record("tpl", "lease_template", 1),
		Name:   "Texas, one year",
		State:  new(contact.State("TX")),
		TemplateTerms: agreement.TemplateTerms{
			LeaseType:          new(portfolio.Fixed),
			TermMonths:         new(6),
			RentDueDay:         new(5),
			LateFeeAmount:      new(money.Dollars(50)),
			LateFeeFrequency:   new(terms.Once),
			LateFeeGraceDays:   new(7),
			ReturnedPaymentFee: new(money.Dollars(25)),
			Utilities:          []terms.Utility{{Name: "Water", PaidBy: terms.Landlord}},
			Clauses: terms.Clauses{
				Pets: new(
					"One cat.",
				),
				Smoking:   new("Nobody smokes."),
				Parking:   new("One car."),
				Utilities: new("Save water."),
			},
			Fees: []terms.Fee{{Name: "Parking", Amount: money.Dollars(40), Frequency: terms.Monthly}},
		},
	}
	bare := agreement.LeaseTemplate{
		Record:        s.record("tpl", "lease_template", 2),
		Name:          "Bare",
		TemplateTerms: agreement.TemplateTerms{Utilities: []terms.Utility{}, Fees: []terms.Fee{}},
	}
	for _, t := range []*agreement.LeaseTemplate{&full, &bare} {
		if err := store.AddTemplate(ctx, in, t); err != nil {
			return err
		}
	}
	return store.AddTemplateAttachment(ctx, in, full.ID, &agreement.Attachment{
		ID:               s.id("att", 1),
		FileName:         "House rules.pdf",
		Pages:            2,
		Size:             5,
		SHA256:           "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
		UploadedAt:       clock.At(changed),
		RequiresInitials: true,
	}, []byte("hello"))
}

func TestLeaseIsGeneratedWithTemplateByKey(t *testing.T) {
	both(t, func(t *testing.T, r *fixture) {
		r.landlord("ada@example.com", unlimited())
		r.landlord("robin@example.com", unlimited())
		s, theirs := seeded{1, access.Test}, seeded{3, access.Test}
		key := *r.key("ada@example.com", access.Test, "write").Plaintext
		reader := *r.key("ada@example.com", access.Test, "read").Plaintext
		live := *r.key("ada@example.com", access.Live, "write").Plaintext
		stranger := *r.key("robin@example.com", access.Test, "write").Plaintext
		id := s.id("tpl", 1)
		at := "/lease_templates/" + id
		if read := r.get(at, reader).done(t); read["name"] != "Texas, one year" {
			t.Errorf("%v", read)
		}
		for name, other := range map[string]string{"in live mode": live, "of somebody else": stranger} {
			r.get(at, other).expect(t, http.StatusNotFound, "not_found")
			if strings.Contains(string(r.get("/lease_templates", other).body), id) {
				t.Errorf("a list %s has it", name)
			}
		}

		m := r.mutation(s, "generate_lease")
		with := func(template, more string) string {
			return strings.TrimSuffix(m.body, "}") + `,"template_id":"` + template + `"` + more + "}"
		}
		for what, body := range map[string]string{
			"of somebody else": with(theirs.id("tpl", 1), ""),
			"none":             with("x", ""),
			"a property":       with(s.id("prop", 1), ""),
		} {
			a := r.send(m.Method, m.path, key, body)
			if a.expect(
				t,
				http.StatusNotFound,
				"not_found",
			); !strings.Contains(
				string(a.body),
				`"param":"template_id"`,
			) {
				t.Errorf("%s: %s", what, a.body)
			}
		}
		a := r.send(m.Method, m.path, key, strings.Replace(
			`{"property_id":"`+s.id("prop", 2)+`","tenant_id":"`+s.id("ten", 1)+
				`","start_date":"2027-01-01","monthly_rent":1000,"template_id":"ID"}`, "ID", id, 1))
		a.expect(t, http.StatusBadRequest, "invalid_field")
		if said := string(a.body); !strings.Contains(said, `"param":"template_id"`) ||
			!strings.Contains(said, "is a template for TX, and the home is in CO") {
			t.Error(said)
		}
		a = r.send(m.Method, m.path, key, with(id, `,"late_fee_amount":900`))
		a.expect(t, http.StatusBadRequest, "late_fee_above_legal_maximum")

		merged := func(what string, l record) {
			t.Helper()
			clauses := l["clauses"].(record)
			attached := l["attachments"].([]any)
			if l["template_id"] != id || l["template_version"] != number("3") || l["rent_due_day"] != number("9") ||
				l["late_fee_amount"] != number(
					"50.00",
				) || clauses["pets"] != "Two dogs." || clauses["parking"] != "One car." ||
				l["end_date"] != "2027-06-30" || len(l["fees"].([]any)) != 0 || len(l["utilities"].([]any)) != 1 ||
				len(attached) != 1 || attached[0].(record)["file_name"] != "House rules.pdf" ||
				attached[0].(record)["id"] == s.id("att", 1) {
				t.Errorf("%s: %v", what, l)
			}
		}
		body := with(id, `,"rent_due_day":9,"late_fee_amount":null,"fees":[],"clauses":{"pets":"Two dogs."}`)
		merged("a preview", r.send(m.Method, m.path, key, body, "Dry-Run", "true").done(t))
		if kept := dbtest.Texts(t, r.db, "SELECT id FROM lease_attachments"); len(kept) > 0 {
			t.Errorf("a preview keeps %v", kept)
		}
		first := r.send(m.Method, m.path, key, body, "Idempotency-Key", "k")
		made := first.done(t)
		merged("made", made)
		merged("read", r.get("/leases/"+made["id"].(string), key).done(t))
		dbtest.Exec(t, r.db, "DELETE FROM lease_template_attachments")
		dbtest.Exec(t, r.db, "DELETE FROM lease_templates")
		r.send(m.Method, m.path, key, body, "Idempotency-Key", "k").alike(t, first)
		merged("read without the template", r.get("/leases/"+made["id"].(string), key).done(t))
		r.get(at, key).expect(t, http.StatusNotFound, "not_found")
	})
}
