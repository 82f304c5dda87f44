package ceremony_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/api/agreement/document/documenttest"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/terms"
	"portal/api/portfolio/records"
	"portal/api/secret"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

const baseURL = "https://portal.example.com"

// from is where the signers of these tests are.
var from = ceremony.Client{Address: "203.0.113.7", Browser: "Mozilla/5.0 (iPhone)"}

// fixture is a lease that was generated for two tenants, which nobody has signed yet.
type fixture struct {
	*testing.T
	*ceremony.Service
	agreements *agreement.Service
	rules      *records.Service
	db         *db.DB
	by         access.Actor
	now        time.Time
	lease      *agreement.LeaseWithTerms
	events     int

	raised *portfolio.Lease // by the latest event
	mutex  sync.Mutex
	mails  []mail.Message
	status mail.Status // of the next emails, "" for queued
}

func onEach(t *testing.T, test func(*fixture)) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) { test(newFixture(t, d)) })
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	t.Helper()
	f := &fixture{T: t, db: d, now: dbtest.Noon().Std()}
	home := dbtest.NewHome(t, d, "dana")
	f.by = access.Actor{
		Portfolio: home.Live,
		AccountID: home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write, access.Payments},
		Role:      access.Owner,
		Zone:      home.Zone,
	}
	box, err := secret.NewBox(bytes.Repeat([]byte{1}, secret.KeySize))
	f.ok(err)
	f.rules = records.New(portfoliostore.New(d), func() time.Time { return f.now }).Use(portfolio.Parts{
		BaseURL: baseURL,
		Post:    f,
		Events:  f,
	})
	f.agreements = agreement.New(f.rules, portfoliostore.New(d), box)
	f.agreements.Sealer = documenttest.Sealer(t)
	f.rules.Documents = f.agreements
	f.Service = ceremony.New(f.rules, f.agreements, portfoliostore.New(d), box)
	f.agreements.Offers = f.Service
	_, err = f.agreements.UpdateDetails(t.Context(), f.by, change.Target{}, agreement.DetailsUpdate{
		Address: change.To(new("12 Harbor Lane, Austin, TX 78701")),
		Signer:  change.To(new("Dana Whitfield")),
	})
	f.ok(err)
	var book portfolio.Book
	for _, name := range []string{"Sam Rivera", "Nguyễn Thảo"} {
		first, last, _ := strings.Cut(name, " ")
		book.Tenants = append(book.Tenants, portfolio.Tenant{
			Record:    dbtest.Record(id.Tenant, "tenant", access.Live, f.now),
			FirstName: first,
			LastName:  last,
			Email:     new(strings.ToLower(first) + "@example.com"),
			Status:    portfolio.TenantProspect,
		})
	}
	f.ok(portfoliostore.New(d).AddPeople(t.Context(), home.Live, &book))
	made, err := f.agreements.Generate(t.Context(), f.by, agreement.LeaseGenerate{
		PropertyID:          home.Unit[access.Live].PropertyID,
		TenantID:            book.Tenants[0].ID,
		AdditionalTenantIDs: &[]string{book.Tenants[1].ID},
		StartDate:           clock.Day(2027, 1, 9),
		MonthlyRent:         money.Cents(145050),
		LeaseType:           new(portfolio.Fixed),
		RentDueDay:          new(1),
		ExpiresInDays:       14,
		LeadPaint:           &terms.LeadPaint{Hazards: terms.NoHazards, Records: terms.NoRecords},
	})
	f.ok(err)
	f.lease = made.After
	return f
}

func (f *fixture) ok(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// Send implements mail.Post.
func (f *fixture) Send(_ context.Context, m *mail.Message) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	m.Status = cmp.Or(f.status, mail.Queued)
	f.mails = append(f.mails, *m)
	return nil
}

// Raise implements portfolio.Events.
func (f *fixture) Raise(_ context.Context, _ access.Portfolio, _ string, record any) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.events++
	f.raised, _ = record.(*portfolio.Lease)
	return nil
}

// token is the end of the link of a signer: the tenants in their order, and then the landlord.
func (f *fixture) token(i int) string {
	all, _, err := f.agreements.SignerStates(f.Context(), f.by.Portfolio, f.lease.ID)
	f.ok(err)
	return f.agreements.SigningToken(&all[i])
}

