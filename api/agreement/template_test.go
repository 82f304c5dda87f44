package agreement_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/document/documenttest"
	"portal/api/audit"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/terms"
	"portal/db/dbtest"
	"portal/db/servicestore"
)

// standard is a template that says something of everything.
func standard() agreement.TemplateInput {
	return agreement.TemplateInput{
		Name:               "Standard",
		State:              new(contact.State("TX")),
		LeaseType:          new(portfolio.Fixed),
		TermMonths:         new(6),
		RentDueDay:         new(5),
		LateFeeAmount:      new(money.Dollars(50)),
		LateFeeFrequency:   new(terms.Once),
		LateFeeGraceDays:   new(7),
		ReturnedPaymentFee: new(money.Dollars(25)),
		Utilities:          &[]terms.Utility{{Name: "Water", PaidBy: terms.Landlord}},
		Clauses:            &terms.Clauses{Pets: new("One cat."), Smoking: new("Nobody smokes.")},
		Fees:               &[]terms.Fee{{Name: "Parking", Amount: money.Dollars(40), Frequency: terms.Monthly}},
	}
}

func (f *fixture) addsTemplate(in agreement.TemplateInput) *agreement.LeaseTemplate {
	f.Helper()
	made, err := f.AddTemplate(f.Context(), f.by, in)
	f.ok(err)
	return made.After
}

func (f *fixture) attachToTemplate(templateID, name string, texts ...string) (*agreement.LeaseTemplate, error) {
	f.Helper()
	file, err := f.Clean(f.Context(), f.by, name, documenttest.Pages(texts...))
	f.ok(err)
	file.RequiresInitials = true
	made, err := f.AttachToTemplate(f.Context(), f.by, templateID, file)
	if err != nil {
		return nil, err
	}
	return made.After, nil
}

func (f *fixture) template(templateID string) *agreement.LeaseTemplate {
	f.Helper()
	t, err := f.Template(f.Context(), f.by, templateID)
	f.ok(err)
	return t
}

// templates reads all templates, two at a time.
func (f *fixture) templates(by access.Actor) (names []string) {
	f.Helper()
	q := list.Query{Limit: 2}
	for {
		p, err := f.Templates(f.Context(), by, agreement.TemplateFilter{Query: q})
		f.ok(err)
		for i := range p.Data {
			names = append(names, p.Data[i].Name)
		}
		if !p.HasMore {
			return names
		}
		q.StartingAfter = *p.NextCursor
	}
}

func TestTemplateIsKeptAsItWasMade(t *testing.T) {
	onEach(t, func(f *fixture) {
		made := f.addsTemplate(standard())
		if read := f.template(made.ID); !reflect.DeepEqual(read, made) || made.Version != 1 || *made.TermMonths != 6 {
			t.Errorf("made %+v, read %+v", made, read)
		}
		bare := f.addsTemplate(agreement.TemplateInput{Name: "  Bare \u00a0 one "})
		if read := f.template(bare.ID); !reflect.DeepEqual(read, bare) || read.Name != "Bare one" {
			t.Errorf("made %+v, read %+v", bare, read)
		}
		f.addsTemplate(agreement.TemplateInput{Name: "Third"})
		if names := fmt.Sprint(f.templates(f.by)); names != "[Standard Bare one Third]" {
			t.Error(names)
		}

		changed := standard()
		changed.Name, changed.LateFeeAmount, changed.Fees = "STANDARD", nil, nil
		m, err := f.ChangeTemplate(f.Context(), f.by, change.Target{ID: made.ID, Version: new(int64(1))}, changed)
		f.ok(err)
		read := f.template(made.ID)
		if !reflect.DeepEqual(read, m.After) || read.Version != 2 || read.LateFeeAmount != nil || len(read.Fees) != 0 {
			t.Errorf("changed to %+v", read)
		}
		m, err = f.ChangeTemplate(f.Context(), f.by, change.Target{ID: made.ID}, changed)
		f.ok(err)
		if m.After.Version != 2 {
			t.Errorf("what changes nothing makes the version %d", m.After.Version)
		}
		stale := change.Target{ID: made.ID, Version: new(int64(1))}
		if _, err := f.ChangeTemplate(f.Context(), f.by, stale, standard()); !fault.Is(err, fault.StaleWrite) {
			t.Error(err)
		}
		if _, err := f.DeleteTemplate(f.Context(), f.by, stale); !fault.Is(err, fault.StaleWrite) {
			t.Error(err)
		}
	})
}

