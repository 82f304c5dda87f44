package upload_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/upload"
	"portal/api/sampled"
	"portal/db"
	"portal/db/accountstore"
	"portal/db/portfoliostore"
)

// hooked is a store that calls back before each transaction of an import begins, and before each of its writes.
type hooked struct {
	upload.Store
	begins func(n int) error // nil for nothing
	writes func(n int) error // nil for nothing
	begun  int
	wrote  int
}

func (h *hooked) Atomically(ctx context.Context, do func(context.Context) error) error {
	if !db.Inside(ctx) && h.begins != nil {
		h.begun++
		if err := h.begins(h.begun); err != nil {
			return err
		}
	}
	return h.Store.Atomically(ctx, do)
}

func (h *hooked) written() error {
	if h.wrote++; h.writes == nil {
		return nil
	}
	return h.writes(h.wrote)
}

func (h *hooked) AddProperties(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	return errors.Join(h.Store.AddProperties(ctx, in, b), h.written())
}

func (h *hooked) AddPeople(ctx context.Context, in access.Portfolio, b *portfolio.Book) error {
	return errors.Join(h.Store.AddPeople(ctx, in, b), h.written())
}

func (h *hooked) AddPayments(ctx context.Context, in access.Portfolio, all []portfolio.Payment) error {
	return errors.Join(h.Store.AddPayments(ctx, in, all), h.written())
}

func (h *hooked) GrowProperty(
	ctx context.Context, in access.Portfolio, id string, postalCode *string, yearBuilt *int, at clock.Time,
) error {
	return errors.Join(h.Store.GrowProperty(ctx, in, id, postalCode, yearBuilt, at), h.written())
}

func (h *hooked) SaveProgress(ctx context.Context, in access.Portfolio, r *upload.Row) error {
	return errors.Join(h.Store.SaveProgress(ctx, in, r), h.written())
}

func (h *hooked) SaveUpload(
	ctx context.Context, in access.Portfolio, r *upload.Row, from upload.Status,
) (bool, error) {
	saved, err := h.Store.SaveUpload(ctx, in, r, from)
	return saved, errors.Join(err, h.written())
}

var errPower = errors.New("the power is gone")

// held is a rent roll that a portfolio has, and grownRoll what became of it after a purchase: three parts of an import,
// with other rents, a lease that has ended, a tenant who lives at the end of the file and had a home at its beginning,
// and balances.
func held() string {
	var b strings.Builder
	b.WriteString(head)
	for i := range 20 {
		fmt.Fprintf(&b, "7 Oak St,Austin,TX,%d,1,Tenant Held%c,,2026-01-01,,800,\n", i+1, 'a'+i)
	}
	return b.String()
}

func grownRoll() string {
	var b strings.Builder
	b.WriteString(head)
	for i := range 20 {
		rent, name := 800, fmt.Sprintf("Tenant Held%c", 'a'+i)
		switch {
		case i < 12:
			rent = 850 // ticked
		case i == 12:
			name = "Vacant"
		}
		if name == "Vacant" {
			fmt.Fprintf(&b, "7 Oak St,Austin,TX,%d,1,Vacant,,,,,\n", i+1)
			continue
		}
		fmt.Fprintf(&b, "7 Oak St,Austin,TX,%d,1,%s,,2026-01-01,,%d,\n", i+1, name, rent)
	}
	for i := range 110 {
		lease := fmt.Sprintf("Tenant New%c%c,n%d@example.com,2026-02-01,,900,%d", 'a'+i/10, 'a'+i%10, i, i%3*10)
		switch i {
		case 1:
			lease = "Dana Whitfield,dana@example.com,2024-01-01,2024-12-31,900,"
		case 109:
			lease = "Dana Whitfield,dana@example.com,2026-01-01,,1000,15"
		case 50:
			lease = "Vacant,,,,,"
		}
		street := "7 Oak St"
		if i >= 5 && (i < 105 || i == 109) {
			street = fmt.Sprintf("%d Elm St", i/30+1)
		}
		fmt.Fprintf(&b, "%s,Austin,TX,N%d,2,%s\n", street, i, lease)
	}
	return b.String()
}