// address is where the mail of a signer goes.
func (f *fixture) address(i int) string {
	return []string{"sam@example.com", "nguyễn@example.com", "dana@example.com"}[i]
}

func (f *fixture) name(i int) string { return f.lease.Signers[i].Name }

var sixDigits = regexp.MustCompile(`\b\d{6}\b`)

// code has a code sent to a signer, who has looked at the lease, and reads it.
func (f *fixture) code(i int) string {
	f.Helper()
	f.ok(f.Review(f.Context(), f.token(i), from))
	f.ok(f.SendCode(f.Context(), f.token(i), from))
	return sixDigits.FindString(f.mails[len(f.mails)-1].Text)
}

func (f *fixture) signs(i int) {
	f.Helper()
	f.signsVersion(i, 1)
}

func (f *fixture) signsVersion(i, version int) {
	f.Helper()
	f.ok(f.Sign(f.Context(), f.token(i), ceremony.Signature{Version: version, Code: f.code(i), Name: f.name(i)}, from))
}

func (f *fixture) page(i int) *ceremony.Page {
	f.Helper()
	p, err := f.Page(f.Context(), f.token(i))
	f.ok(err)
	return p
}

func (f *fixture) reread() *portfolio.Lease {
	f.Helper()
	l, err := f.rules.Leases.Lease(f.Context(), f.by, f.lease.ID)
	f.ok(err)
	return l
}

// log is what happened, in order, as "kind name".
func (f *fixture) log() string {
	f.Helper()
	return strings.Join(dbtest.Texts(f, f.db,
		"SELECT trim(kind || ' ' || name) FROM document_evidence ORDER BY number"), ", ")
}

func TestLeaseCanBeSignedInAnyOrder(t *testing.T) {
	onEach(t, func(f *fixture) {
		if p := f.page(0); p.Standing != ceremony.ToReview || p.Email != "s•••••@example.com" ||
			p.Signer.Name != "Sam Rivera" || len(p.All) != 3 || p.Document == nil || p.Version != 1 {
			f.Errorf("%+v", p)
		}
		for n, i := range []int{2, 1, 0} {
			f.signs(i)
			want := portfolio.LeasePendingSignature
			if n == 2 {
				want = portfolio.LeaseSigned
			}
			if l := f.reread(); l.Status != want {
				f.Errorf("after %d: %s", n+1, l.Status)
			}
		}
		if f.events != 1 {
			f.Errorf("%d events", f.events)
		}
		if got, want := f.log(), "generated, mail_queued Sam Rivera, mail_queued Nguyễn Thảo, mail_queued Dana Whitfield, viewed Dana "+
			"Whitfield, consented Dana Whitfield, mail_queued Dana Whitfield, "+
			"code_given Dana Whitfield, signed Dana Whitfield, viewed Nguyễn Thảo, consented Nguyễn Thảo, "+
			"mail_queued Nguyễn Thảo, code_given Nguyễn Thảo, signed Nguyễn Thảo, viewed Sam Rivera, "+
			"consented Sam Rivera, mail_queued Sam Rivera, code_given Sam Rivera, signed Sam Rivera, "+
			"executed"; got != want {
			f.Errorf("the log is %s", got)
		}
		found, err := f.agreements.Verify(f.Context(), *f.lease.DocumentID)
		if err != nil || found != nil {
			f.Errorf("%v, %v", found, err)
		}
		if p := f.page(1); p.Standing != ceremony.Executed || p.Signer.Status != agreement.Signed {
			f.Errorf("%+v", p)
		}
	})
}