func TestTemplatesThatCannotBeAreRefused(t *testing.T) {
	onEach(t, func(f *fixture) {
		kept := f.addsTemplate(standard())
		other := f.addsTemplate(agreement.TemplateInput{Name: "Other"})
		for param, in := range map[string]agreement.TemplateInput{
			"name":             {Name: " sTANDARD "},
			"term_months":      {Name: "a", LeaseType: new(portfolio.MonthToMonth), TermMonths: new(6)},
			"clauses.parking":  {Name: "a", Clauses: &terms.Clauses{Parking: new("መኪና")}},
			"utilities.0.name": {Name: "a", Utilities: &[]terms.Utility{{Name: "ውሃ", PaidBy: terms.Tenant}}},
			"fees.0.name":      {Name: "a", Fees: &[]terms.Fee{{Name: "መኪና", Amount: 1, Frequency: terms.OneTime}}},
		} {
			_, added := f.AddTemplate(f.Context(), f.by, in)
			_, changed := f.ChangeTemplate(f.Context(), f.by, change.Target{ID: other.ID}, in)
			for _, err := range []error{added, changed} {
				if !fault.Is(err, fault.InvalidField) || fault.From(err).Param != param {
					t.Errorf("%s: %v", param, err)
				}
			}
		}
		reader := f.by
		reader.Scopes = access.Scopes{access.Read}
		target := change.Target{ID: kept.ID}
		for name, do := range map[string]func(access.Actor) error{
			"add": func(by access.Actor) error {
				_, err := f.AddTemplate(f.Context(), by, agreement.TemplateInput{Name: "b"})
				return err
			},
			"change": func(by access.Actor) error {
				_, err := f.ChangeTemplate(f.Context(), by, target, standard())
				return err
			},
			"delete": func(by access.Actor) error { _, err := f.DeleteTemplate(f.Context(), by, target); return err },
			"detach": func(by access.Actor) error {
				_, err := f.DetachFromTemplate(f.Context(), by, kept.ID, "att_x")
				return err
			},
		} {
			if err := do(reader); !fault.Is(err, fault.ScopeRequired) {
				t.Errorf("%s by who may only read: %v", name, err)
			}
		}
		for i := range 98 {
			f.addsTemplate(agreement.TemplateInput{Name: fmt.Sprint(i)})
		}
		_, err := f.AddTemplate(f.Context(), f.by, agreement.TemplateInput{Name: "one more"})
		if !fault.Is(err, fault.InvalidField) || !strings.Contains(err.Error(), "100 is the most") {
			t.Error(err)
		}
	})
}

func TestTemplateOfAnotherPortfolioIsNotThere(t *testing.T) {
	onEach(t, func(f *fixture) {
		made := f.addsTemplate(standard())
		made, err := f.attachToTemplate(made.ID, "rules.pdf", "Quiet")
		f.ok(err)
		attachment := made.Attachments[0].ID
		stranger := dbtest.NewHome(t, f.db, "robin")
		for _, in := range []access.Portfolio{f.home.Test, stranger.Live} {
			by := f.by
			by.Portfolio = in
			target := change.Target{ID: made.ID}
			file, err := f.Clean(f.Context(), by, "b.pdf", documenttest.Pages("b"))
			f.ok(err)
			for name, do := range map[string]func() error{
				"read":   func() error { _, err := f.Template(f.Context(), by, made.ID); return err },
				"change": func() error { _, err := f.ChangeTemplate(f.Context(), by, target, standard()); return err },
				"delete": func() error { _, err := f.DeleteTemplate(f.Context(), by, target); return err },
				"attach": func() error { _, err := f.AttachToTemplate(f.Context(), by, made.ID, file); return err },
				"detach": func() error {
					_, err := f.DetachFromTemplate(f.Context(), by, made.ID, attachment)
					return err
				},
				"open": func() error {
					_, _, err := f.TemplateAttachment(f.Context(), by, made.ID, attachment)
					return err
				},
			} {
				if err := do(); !fault.Is(err, fault.NoRecord) {
					t.Errorf("%s in %d: %v", name, in.ID, err)
				}
			}
			if names := f.templates(by); len(names) > 0 {
				t.Errorf("%d has %v", in.ID, names)
			}
			_, err = f.AddTemplate(f.Context(), by, standard())
			f.ok(err) // the name is free there
		}
		if read := f.template(made.ID); !reflect.DeepEqual(read, made) {
			t.Errorf("it has become %+v", read)
		}
	})
}