// grows makes a portfolio of its own that has the first rent roll, and has the second one confirmed with all changes.
func (o *fixture) grows(scopes ...access.Scope) (by access.Actor, u *upload.Upload, order upload.Order) {
	o.Helper()
	a := developer.Account{
		ID: id.New(id.Account, o.now), Name: "A", TimeZone: "UTC", Plan: developer.Plan{Tier: developer.Pro},
	}
	o.ok(accountstore.New(o.db).AddAccount(o.Context(), a))
	in, err := accountstore.New(o.db).AddPortfolio(o.Context(), a.ID, access.Live)
	o.ok(err)
	by = o.by(access.Live, 1000)
	by.AccountID, by.Portfolio = a.ID, in
	by.Scopes = scopes
	if u := o.imports(by, held(), nil); u.Status != upload.Done {
		o.Fatalf("%+v", u.Preview)
	}
	u = o.takes(by, []byte(grownRoll()))
	apply := rentroll.Apply
	u, err = o.Answer(o.Context(), by, u.ID, map[string]*string{"changes:lease": &apply, "changes:end": &apply})
	o.ok(err)
	if len(u.Preview.Problems) > 0 || len(u.Preview.Approved) != 13 {
		o.Fatalf("%+v, %d changes", u.Preview.Problems, len(u.Preview.Approved))
	}
	_, err = o.confirms(by, u.ID)
	o.ok(err)
	return by, u, o.orders[len(o.orders)-1]
}

// all is holds with the ledger and with the homes of tenants.
func (o *fixture) all(in access.Portfolio) string {
	o.Helper()
	var more []string
	o.ok(
		o.db.Each(
			o.Context(),
			`SELECT u.unit_number, coalesce(l.status, ''), t.first_name || ' ' || t.last_name, p.amount
		FROM tenants t
		JOIN units u ON u.portfolio_id = t.portfolio_id AND u.id = t.unit_id
		LEFT JOIN leases l ON l.portfolio_id = t.portfolio_id AND l.id = t.current_lease_id AND l.unit_id = u.id
		LEFT JOIN payments p ON p.portfolio_id = t.portfolio_id AND p.tenant_id = t.id
		WHERE t.portfolio_id = $1
		ORDER BY u.unit_number, t.first_name, t.last_name, p.amount`,
			[]any{in.ID},
			func(scan db.Scan) error {
				var unit, lease, name string
				var amount *money.Cents
				err := scan(&unit, &lease, &name, &amount)
				owed := "nothing"
				if amount != nil {
					owed = amount.String()
				}
				more = append(more, fmt.Sprintf("%s lives in %s: lease %s, owed %s", name, unit, lease, owed))
				return err
			},
		),
	)
	return o.holds(in) + "\n" + strings.Join(more, "\n")
}

// process is another process that imports.
func (o *fixture) process(store upload.Store) *upload.Service {
	return &upload.Service{Store: store, Box: o.Box, Queue: o, Clock: o.Clock, Trail: o.Trail, Rules: o.Rules}
}

func TestInterruptedImportGoesOnFromWhereItStopped(t *testing.T) {
	onEach(t, func(o *fixture) {
		store := o.Service.Store
		by, u, order := o.grows(access.Write, access.Payments)
		before := o.all(by.Portfolio)
		o.ok(o.Fulfil(o.Context(), order))
		want, done := o.all(by.Portfolio), o.reads(by, u.ID)
		if done.Status != upload.Done || done.Totals.Changed != 13 || done.Totals.Skipped != 0 ||
			done.Written != done.Records || want == before {
			o.Fatalf("%+v of %+v", done.Totals, done.Row)
		}
		// How many transactions it takes depends on how fast they are, so the end is where none of the writes fails.
		step, ended := 9, false
		if sampled.Whole {
			step = 1
		}
		for last := 1; !ended; last += step {
			o.Service.Store = store
			by, u, order := o.grows(access.Write, access.Payments)
			used := o.counts(by.Portfolio)
			o.Service.Store = &hooked{Store: store, writes: func(n int) error {
				if n == last {
					return errPower
				}
				return nil
			}}
			err := o.Fulfil(o.Context(), order)
			if ended = err == nil; !ended && !errors.Is(err, errPower) {
				o.Fatalf("write %d: %v", last, err)
			}
			got := o.reads(by, u.ID)
			if n := o.counts(by.Portfolio); !ended && got.Status != upload.Queued || got.Written > 0 && n != used+110 {
				o.Errorf("write %d: %s, %d of %d, %d units", last, got.Status, got.Written, got.Records, n)
			}
			o.Service.Store = store
			o.ok(o.Resume(o.Context()))
			if got := o.reads(by, u.ID); got.Status != upload.Done || *got.Totals != *done.Totals {
				o.Errorf("write %d: %s, %+v, want %+v", last, got.Status, got.Totals, done.Totals)
			}
			if got := o.all(by.Portfolio); got != want {
				o.Errorf("write %d: got\n%s\nwant\n%s", last, got, want)
			}
		}
	})
}

