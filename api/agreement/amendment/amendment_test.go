package amendment_test

import (
	"strings"
	"sync"
	"testing"

	"portal/api/access"
	"portal/api/agreement/amendment"
	"portal/api/agreement/document/documenttest"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/terms"
	"portal/db/dbtest"
)

var december = clock.Day(2026, 12, 1)

const before = "2026-11-01 1450.00, 2026-12-01 1450.00"

func TestAmendmentChangesTheLeaseOnItsDay(t *testing.T) {
	onEach(t, func(f *fixture) {
		if got := f.rent(); got != before {
			t.Fatalf("the rent is %s", got)
		}
		a := f.allSign(f.sends(all(december)))
		if a.Status != amendment.Signed || a.SignedAt == nil || a.DocumentSHA256 == nil || len(a.Signatures) != 4 {
			t.Fatalf("%+v", a)
		}
		f.on(clock.Day(2026, 11, 30))
		if l := f.leaseNow(); l.MonthlyRent != money.Dollars(1450) || l.Terms.Pets != nil || f.rent() != before {
			t.Errorf("before the day: %+v, %s", l, f.rent())
		}
		f.on(december)
		f.on(december)
		l := f.leaseNow()
		if l.MonthlyRent != money.Dollars(1500) || len(l.Terms.Occupants) != 1 || len(l.Terms.Pets) != 1 {
			t.Errorf("%+v", l)
		}
		if got := f.rent(); !strings.HasPrefix(got, "2026-11-01 1450.00, 2026-12-01 1500.00") ||
			strings.Count(got, "1450") != 1 {
			t.Errorf("the rent is %s", got)
		}
		if a = f.reads(a); a.Status != amendment.InEffect || a.ClosedAt == nil {
			t.Errorf("%+v", a)
		}
		if all := f.amendedLines(); len(all) != 1 || all[0] != f.lease {
			t.Errorf("the trail has %v", all)
		}
		if _, err := f.Create(f.Context(), f.owner, f.lease, all(clock.Day(2027, 1, 1))); err == nil {
			t.Error("the rent stays, and nobody says so")
		}
	})
}

// Rent that is due, or paid, by the time of the last signature is charged by the new rent, too.
func TestLastSignatureAfterTheDayChangesTheLeaseAtOnce(t *testing.T) {
	onEach(t, func(f *fixture) {
		a := f.sends(all(december))
		f.on(clock.Day(2026, 12, 3))
		if a = f.allSign(a); a.Status != amendment.InEffect {
			t.Fatalf("%+v", a)
		}
		if got := f.rent(); !strings.HasPrefix(got, "2026-11-01 1450.00, 2026-12-01 1500.00, 2027-01-01 1500.00") {
			t.Errorf("the rent is %s", got)
		}
	})
}

func TestSignedDocumentSaysWhatChangesAndIsSealed(t *testing.T) {
	onEach(t, func(f *fixture) {
		a := f.allSign(f.sends(all(december)))
		content, err := f.DocumentForTenant(f.Context(), f.gus, f.lease, a.ID)
		f.ok(err)
		text := strings.Join(strings.Fields(documenttest.Tool(t, content, "pdftotext", "-layout", "FILE", "-")), " ")
		for _, want := range []string{
			"Amendment to the lease", "$1,450.00", "$1,500.00", "Kim Rivera", "Cat Miso", "may paint the kitchen",
			"All else in the lease stays as it is.", "Nguyễn Thảo", "Gus Rivera", "192.0.2.7", "Mozilla/5.0 (X11)",
			"UTC", "12 Harbor Lane",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in %s", want, text)
			}
		}
		if !strings.Contains(strings.ReplaceAll(text, " ", ""), a.SHA256()) {
			t.Errorf("no hash in %s", text)
		}
		if out := documenttest.Tool(t, content, "qpdf", "--check", "FILE"); strings.Contains(out, "WARNING") {
			t.Error(out)
		}
		out := documenttest.Tool(t, content, "pdfsig", "-nocert", "FILE")
		if !strings.Contains(out, "Signature is Valid") {
			t.Error(out)
		}
	})
}