func TestRequestWinsOverTemplateFieldByField(t *testing.T) {
	onEach(t, func(f *fixture) {
		template := f.addsTemplate(standard())
		bare := f.generates(func(g *agreement.LeaseGenerate) {
			g.TemplateID, g.LeaseType, g.RentDueDay = &template.ID, nil, nil
		})
		want := agreement.TemplateTerms{
			LeaseType:          new(bare.LeaseType),
			TermMonths:         new(6),
			RentDueDay:         new(bare.RentDueDay),
			LateFeeAmount:      bare.LateFeeAmount,
			LateFeeFrequency:   new(bare.LateFeeFrequency),
			LateFeeGraceDays:   bare.LateFeeGraceDays,
			ReturnedPaymentFee: bare.ReturnedPaymentFee,
			Utilities:          bare.Utilities,
			Clauses:            bare.Clauses,
			Fees:               bare.Fees,
		}
		if !reflect.DeepEqual(want, template.TemplateTerms) || *bare.EndDate != clock.Day(2027, 7, 8) ||
			*bare.TemplateID != template.ID || *bare.TemplateVersion != 1 {
			t.Errorf("the template's lease is %+v, until %s", want, bare.EndDate)
		}
		if read := f.withTerms(
			bare.ID,
		); !reflect.DeepEqual(read.Terms, bare.Terms) ||
			*read.TemplateID != template.ID ||
			*read.TemplateVersion != 1 {
			t.Errorf("it is read as %+v", read)
		}

		own := f.generates(func(g *agreement.LeaseGenerate) {
			g.TemplateID = &template.ID
			g.RentDueDay, g.LateFeeAmount, g.LateFeeGraceDays = new(9), new(money.Cents(0)), new(3)
			g.EndDate, g.ReturnedPaymentFee = new(clock.Day(2027, 12, 31)), new(money.Dollars(10))
			g.Utilities, g.Fees = &[]terms.Utility{}, &[]terms.Fee{}
			g.Clauses = &terms.Clauses{Pets: new("Two dogs."), Parking: new("On the street.")}
		})
		if own.RentDueDay != 9 || *own.LateFeeAmount != 0 || *own.ReturnedPaymentFee != money.Dollars(10) ||
			*own.EndDate != clock.Day(2027, 12, 31) || len(own.Utilities)+len(own.Fees) > 0 ||
			*own.Terms.Clauses.Pets != "Two dogs." || *own.Terms.Clauses.Parking != "On the street." ||
			*own.Terms.Clauses.Smoking != "Nobody smokes." {
			t.Errorf("%+v", own)
		}
		monthly := f.generates(func(g *agreement.LeaseGenerate) {
			g.TemplateID, g.LeaseType = &template.ID, new(portfolio.MonthToMonth)
		})
		if monthly.EndDate != nil || monthly.LeaseType != portfolio.MonthToMonth {
			t.Errorf("until %v", monthly.EndDate)
		}
		if none := f.generates(nil); none.TemplateID != nil || none.TemplateVersion != nil || none.RentDueDay != 1 ||
			none.LateFeeAmount != nil || *none.EndDate != clock.Day(2028, 1, 8) {
			t.Errorf("without a template: %+v", none)
		}
	})
}