// Others write between the parts: what they make of the same records wins, and nothing is there twice.
func TestImportMeetsWhatOthersWriteMeanwhile(t *testing.T) {
	onEach(t, func(o *fixture) {
		store := o.Service.Store
		plain, u, order := o.grows(access.Write, access.Payments)
		o.ok(o.Fulfil(o.Context(), order))
		want, wantTotals := o.all(plain.Portfolio), *o.reads(plain, u.ID).Totals
		for name, test := range map[string]struct {
			meanwhile func(by access.Actor)
			ends      func(by access.Actor, u *upload.Upload)
		}{
			"the same file": {func(by access.Actor) {
				again := o.process(store)
				o.ok(again.Resume(o.Context()))
			}, func(by access.Actor, u *upload.Upload) {
				if got := o.all(by.Portfolio); got != want || *u.Totals != wantTotals {
					o.Errorf("%+v\n%s\nwant\n%s", u.Totals, got, want)
				}
			}},
			"a rent": {func(by access.Actor) {
				leases, err := portfoliostore.New(o.db).Leases(o.Context(), by.Portfolio,
					portfolio.LeaseFilter{Query: portfolio.AllLeases})
				o.ok(err)
				for i := range leases {
					if leases[i].Tenants[0].Name == "Tenant Heldc" {
						c := rentroll.Change{Kind: rentroll.ChangeLease, ID: leases[i].ID, Fields: []rentroll.Field{
							{Name: "monthly_rent", From: "800.00", To: "875.00"},
						}}
						o.ok(o.Rules.By(by).Change(o.Context(), &c))
					}
				}
			}, func(by access.Actor, u *upload.Upload) {
				if u.Status != upload.Done || u.Totals.Changed != 12 || u.Totals.Skipped != 1 ||
					!strings.Contains(o.all(by.Portfolio), "lease of Tenant Heldc from 2026-01-01: 875.00, active") {
					o.Errorf("%+v", u)
				}
			}},
			"a property": {func(by access.Actor) {
				other := o.takes(by, []byte(head+"3 Elm Street,Austin,TX,Z1,2,Vacant,,,,,\n3 Elm Street,Austin,TX,N75,,Vacant,,,,,\n"))
				_, err := o.confirms(by, other.ID)
				o.ok(err)
				second := o.process(store)
				o.ok(second.Fulfil(o.Context(), o.orders[len(o.orders)-1]))
			}, func(by access.Actor, u *upload.Upload) {
				got := o.all(by.Portfolio)
				if u.Status != upload.Done || strings.Count(got, "property 3 Elm St") != 1 ||
					strings.Count(got, "unit N75:") != 1 || strings.Count(got, "unit Z1:") != 1 ||
					!strings.Contains(got, "property 3 Elm Street, 31 units, 30 occupied") {
					o.Errorf("%+v: %s", u, got)
				}
			}},
			// The last home of a tenant is written with their first.
			"a unit of a property of the import": {func(by access.Actor) {
				other := o.takes(by, []byte(head+"4 Elm Street,Austin,TX,N100,,Vacant,,,,,\n"))
				_, err := o.confirms(by, other.ID)
				o.ok(err)
				second := o.process(store)
				o.ok(second.Fulfil(o.Context(), o.orders[len(o.orders)-1]))
			}, func(by access.Actor, u *upload.Upload) {
				if u.Status != upload.Ready || !u.Preview.Refused || u.Preview.Partly() == "" || !u.Preview.Fits() {
					o.Fatalf("%+v, %+v", u.Row, u.Preview)
				}
				begun, err := o.confirms(by, u.ID)
				o.ok(err)
				o.ok(o.Fulfil(o.Context(), o.orders[len(o.orders)-1]))
				got := o.all(by.Portfolio)
				if u := o.reads(by, u.ID); !begun || u.Status != upload.Done ||
					strings.Count(got, "unit N100:") != 1 ||
					strings.Count(got, "lease of ") != strings.Count(want, "lease of ") {
					o.Errorf("%+v: %s", u, got)
				}
			}},
			"an archived property": {func(by access.Actor) {
				o.ok(o.db.Run(o.Context(), "UPDATE properties SET status = 'archived' WHERE portfolio_id = $1 AND street_address LIKE '7 Oak%'",
					by.Portfolio.ID))
			}, func(by access.Actor, u *upload.Upload) {
				if p := u.Preview; u.Status != upload.Ready || !p.Refused || len(p.Problems) != 1 ||
					!strings.Contains(p.Partly(), "records were imported. Then the portfolio changed") {
					o.Errorf("%+v, %+v", u.Row, p)
				}
			}},
		} {
			o.Service.Store = store
			by, u, order := o.grows(access.Write, access.Payments)
			did := false
			o.Service.Store = &hooked{Store: store, begins: func(int) error {
				if got := o.reads(by, u.ID); got.Status == upload.Queued && got.Written > 0 && !did {
					did = true
					test.meanwhile(by)
				}
				return nil
			}}
			o.ok(o.Fulfil(o.Context(), order))
			if !did {
				o.Errorf("%s: the import was one part", name)
			}
			test.ends(by, o.reads(by, u.ID))
		}
	})
}