func TestLinkAloneCannotSign(t *testing.T) {
	onEach(t, func(f *fixture) {
		sign := func(i int, code string) error {
			return f.Sign(f.Context(), f.token(i), ceremony.Signature{Version: 1, Code: code, Name: f.name(i)}, from)
		}
		refused := func(what string, err error, code fault.Code, param string) {
			f.Helper()
			if !fault.Is(err, code) || fault.From(err).Param != param {
				f.Errorf("%s: %v", what, err)
			}
		}
		refused("before a review", sign(0, "123456"), fault.StaleWrite, "version")
		f.ok(f.Review(f.Context(), f.token(0), from))
		refused("before consent", sign(0, "123456"), fault.InvalidField, "consent")
		first := f.code(0)
		refused("another name", f.Sign(f.Context(), f.token(0), ceremony.Signature{
			Version: 1, Code: first, Name: "Sam Riviera",
		}, from), fault.InvalidField, "name")
		other := f.code(1)
		if other != first {
			refused("the code of another signer", sign(0, other), fault.InvalidField, "code")
		}
		second := f.code(0)
		if first != second {
			refused("an earlier code", sign(0, first), fault.InvalidField, "code")
		}
		for range 5 { // the third one may have been tried already
			_ = sign(0, "wrong")
		}
		refused("after five tries", sign(0, second), fault.InvalidField, "code")
		third := f.code(0)
		f.now = f.now.Add(10*time.Minute + time.Second)
		refused("after ten minutes", sign(0, third), fault.InvalidField, "code")
		if err := f.SendCode(f.Context(), f.token(0), from); !fault.Is(err, fault.RateLimited) ||
			fault.From(err).Retry < 2900 {
			f.Errorf("a fourth code within an hour: %v", err)
		}
		f.now = f.now.Add(time.Hour)
		f.ok(sign(0, f.code(0)))
		f.ok(sign(0, "again"))
		if n := strings.Count(f.log(), "signed"); n != 1 {
			f.Errorf("%d signatures", n)
		}
		for what, token := range map[string]string{
			"a changed link": f.token(0)[:len(f.token(0))-1] + "A",
			"the link of a document": strings.TrimPrefix(f.agreements.Link(*f.lease.DocumentID),
				baseURL+"/documents/"),
			"another signer's":           f.lease.Signers[1].ID + f.token(0)[strings.Index(f.token(0), "."):],
			"no signature":               f.lease.Signers[0].ID,
			"nothing":                    "",
			"a signer that is not there": id.New(id.Signer, f.now) + ".x",
		} {
			if token == f.token(0) {
				continue
			}
			if _, err := f.Page(f.Context(), token); !fault.Is(err, fault.NoRecord) {
				f.Errorf("%s: %v", what, err)
			}
		}
	})
}

func TestChangedLeaseNeedsNewReview(t *testing.T) {
	onEach(t, func(f *fixture) {
		code := f.code(0)
		_, err := f.agreements.UpdateLease(f.Context(), f.by, change.Target{ID: f.lease.ID},
			lease.Update{MonthlyRent: change.To(money.Dollars(1777))})
		f.ok(err)
		p := f.page(0)
		if p.Standing != ceremony.ToReview || p.Version != 2 ||
			!slices.ContainsFunc(p.Changes, func(s string) bool { return strings.Contains(s, "$1,777") }) {
			f.Errorf("%s, version %d, %q", p.Standing, p.Version, p.Changes)
		}
		for _, version := range []int{1, 2} {
			err := f.Sign(
				f.Context(),
				f.token(0),
				ceremony.Signature{Version: version, Code: code, Name: f.name(0)},
				from,
			)
			if !fault.Is(err, fault.StaleWrite) {
				f.Errorf("version %d: %v", version, err)
			}
		}
		f.ok(f.Review(f.Context(), f.token(0), from))
		if p := f.page(0); p.Standing != ceremony.ToSign || p.Changes != nil {
			f.Errorf("%+v", p)
		}
		f.ok(f.Sign(f.Context(), f.token(0), ceremony.Signature{Version: 2, Code: code, Name: "sam  rivera "}, from))
	})
}

func TestEndedLeaseCannotBeSigned(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(*fixture)
		want ceremony.Standing
	}{
		"declined": {func(f *fixture) {
			f.ok(f.Review(f.Context(), f.token(1), from))
			f.ok(f.Decline(f.Context(), f.token(1), "The rent is too high.", from))
			m := f.mails[len(f.mails)-1]
			if m.To != "dana@example.com" || !strings.Contains(m.Text, "The rent is too high.") {
				f.Errorf("%+v", m)
			}
			if s := f.page(1).Signer; s.Status != agreement.Declined || *s.DeclineReason != "The rent is too high." {
				f.Errorf("%+v", s)
			}
		}, ceremony.Declined},
		"voided": {func(f *fixture) {
			_, err := f.rules.Leases.UpdateLease(f.Context(), f.by, change.Target{ID: f.lease.ID},
				lease.Update{Status: change.To(portfolio.LeaseVoided)})
			f.ok(err)
		}, ceremony.Voided},
		"expired": {func(f *fixture) { f.now = f.now.AddDate(0, 0, 15) }, ceremony.Expired},
	} {
		t.Run(name, func(t *testing.T) {
			onEach(t, func(f *fixture) {
				code := f.code(0)
				c.end(f)
				before := f.log()
				signature := ceremony.Signature{Version: 1, Code: code, Name: f.name(0)}
				for what, err := range map[string]error{
					"sign":    f.Sign(f.Context(), f.token(0), signature, from),
					"review":  f.Review(f.Context(), f.token(2), from),
					"code":    f.SendCode(f.Context(), f.token(0), from),
					"decline": f.Decline(f.Context(), f.token(0), "", from),
				} {
					if !fault.Is(err, fault.InvalidTransition) && (what != "sign" || name != "expired") {
						f.Errorf("%s: %v", what, err)
					}
					if err == nil {
						f.Errorf("%s went through", what)
					}
				}
				if p := f.page(0); p.Standing != c.want || p.Document != nil {
					f.Errorf("%s, %v", p.Standing, p.Document != nil)
				}
				if f.log() != before || f.events != 0 {
					f.Errorf("%d events, and the log is %s", f.events, f.log())
				}
			})
		})
	}
}