func TestOnlyWhatWasShownIsSignedByThoseWhoseNameIsTyped(t *testing.T) {
	onEach(t, func(f *fixture) {
		draft, err := f.Create(f.Context(), f.owner, f.lease, all(december))
		f.ok(err)
		_, err = f.signs(f.sam, draft, "Sam Rivera")
		f.refused(err, fault.NoRecord, "")
		in := all(december)
		in.MonthlyRent = new(money.Dollars(1600))
		changed, err := f.Change(f.Context(), f.owner, f.lease, draft.ID, draft.Version, in)
		f.ok(err)
		_, err = f.Change(f.Context(), f.owner, f.lease, draft.ID, draft.Version, in)
		f.refused(err, fault.StaleWrite, "")
		send := func(by access.Actor, name, seen string) (*amendment.Amendment, error) {
			return f.Send(f.Context(), by, f.lease, draft.ID, amendment.Signing{Name: name, Seen: seen})
		}
		_, err = send(f.owner, "Dana Cohen", draft.SHA256())
		f.refused(err, fault.StaleWrite, "")
		_, err = send(f.owner, " ", changed.SHA256())
		f.refused(err, fault.MissingField, "")
		manager := f.owner
		manager.Role = access.Manager
		_, err = send(manager, "Mia", changed.SHA256())
		f.refused(err, fault.OwnerRequired, "")
		a, err := send(f.owner, "Dana Cohen", changed.SHA256())
		f.ok(err)
		if a.SHA256() != changed.SHA256() || f.reads(a).SHA256() != changed.SHA256() {
			t.Error("another content was kept than was shown")
		}
		_, err = f.signs(f.sam, a, "Gus Rivera")
		f.refused(err, fault.InvalidField, "Sam Rivera")
		_, err = f.SignAsTenant(f.Context(), f.sam, f.lease, a.ID, amendment.Signing{
			Name: "Sam Rivera", Seen: draft.SHA256(),
		})
		f.refused(err, fault.StaleWrite, "")
		_, err = f.signs(f.sam, a, "Sam Rivera")
		f.ok(err)
		_, err = f.signs(f.sam, a, "Sam Rivera")
		f.refused(err, fault.InvalidTransition, "already")
		_, err = f.Change(f.Context(), f.owner, f.lease, a.ID, a.Version, in)
		f.refused(err, fault.InvalidTransition, "")
		_, err = f.Create(f.Context(), f.owner, f.lease, all(december))
		f.refused(err, fault.InvalidTransition, "not done yet")
		if got := f.reads(a).Awaited(); len(got) != 2 || got[1].Name != "Gus Rivera" {
			t.Errorf("%+v", got)
		}
	})
}

func TestDeclinedAndWithdrawnAmendmentsChangeNothing(t *testing.T) {
	onEach(t, func(f *fixture) {
		a := f.sends(all(december))
		_, err := f.signs(f.sam, a, "Sam Rivera")
		f.ok(err)
		a, err = f.Decline(f.Context(), f.gus, f.lease, a.ID, "Too much.")
		if f.ok(err); says(a) != "declined: Too much." {
			t.Error(says(a))
		}
		_, err = f.signs(f.thao, a, "Nguyễn Thảo")
		f.refused(err, fault.InvalidTransition, "declined")
		a = f.sends(all(december))
		a, err = f.Withdraw(f.Context(), f.owner, f.lease, a.ID, "")
		if f.ok(err); says(a) != "withdrawn" {
			t.Error(says(a))
		}
		_, err = f.signs(f.thao, a, "Nguyễn Thảo")
		f.refused(err, fault.InvalidTransition, "withdrawn")
		f.on(december)
		if l := f.leaseNow(); l.MonthlyRent != money.Dollars(1450) || l.Terms.Occupants != nil {
			t.Errorf("%+v", l)
		}
	})
}

func TestLeaseThatIsNotAsThePartiesSawItStaysAsItIs(t *testing.T) {
	onEach(t, func(f *fixture) {
		raise := func(to money.Cents) {
			f.Helper()
			_, err := f.rules.Leases.UpdateLease(f.Context(), f.owner, change.Target{ID: f.lease}, lease.Update{
				MonthlyRent: change.To(to),
			})
			f.ok(err)
		}
		a := f.sends(all(december))
		raise(money.Dollars(1470))
		_, err := f.signs(f.sam, a, "Sam Rivera")
		f.refused(err, fault.InvalidTransition, "The rent of the lease is now $1,470")
		if a = f.reads(a); says(a) != "void: The rent of the lease is now $1,470." || len(a.Signatures) != 1 {
			t.Error(says(a))
		}
		a = f.allSign(f.sends(all(december)))
		raise(money.Dollars(1480))
		f.on(december)
		if a = f.reads(a); !strings.HasPrefix(says(a), "void: The rent") ||
			f.leaseNow().MonthlyRent != money.Dollars(1480) {
			t.Error(says(a))
		}
	})
}