// Two processes take up the same import, as often as they like.
func TestConcurrentProcessesImportOnce(t *testing.T) {
	onEach(t, func(o *fixture) {
		plain, _, first := o.grows(access.Write, access.Payments)
		o.ok(o.Fulfil(o.Context(), first))
		want := o.all(plain.Portfolio)
		by, u, order := o.grows(access.Write, access.Payments)
		var all sync.WaitGroup
		for range 3 {
			other := o.process(o.Service.Store)
			all.Go(func() {
				if err := other.Fulfil(context.Background(), order); err != nil {
					o.Error(err)
				}
			})
		}
		all.Wait()
		o.ok(o.Resume(o.Context()))
		if got := o.reads(by, u.ID); got.Status != upload.Done || got.Totals.Units != 110 {
			o.Errorf("%+v", got)
		}
		if got := o.all(by.Portfolio); got != want {
			o.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// late is a store of a process that is slow to read a file.
type late struct {
	upload.Store
	before func()
}

func (l *late) UploadContent(ctx context.Context, in access.Portfolio, id string) ([]byte, error) {
	if before := l.before; before != nil {
		l.before = nil
		before()
	}
	return l.Store.UploadContent(ctx, in, id)
}

// A process that has found an import before another one began it takes what that one has written for a change of the
// portfolio. It must not give the import back.
func TestProcessThatIsLateGivesNoImportBack(t *testing.T) {
	onEach(t, func(o *fixture) {
		store := o.Service.Store
		plain, _, first := o.grows(access.Write, access.Payments)
		o.ok(o.Fulfil(o.Context(), first))
		want := o.all(plain.Portfolio)
		by, u, order := o.grows(access.Write, access.Payments)
		begins := o.process(&hooked{Store: store, begins: func(int) error {
			if o.reads(by, u.ID).Written > 0 {
				return errPower
			}
			return nil
		}})
		follows := o.process(&late{store, func() {
			if err := begins.Fulfil(o.Context(), order); !errors.Is(err, errPower) {
				o.Errorf("the first process: %v", err)
			}
		}})
		o.ok(follows.Fulfil(o.Context(), order))
		if got := o.reads(by, u.ID); got.Status != upload.Queued || got.Written == 0 {
			o.Errorf("%s, %d of %d written", got.Status, got.Written, got.Records)
		}
		o.ok(o.Resume(o.Context()))
		if got := o.reads(by, u.ID); got.Status != upload.Done || got.Totals.Units != 110 {
			o.Errorf("%s, %+v", got.Status, got.Totals)
		}
		if got := o.all(by.Portfolio); got != want {
			o.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

func TestChangeThatARuleRefusesKeepsTheWholeFileOut(t *testing.T) {
	onEach(t, func(o *fixture) {
		by, u, order := o.grows(access.Write) // a rent needs payments
		before := o.all(by.Portfolio)
		o.ok(o.Fulfil(o.Context(), order))
		got := o.reads(by, u.ID)
		if got.Status != upload.Ready || !got.Preview.Refused || got.Preview.Why == "" || got.Preview.Partly() != "" {
			o.Errorf("%+v, %+v", got.Row, got.Preview)
		}
		if after := o.all(by.Portfolio); after != before {
			o.Errorf("got\n%s\nwant\n%s", after, before)
		}
	})
}