func TestConcurrentSigningCountsOneSignature(t *testing.T) {
	onEach(t, func(f *fixture) {
		file, err := f.agreements.Clean(f.Context(), f.by, "House rules.pdf", documenttest.Pages("Quiet hours"))
		f.ok(err)
		file.RequiresInitials = true
		attached, err := f.agreements.Attach(f.Context(), f.by, f.lease.ID, file)
		f.ok(err)
		of := func(i int, code, initials string) ceremony.Signature {
			return ceremony.Signature{
				Version: 2, Code: code, Name: f.name(i),
				Initials: map[string]string{attached.After.ID: initials},
			}
		}
		f.ok(f.Sign(f.Context(), f.token(1), of(1, f.code(1), "NT"), from))
		first, last := f.code(0), f.code(2)
		var all sync.WaitGroup
		errs := make([]error, 50)
		for n := range errs {
			i, g := 0, of(0, first, "SR")
			if n%2 == 1 {
				i, g = 2, of(2, last, "DW")
			}
			all.Go(func() { errs[n] = f.Sign(f.Context(), f.token(i), g, from) })
		}
		all.Wait()
		done := 0
		for _, err := range errs {
			if err == nil {
				done++
			} else if !fault.Is(err, fault.InvalidField) {
				f.Error(err)
			}
		}
		if n := strings.Count(f.log(), "signed "); done < 2 || n != 3 || f.events != 1 {
			f.Errorf("%d went through, %d signatures, %d events", done, n, f.events)
		}
		if n := strings.Count(f.log(), "initialed "); n != 3 {
			f.Errorf("%d initials", n)
		}
		if l := f.reread(); l.Status != portfolio.LeaseSigned {
			f.Error(l.Status)
		}
		found, err := f.agreements.Verify(f.Context(), *f.lease.DocumentID)
		if err != nil || found != nil {
			f.Error(fmt.Sprint(found), err)
		}
	})
}

// to are the recipients of mails from one on, with their subjects.
func (f *fixture) to(from int) (all []string) {
	for _, m := range f.mails[from:] {
		subject, _, _ := strings.Cut(m.Subject, " the lease for")
		all = append(all, m.To+" "+subject)
	}
	return all
}

func TestEachSignerGetsLinkAndTwoReminders(t *testing.T) {
	onEach(t, func(f *fixture) {
		if got := fmt.Sprint(f.to(0)); got != "[sam@example.com Sign nguyễn@example.com Sign dana@example.com Sign]" {
			f.Error(got)
		}
		if m := f.mails[0]; !strings.Contains(m.Text, baseURL+"/sign/"+f.token(0)) ||
			!strings.Contains(m.Text, "Revíselo y fírmelo aquí") || m.About != f.lease.Signers[0].ID {
			f.Errorf("%+v", m)
		}
		f.signs(1)
		remind := func(days int) string {
			f.Helper()
			n := len(f.mails)
			f.now = dbtest.Noon().Std().AddDate(0, 0, days)
			for range 2 { // a second look finds nothing
				f.ok(f.Remind(f.Context(), f.now))
			}
			return fmt.Sprint(f.to(n))
		}
		for _, c := range []struct {
			days int
			want string
		}{
			{2, "[]"},
			{3, "[sam@example.com Reminder: sign dana@example.com Reminder: sign]"},
			{6, "[]"},
			{7, "[sam@example.com Reminder: sign dana@example.com Reminder: sign]"},
			{13, "[]"},
		} {
			if got := remind(c.days); got != c.want {
				f.Errorf("after %d days: %s", c.days, got)
			}
		}
		found, err := f.agreements.Verify(f.Context(), *f.lease.DocumentID)
		if err != nil || found != nil {
			f.Error(found, err)
		}
	})
}