func TestAmendmentOfALeaseThatEndsBeforeIsVoid(t *testing.T) {
	onEach(t, func(f *fixture) {
		a := f.allSign(f.sends(all(december)))
		f.now = clock.Day(2026, 11, 20).Std().Add(18 * 3600e9)
		_, err := f.rules.Leases.UpdateLease(f.Context(), f.owner, change.Target{ID: f.lease}, lease.Update{
			Status: change.To(portfolio.LeaseTerminated),
		})
		f.ok(err)
		f.on(clock.Day(2026, 11, 21))
		if a = f.reads(a); says(a) != "void: The lease is terminated." {
			t.Error(says(a))
		}
		_, err = f.Create(f.Context(), f.owner, f.lease, all(december))
		f.refused(err, fault.InvalidTransition, "active")
	})
}

func TestAmendmentsThatCannotBeAreRefused(t *testing.T) {
	onEach(t, func(f *fixture) {
		for _, c := range []struct {
			words  string
			change func(*amendment.Input)
		}{
			{"first day of a month", func(in *amendment.Input) { in.EffectiveOn++ }},
			{"today or later", func(in *amendment.Input) { in.EffectiveOn = clock.Day(2026, 11, 1) }},
			{"ends on 2027-12-31", func(in *amendment.Input) { in.EffectiveOn = clock.Day(2028, 1, 1) }},
			{"changes something", func(in *amendment.Input) { *in = amendment.Input{EffectiveOn: december} }},
			{"already", func(in *amendment.Input) { in.MonthlyRent = new(money.Dollars(1450)) }},
			{"clause", func(in *amendment.Input) { in.Clause = new("Paint \U000F0000") }},
			{"occupants", func(in *amendment.Input) { in.Occupants = make([]string, 11) }},
		} {
			in := all(december)
			c.change(&in)
			if _, err := f.Create(f.Context(), f.owner, f.lease, in); err == nil ||
				!strings.Contains(err.Error(), c.words) {
				t.Errorf("%q: %v", c.words, err)
			}
		}
		key := f.owner
		key.Scopes = access.Scopes{access.Read, access.Write}
		_, err := f.Create(f.Context(), key, f.lease, all(december))
		f.refused(err, fault.ScopeRequired, "")
		own := terms.Terms{CoOwners: []terms.CoOwner{{Name: "Kim Ellis", Email: "kim@example.com"}}}
		dbtest.Exec(t, f.db, "UPDATE leases SET terms = $1 WHERE id = $2", own.Encode(), f.lease)
		_, err = f.Create(f.Context(), f.owner, f.lease, all(december))
		f.refused(err, fault.InvalidTransition, "co-owners")
	})
}

func TestLastTwoSignAtOnceAndTwoProcessesApplyOnce(t *testing.T) {
	onEach(t, func(f *fixture) {
		a := f.sends(all(december))
		_, err := f.signs(f.sam, a, "Sam Rivera")
		f.ok(err)
		both := func(do ...func() error) {
			var people sync.WaitGroup
			for _, each := range do {
				people.Go(func() {
					if err := each(); err != nil {
						t.Error(err)
					}
				})
			}
			people.Wait()
		}
		other := f.process()
		sign := func(s *amendment.Service, by access.Actor, name string) func() error {
			return func() error {
				g := amendment.Signing{Name: name, Seen: a.SHA256()}
				_, err := s.SignAsTenant(t.Context(), by, f.lease, a.ID, g)
				return err
			}
		}
		both(sign(f.Service, f.thao, "Nguyễn Thảo"), sign(other, f.gus, "Gus Rivera"))
		if got := f.reads(a); got.Status != amendment.Signed || len(got.Signatures) != 4 || got.DocumentSHA256 == nil {
			t.Fatalf("%+v", got)
		}
		f.now = december.Std().Add(18 * 3600e9)
		by := access.Actor{Portfolio: f.home.Live, Zone: f.owner.Zone}
		apply := func(s *amendment.Service) func() error {
			return func() error { return s.ApplyDue(t.Context(), by) }
		}
		both(apply(f.Service), apply(other))
		if l := f.leaseNow(); len(l.Terms.Occupants) != 1 || l.MonthlyRent != money.Dollars(1500) {
			t.Errorf("%+v", l)
		}
		if all := f.amendedLines(); len(all) != 1 || all[0] != f.lease {
			t.Errorf("the trail has %v", all)
		}
	})
}