func TestTemplateThatDoesNotFitIsRefused(t *testing.T) {
	onEach(t, func(f *fixture) {
		texan, high := f.addsTemplate(standard()), standard()
		high.Name, high.LateFeeAmount = "High", new(money.Dollars(900))
		above := f.addsTemplate(high)
		monthly := f.addsTemplate(agreement.TemplateInput{Name: "Monthly", LeaseType: new(portfolio.MonthToMonth)})
		gone := f.addsTemplate(agreement.TemplateInput{Name: "Gone"})
		_, err := f.DeleteTemplate(f.Context(), f.by, change.Target{ID: gone.ID})
		f.ok(err)
		elsewhere := f.by
		elsewhere.Portfolio = f.home.Test
		hidden, err := f.AddTemplate(f.Context(), elsewhere, agreement.TemplateInput{Name: "Hidden"})
		f.ok(err)
		colorado, units := f.addProperty("CO", portfolio.UnitVacant)

		for name, c := range map[string]struct {
			ask         func(*agreement.LeaseGenerate)
			code        fault.Code
			param, says string
		}{
			"of another state": {
				func(g *agreement.LeaseGenerate) {
					g.PropertyID, g.UnitID, g.TemplateID = colorado, &units[0], &texan.ID
				},
				fault.InvalidField, "template_id", "is a template for TX, and the home is in CO",
			},
			"deleted": {
				func(g *agreement.LeaseGenerate) { g.TemplateID = &gone.ID },
				fault.NoRecord, "template_id", "No lease template",
			},
			"of another portfolio": {
				func(g *agreement.LeaseGenerate) { g.TemplateID = &hidden.After.ID },
				fault.NoRecord, "template_id", "No lease template",
			},
			"none": {
				func(g *agreement.LeaseGenerate) { g.TemplateID = new("tpl_x") },
				fault.NoRecord, "template_id", "No lease template",
			},
			"above the law": {
				func(g *agreement.LeaseGenerate) { g.TemplateID = &above.ID },
				fault.LateFeeAboveMaximum, "late_fee_amount", "The template “High” has it: change the template",
			},
			"with the request's own above the law": {
				func(g *agreement.LeaseGenerate) { g.TemplateID, g.LateFeeAmount = &texan.ID, new(money.Dollars(900)) },
				fault.LateFeeAboveMaximum, "late_fee_amount", "",
			},
			"without an end": {
				func(g *agreement.LeaseGenerate) {
					g.TemplateID, g.EndDate = &monthly.ID, new(clock.Day(2027, 12, 31))
				},
				fault.InvalidField, "end_date", "a month_to_month lease has no last day",
			},
		} {
			g := f.asked()
			g.LeaseType = nil
			c.ask(&g)
			_, err := f.Generate(f.Context(), f.by, g)
			if !fault.Is(err, c.code) || fault.From(err).Param != c.param || !strings.Contains(err.Error(), c.says) ||
				c.says == "" && strings.Contains(err.Error(), "template") {
				t.Errorf("%s: %v at %q", name, err, fault.From(err).Param)
			}
			if _, previewed := f.Preview(f.Context(), f.by, g); fmt.Sprint(previewed) != fmt.Sprint(err) {
				t.Errorf("%s: the preview answers %v", name, previewed)
			}
		}
		if all := dbtest.Texts(t, f.db, "SELECT id FROM leases"); len(all) > 0 {
			t.Error(all)
		}
	})
}