func TestClosedAccountSendsNoReminders(t *testing.T) {
	onEach(t, func(f *fixture) {
		n := len(f.mails)
		dbtest.Exec(f.T, f.db, "UPDATE accounts SET closed_at = $1", f.now.UnixMilli())
		f.now = f.now.AddDate(0, 0, 4)
		f.ok(f.Remind(f.Context(), f.now))
		if got := f.to(n); len(got) != 0 {
			f.Errorf("reminded: %v", got)
		}
	})
}

func TestRemindersCoverEveryPageOfSigners(t *testing.T) {
	onEach(t, func(f *fixture) {
		for i := range 120 {
			dbtest.Exec(f.T, f.db, `INSERT INTO lease_signers (
					portfolio_id, lease_id, position, id, role, name, sent_at, email_status, reminders)
				SELECT portfolio_id, lease_id, position + $1, $2, role, name, sent_at, email_status, reminders
				FROM lease_signers
				WHERE role = 'landlord'
				ORDER BY position
				LIMIT 1`, i+1, id.New(id.Signer, f.now))
		}
		n := len(f.mails)
		f.now = f.now.AddDate(0, 0, 4)
		f.ok(f.Remind(f.Context(), f.now))
		if got := len(f.to(n)); got != 123 {
			f.Errorf("%d are reminded", got)
		}
	})
}

func TestSigningCodeIsBoundToEmailAddress(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.ok(f.Review(f.Context(), f.token(0), from))
		code := f.code(0)
		_, err := f.rules.Tenants.UpdateTenant(f.Context(), f.by, change.Target{ID: f.lease.TenantIDs[0]},
			lease.TenantUpdate{Email: change.To(new("other@example.com"))})
		f.ok(err)
		f.ok(f.Review(f.Context(), f.token(0), from))
		err = f.Sign(f.Context(), f.token(0), ceremony.Signature{
			Version: f.page(0).Version, Code: code, Name: f.name(0),
		}, from)
		if !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "code" {
			f.Errorf("a code that was sent to an earlier address: %v", err)
		}
	})
}

func TestSigningLinkCanBeResent(t *testing.T) {
	onEach(t, func(f *fixture) {
		again := func(by access.Actor, i int) error {
			return f.SendLink(f.Context(), by, f.lease.ID, f.lease.Signers[i].ID)
		}
		for range 5 {
			f.ok(again(f.by, 0))
		}
		if err := again(f.by, 0); !fault.Is(err, fault.RateLimited) {
			f.Errorf("a sixth email: %v", err)
		}
		reader := f.by
		reader.Scopes = access.Scopes{access.Read}
		if err := again(reader, 1); !fault.Is(err, fault.ScopeRequired) {
			f.Errorf("with read alone: %v", err)
		}
		stranger := f.by
		stranger.Portfolio = dbtest.NewHome(f.T, f.db, "robin").Live
		if err := again(stranger, 1); !fault.Is(err, fault.NoRecord) {
			f.Errorf("of another portfolio: %v", err)
		}
		f.signs(1)
		if err := again(f.by, 1); !fault.Is(err, fault.InvalidTransition) {
			f.Errorf("to who has signed: %v", err)
		}
		for i, want := range []bool{true, false, true} {
			if wanted, err := f.wanted(mail.Message{
				About: f.lease.Signers[i].ID, Topic: "link", To: f.address(i),
			}); err != nil || wanted != want {
				f.Errorf("%d: %t, %v", i, wanted, err)
			}
		}
		f.ok(f.MailFollowed(f.Context(), f.by.Portfolio, f.lease.Signers[0].ID, mail.Followed{
			Topic: "link", To: "thao@example.com", Status: mail.Failed, Words: "550 no such user",
		}))
		if got := dbtest.Texts(f, f.db, "SELECT email_status FROM lease_signers ORDER BY position"); fmt.Sprint(got) !=
			"[failed queued queued]" {
			f.Error(got)
		}
	})
}