// The day of a test clock changes leases as a real one does, by the job that turns the days.
func TestDayOfTheTestClockChangesTheLease(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.owner.Portfolio = f.home.Test
		f.moveIn(nil)
		a := f.allSign(f.sends(all(december)))
		content, err := f.Document(t.Context(), f.owner, f.lease, a.ID)
		f.ok(err)
		if text := documenttest.Tool(t, content, "pdftotext", "FILE", "-"); !strings.Contains(text, "TEST MODE") {
			t.Error(text)
		}
		for ahead, want := range []amendment.Status{20: amendment.Signed, amendment.InEffect} {
			if want == "" {
				continue
			}
			dbtest.Exec(t, f.db, "UPDATE portfolios SET ahead_days = $1 WHERE id = $2", ahead, f.home.Test.ID)
			f.ok(f.rules.Calendar.RollOver(t.Context(), f.home.Test, f.owner.Zone))
			if got := f.reads(a); got.Status != want {
				t.Errorf("%d days ahead it is %s", ahead, got.Status)
			}
		}
		if got := f.rent(); !strings.Contains(got, "2026-12-01 1500.00") ||
			strings.Contains(got, "2026-12-01 1450.00") {
			t.Errorf("the rent is %s", got)
		}
	})
}

// A change without a new rent holds from any day, and at once where that is the day of the last signature.
func TestPetMovesInOnTheDayOfTheLastSignature(t *testing.T) {
	onEach(t, func(f *fixture) {
		a := f.allSign(f.sends(amendment.Input{EffectiveOn: clock.Day(2026, 11, 10), Pets: []terms.Pet{{Kind: "Dog"}}}))
		if l := f.leaseNow(); a.Status != amendment.InEffect || len(l.Terms.Pets) != 1 || l.Version != 2 ||
			f.rent() != before {
			t.Errorf("%s, %+v, %s", a.Status, l, f.rent())
		}
		a = f.allSign(f.sends(amendment.Input{EffectiveOn: clock.Day(2026, 11, 10), Clause: new("No smoking.")}))
		if l := f.leaseNow(); a.Status != amendment.InEffect || l.Version != 2 {
			t.Errorf("%s, %+v", a.Status, l)
		}
		all, err := f.Amendments(t.Context(), f.owner, f.lease)
		if f.ok(err); len(all) != 2 || all[0].ID != a.ID {
			t.Errorf("%+v", all)
		}
	})
}

// What is paid by the old rent for the time from the day on is charged the difference.
func TestPaidRentIsChargedTheDifference(t *testing.T) {
	onEach(t, func(f *fixture) {
		a := f.sends(all(december))
		f.on(clock.Day(2026, 12, 3))
		found, err := f.rules.Ledger.Payments(t.Context(), f.owner, portfolio.PaymentFilter{
			Query: list.Query{Limit: 100}, LeaseID: f.lease,
		})
		f.ok(err)
		for i := range found.Data {
			if p := &found.Data[i]; p.DueDate == december {
				dbtest.Exec(t, f.db, "UPDATE payments SET status = 'paid', amount_paid = amount WHERE id = $1", p.ID)
			}
		}
		f.allSign(a)
		if got := f.rent(); !strings.HasPrefix(got,
			"2026-11-01 1450.00, 2026-12-01 1450.00, 2026-12-03 50.00, 2027-01-01 1500.00") {
			t.Errorf("the rent is %s", got)
		}
	})
}

// What cannot be read of one amendment keeps neither another one nor the rest of the day back.
func TestOneBadAmendmentKeepsNoOtherBack(t *testing.T) {
	onEach(t, func(f *fixture) {
		bad := f.allSign(f.sends(all(december)))
		broken := f.lease
		f.moveIn(func(l *portfolio.Lease) { l.RentDueDay = 2 })
		good := f.allSign(f.sends(all(december)))
		dbtest.Exec(t, f.db, "UPDATE leases SET terms = '{\"pets\": 3}' WHERE id = $1", broken)
		f.now = december.Std().Add(18 * 3600e9)
		if err := f.rules.Calendar.RollOver(t.Context(), f.home.Live, f.owner.Zone); err == nil ||
			!strings.Contains(err.Error(), bad.ID) {
			t.Errorf("%v", err)
		}
		if got := f.reads(good); got.Status != amendment.InEffect {
			t.Errorf("%+v", got)
		}
	})
}