func TestLeaseStaysAsItsTemplateWas(t *testing.T) {
	onEach(t, func(f *fixture) {
		template := f.addsTemplate(standard())
		for _, name := range []string{"House rules.pdf", "Parking.pdf", "Pool.pdf"} {
			_, err := f.attachToTemplate(template.ID, name, name)
			f.ok(err)
		}
		template = f.template(template.ID)
		l := f.generates(func(g *agreement.LeaseGenerate) { g.TemplateID = &template.ID })
		if *l.TemplateVersion != 4 || template.Version != 4 {
			t.Errorf("the version %d of %d", *l.TemplateVersion, template.Version)
		}
		before := f.withTerms(l.ID)
		_, kept, err := f.Stored(f.Context(), *l.DocumentID)
		f.ok(err)
		if !reflect.DeepEqual(before.Attachments, l.Attachments) || len(l.Attachments) != 3 {
			t.Errorf("answered %+v, read %+v", l.Attachments, before.Attachments)
		}
		for i, a := range l.Attachments {
			_, content, err := f.Attached(f.Context(), f.by, l.ID, a.ID)
			f.ok(err)
			_, original, err := f.TemplateAttachment(f.Context(), f.by, template.ID, template.Attachments[i].ID)
			f.ok(err)
			a.ID, a.UploadedAt = template.Attachments[i].ID, template.Attachments[i].UploadedAt
			if !reflect.DeepEqual(a, template.Attachments[i]) || string(content) != string(original) ||
				!a.RequiresInitials {
				t.Errorf("%+v became %+v", template.Attachments[i], a)
			}
			if !strings.Contains(kept.Body, a.SHA256) {
				t.Errorf("the document does not name %s", a.FileName)
			}
		}

		changed := standard()
		changed.Clauses, changed.LateFeeAmount, changed.State = nil, nil, nil
		_, err = f.ChangeTemplate(f.Context(), f.by, change.Target{ID: template.ID}, changed)
		f.ok(err)
		_, err = f.DetachFromTemplate(f.Context(), f.by, template.ID, template.Attachments[0].ID)
		f.ok(err)
		unchanged := func() {
			t.Helper()
			_, now, err := f.Stored(f.Context(), *l.DocumentID)
			f.ok(err)
			if !reflect.DeepEqual(kept, now) || !reflect.DeepEqual(before, f.withTerms(l.ID)) {
				t.Error("the lease has changed with its template")
			}
			f.ok(f.Remake(f.Context(), f.by, l.ID))
			if _, now, err = f.Stored(f.Context(), *l.DocumentID); err != nil || !reflect.DeepEqual(kept, now) {
				t.Errorf("its document is made anew: %v", err)
			}
		}
		unchanged()
		_, err = f.DeleteTemplate(f.Context(), f.by, change.Target{ID: template.ID})
		f.ok(err)
		unchanged()
		if rows := dbtest.Texts(t, f.db, "SELECT id FROM lease_template_attachments"); len(rows) > 0 {
			t.Error(rows)
		}
		if n, err := f.attachedSize(l.ID, l.Attachments[0].ID); err != nil || n == 0 {
			t.Errorf("%d bytes, %v", n, err)
		}
	})
}

// attachedSize is the size of an attachment of a lease.
func (f *fixture) attachedSize(leaseID, attachmentID string) (int, error) {
	_, content, err := f.Attached(f.Context(), f.by, leaseID, attachmentID)
	return len(content), err
}

func TestTemplateHasAttachmentsOfOneLeaseAtMost(t *testing.T) {
	onEach(t, func(f *fixture) {
		template := f.addsTemplate(standard())
		for i := range agreement.MostAttachments {
			_, err := f.attachToTemplate(template.ID, "rules.pdf", fmt.Sprint(i))
			f.ok(err)
		}
		_, err := f.attachToTemplate(template.ID, "rules.pdf", "one more")
		if !fault.Is(err, fault.InvalidField) || !strings.Contains(err.Error(), "The template has 10 attachments") {
			t.Error(err)
		}
		template = f.template(template.ID)
		if template.Version != 11 || template.Attachments[9].FileName != "rules (10).pdf" {
			t.Errorf("%+v", template)
		}
		l := f.generates(func(g *agreement.LeaseGenerate) { g.TemplateID, g.Send = &template.ID, new(false) })
		if len(l.Attachments) != agreement.MostAttachments {
			t.Error(len(l.Attachments))
		}
		file, err := f.Clean(f.Context(), f.by, "more.pdf", documenttest.Pages("more"))
		f.ok(err)
		if _, err := f.Attach(f.Context(), f.by, l.ID, file); !fault.Is(err, fault.InvalidField) {
			t.Error(err)
		}
		_, err = f.Detach(f.Context(), f.by, l.ID, l.Attachments[0].ID)
		f.ok(err)
		if now := f.template(template.ID); !reflect.DeepEqual(now, template) {
			t.Errorf("the template changes with a lease: %+v", now)
		}
		if _, err := f.DetachFromTemplate(f.Context(), f.by, template.ID, l.Attachments[1].ID); !fault.Is(
			err, fault.NoRecord,
		) {
			t.Error(err)
		}

		wide := f.addsTemplate(agreement.TemplateInput{Name: "Wide"})
		_, err = f.attachToTemplate(wide.ID, "book.pdf", make([]string, agreement.MostAttachedPages)...)
		f.ok(err)
		_, err = f.attachToTemplate(wide.ID, "page.pdf", "one more")
		if !fault.Is(err, fault.InvalidField) || !strings.Contains(err.Error(), "101 pages") {
			t.Error(err)
		}
	})
}

func TestPreviewShowsWhatTheTemplateGives(t *testing.T) {
	onEach(t, func(f *fixture) {
		template := f.addsTemplate(standard())
		_, err := f.attachToTemplate(template.ID, "House rules.pdf", "Quiet")
		f.ok(err)
		g := f.asked()
		g.TemplateID = &template.ID
		f.ok(change.DryRun(f.Context(), f.db, func(ctx context.Context) error {
			m, err := f.Generate(ctx, f.by, g)
			if err == nil && (*m.After.LateFeeAmount != money.Dollars(50) || len(m.After.Attachments) != 1 ||
				*m.After.TemplateVersion != 2) {
				t.Errorf("%+v", m.After)
			}
			return err
		}))
		d, err := f.PreviewDocument(f.Context(), f.by, g)
		f.ok(err)
		if len(d.Attachments) != 1 || d.Attachments[0].Name != "House rules.pdf" {
			t.Errorf("%+v", d.Attachments)
		}
		for _, table := range []string{"leases", "lease_attachments"} {
			if all := dbtest.Texts(t, f.db, "SELECT id FROM "+table); len(all) > 0 {
				t.Errorf("%s: %v", table, all)
			}
		}
	})
}

func TestChangesOfTemplatesArePutOnTheTrail(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.rules.Trail = audit.Log{Store: servicestore.NewTrail(f.db), Now: func() time.Time { return f.now }}
		user := dbtest.Texts(t, f.db, "SELECT id FROM users")[0]
		person := audit.With(f.Context(), audit.By{UserID: user, Address: "192.0.2.1", RequestID: "req_1"})
		made, err := f.AddTemplate(person, f.by, standard())
		f.ok(err)
		id := made.After.ID
		file, err := f.Clean(person, f.by, "rules.pdf", documenttest.Pages("Quiet"))
		f.ok(err)
		attached, err := f.AttachToTemplate(person, f.by, id, file)
		f.ok(err)
		attachment := attached.After.Attachments[0].ID
		_, err = f.DetachFromTemplate(person, f.by, id, attachment)
		f.ok(err)
		renamed := standard()
		renamed.Name = "Renamed"
		for range 2 { // the same again changes nothing
			_, err = f.ChangeTemplate(person, f.by, change.Target{ID: id}, renamed)
			f.ok(err)
		}
		_, err = f.DeleteTemplate(person, f.by, change.Target{ID: id})
		f.ok(err)
		page, err := f.rules.Trail.Entries(f.Context(), audit.Query{AccountID: f.home.AccountID})
		f.ok(err)
		var got []string
		for _, e := range page.Data {
			d := e.Details
			got = append(got, strings.Join(strings.Fields(fmt.Sprint(
				strings.TrimPrefix(
					e.Action,
					"lease_template.",
				),
				" ",
				d["name"],
				" ",
				d["version"],
				" ",
				d["attached"],
				" ",
				d["removed"],
				" ",
				e.Target == id,
			)), " "))
		}
		want := []string{
			"deleted Renamed 4 true", "changed Renamed 4 true", "changed Standard 3 " + attachment + " true",
			"changed Standard 2 " + attachment + " true", "created Standard 1 true",
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
	})
}