func TestAmendmentsOfOthersAreNotThere(t *testing.T) {
	onEach(t, func(f *fixture) {
		a := f.allSign(f.sends(all(december)))
		stranger, ctx := dbtest.NewHome(t, f.db, "robin"), t.Context()
		for _, by := range []access.Actor{
			{Portfolio: f.home.Test}, {Portfolio: stranger.Live, AccountID: stranger.AccountID}, f.sam,
		} {
			by.Scopes, by.Role, by.Zone = f.owner.Scopes, access.Owner, f.owner.Zone
			_, creates := f.Create(ctx, by, f.lease, all(december))
			_, lists := f.Amendments(ctx, by, f.lease)
			_, reads := f.Amendment(ctx, by, f.lease, a.ID)
			_, changes := f.Change(ctx, by, f.lease, a.ID, a.Version, all(december))
			_, sends := f.Send(ctx, by, f.lease, a.ID, amendment.Signing{Name: "R", Seen: a.SHA256()})
			_, withdraws := f.Withdraw(ctx, by, f.lease, a.ID, "")
			_, opens := f.Document(ctx, by, f.lease, a.ID)
			for what, err := range map[string]error{
				"create": creates, "list": lists, "read": reads, "change": changes, "send": sends,
				"withdraw": withdraws, "open": opens, "delete": f.Delete(ctx, by, f.lease, a.ID, a.Version),
			} {
				if !fault.Is(err, fault.NoRecord) {
					t.Errorf("%s in %d: %v", what, by.Portfolio.ID, err)
				}
			}
		}
		elsewhere := f.sam
		elsewhere.Portfolio = stranger.Live
		for _, by := range []access.Actor{f.nobody, f.owner, elsewhere} {
			_, lists := f.AmendmentsForTenant(ctx, by, f.lease)
			_, reads := f.ForTenant(ctx, by, f.lease, a.ID)
			_, opens := f.DocumentForTenant(ctx, by, f.lease, a.ID)
			_, signs := f.signs(by, a, "Out Sider")
			_, declines := f.Decline(ctx, by, f.lease, a.ID, "")
			for what, err := range map[string]error{
				"list": lists, "read": reads, "open": opens, "sign": signs, "decline": declines,
			} {
				if !fault.Is(err, fault.NoRecord) {
					t.Errorf("%s as %q: %v", what, by.TenantID, err)
				}
			}
		}
		page, err := f.All(ctx, f.owner, list.Query{Limit: 10})
		if f.ok(err); len(page.Data) != 1 || page.Data[0].SHA256() != a.SHA256() {
			t.Errorf("%+v", page)
		}
		shown, err := f.AmendmentsForTenant(ctx, f.gus, f.lease)
		if f.ok(err); len(shown) != 1 {
			t.Errorf("%+v", shown)
		}
	})
}

func TestAmendmentsTakeRoomOfTheDemoPortfolio(t *testing.T) {
	onEach(t, func(f *fixture) {
		f.owner.Portfolio = f.home.Test
		f.moveIn(nil)
		room := func() (records, bytes int64) {
			const query = `SELECT CAST(COALESCE(sum(records), 0) AS BIGINT), CAST(COALESCE(sum(bytes), 0) AS BIGINT)
				FROM (SELECT portfolio_id, records, bytes FROM demo_usage
					UNION ALL SELECT portfolio_id, records, bytes FROM demo_growth) u
				WHERE portfolio_id = $1`
			dbtest.Row(t, f.db, query, []any{f.home.Test.ID}, &records, &bytes)
			return records, bytes
		}
		records, bytes := room()
		draft, err := f.Create(t.Context(), f.owner, f.lease, all(december))
		f.ok(err)
		if more, now := room(); more != records+1 || now < bytes+200 {
			t.Errorf("%d records with %d bytes, before %d with %d", more, now, records, bytes)
		}
		f.ok(f.Delete(t.Context(), f.owner, f.lease, draft.ID, draft.Version))
		if n, now := room(); n != records || now != bytes {
			t.Errorf("%d records with %d bytes are left, before %d with %d", n, now, records, bytes)
		}
		a := f.allSign(f.sends(all(december)))
		content, err := f.Document(t.Context(), f.owner, f.lease, a.ID)
		f.ok(err)
		if n, now := room(); n != records+1 || now < bytes+int64(len(content)) {
			t.Errorf("%d records with %d bytes, before %d with %d", n, now, records, bytes)
		}
		dbtest.Exec(t, f.db, "DELETE FROM lease_amendments")
		if n, now := room(); n != records || now != bytes {
			t.Errorf("%d records with %d bytes are left, before %d with %d", n, now, records, bytes)
		}
	})
}
