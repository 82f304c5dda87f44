package upload_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"portal/api/access"
	"portal/api/audit"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
	"portal/api/portfolio/records"
	"portal/api/portfolio/rentroll"
	"portal/api/portfolio/upload"
	"portal/api/secret"
	"portal/db"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
	"portal/db/servicestore"
)

// fixture is a landlord who uploads, and a queue that keeps what is ordered.
type fixture struct {
	*testing.T
	*upload.Service
	db     *db.DB
	home   dbtest.Home
	now    time.Time
	mu     sync.Mutex
	orders []upload.Order
}

func (o *fixture) Import(_ context.Context, order upload.Order) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.orders = append(o.orders, order)
	return nil
}

// onEach runs a test on a store of each kind.
func onEach(t *testing.T, test func(*fixture)) {
	dbtest.Both(t, func(t *testing.T, d *db.DB) { test(newFixture(t, d)) })
}

func newFixture(t *testing.T, d *db.DB) *fixture {
	t.Helper()
	box, err := secret.NewBox(make([]byte, secret.KeySize))
	if err != nil {
		t.Fatal(err)
	}
	o := &fixture{
		T:    t,
		db:   d,
		home: dbtest.NewHome(t, d, "dana"),
		now:  dbtest.Noon().Std(),
	}
	now := func() time.Time { return o.now }
	o.Service = &upload.Service{
		Store: portfoliostore.New(d),
		Box:   box,
		Queue: o,
		Clock: clock.ForAll(now),
		Trail: audit.Log{Store: servicestore.NewTrail(d), Now: now},
	}
	records := records.New(portfoliostore.New(d), now)
	o.Service.Rules = &upload.Rules{Units: records.Units, Leases: records.Leases, Tenants: records.Tenants}
	return o
}

func (o *fixture) ok(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

func (o *fixture) by(mode access.Mode, ceiling int) access.Actor {
	a := access.Actor{
		Portfolio: o.home.Live,
		AccountID: o.home.AccountID,
		Scopes:    access.Scopes{access.Read, access.Write},
		Role:      access.Manager,
		Zone:      o.home.Zone,
		Units:     &ceiling,
	}
	if mode == access.Test {
		a.Portfolio, a.Units = o.home.Test, nil
	}
	return a
}

// roll is a rent roll of so many units in the buildings of a street.
func roll(units int, street string) []byte {
	var b strings.Builder
	b.WriteString(
		"street_address,city,state,unit_number,tenant_first_name,tenant_last_name,tenant_email,lease_start,monthly_rent\n",
	)
	for i := range units {
		fmt.Fprintf(&b, "%d %s,Austin,TX,%d,Dana,Secretly %d,t%d@example.com,2026-01-01,1200\n",
			i/10+1, street, i%10+1, i, i)
	}
	return []byte(b.String())
}

func (o *fixture) takes(by access.Actor, content []byte) *upload.Upload {
	o.Helper()
	d, err := o.Draft(o.Context(), by, "user_1", "roll.csv", upload.Text(content))
	o.ok(err)
	o.ok(o.Keep(o.Context(), by, d))
	return o.reads(by, d.ID)
}

func (o *fixture) reads(by access.Actor, id string) *upload.Upload {
	o.Helper()
	u, err := o.Upload(o.Context(), by, id)
	o.ok(err)
	return u
}

// counts are how many records a portfolio has.
func (o *fixture) counts(in access.Portfolio) (units int) {
	o.Helper()
	n, err := portfoliostore.New(o.db).UnitCount(o.Context(), in)
	o.ok(err)
	return n
}

// confirms has an upload imported as it is seen at this moment.
func (o *fixture) confirms(by access.Actor, id string) (begun bool, err error) {
	seen := ""
	if u, err := o.Upload(o.Context(), by, id); err == nil {
		seen = u.Stamp()
	}
	return o.Confirm(o.Context(), by, "user_1", id, seen)
}

func TestOnlyTheReadingThatSomebodySawIsImported(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		id := o.takes(by, roll(3, "Oak Street")).ID
		seen := o.reads(by, id).Stamp()
		if seen != o.reads(by, id).Stamp() {
			o.Error("the stamp changes by itself")
		}
		_, err := o.Answer(o.Context(), by, id, map[string]*string{"line:2": new(rentroll.LeaveOut)})
		o.ok(err)
		for _, stamp := range []string{seen, ""} {
			_, err := o.Confirm(o.Context(), by, "user_1", id, stamp)
			if !fault.Is(err, fault.InvalidTransition) || !strings.Contains(err.Error(), "Review it again") {
				o.Errorf("confirmed with the stamp %q: %v", stamp, err)
			}
		}
		if got := o.reads(by, id); got.Status != upload.Ready || len(o.orders) != 0 {
			o.Errorf("%s, %d orders", got.Status, len(o.orders))
		}
		begun, err := o.confirms(by, id)
		if err != nil || !begun {
			o.Errorf("not begun: %v", err)
		}
	})
}

func TestUploadPreviewsImportAndRunsItOnce(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		before := dbtest.Dump(o.T, o.db, map[string]string{"imports": "*"})
		u := o.takes(by, append(roll(25, "Oak Street"), []byte("1420 Maple Ave,Austin,TX,9,,,,,\n")...))
		dbtest.Unchanged(o.T, "an upload", before, dbtest.Dump(o.T, o.db, map[string]string{"imports": "*"}))
		p := o.reads(by, u.ID).Preview
		if p.Properties != 3 || p.Joined != 1 || p.Units != 26 || p.Tenants != 25 || p.Leases != 25 ||
			p.Used != 1 || *p.Ceiling != 100 || !p.Fits() || len(p.Lines) != 10 {
			o.Errorf("%+v", p)
		}
		l := p.Lines[0]
		if l.Line != 2 || l.Address != "1 Oak Street, Unit 1, Austin, TX" || !l.New ||
			l.Tenant != "Dana Secretly 0" || l.Status != "active" || l.End != nil || *l.Rent != 120000 {
			o.Errorf("%+v", l)
		}
		for i := range 3 {
			begun, err := o.confirms(by, u.ID)
			o.ok(err)
			if begun != (i == 0) {
				o.Errorf("confirmed for the %d. time: begun %v", i+1, begun)
			}
		}
		if got := o.reads(by, u.ID); got.Status != upload.Queued || got.Records != 79 ||
			len(o.orders) != 1 || o.counts(by.Portfolio) != 1 {
			o.Errorf("%s, %d records, %d orders", got.Status, got.Records, len(o.orders))
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if err := o.Fulfil(o.Context(), o.orders[0]); err != nil {
					o.Error(err)
				}
				if err := o.Resume(o.Context()); err != nil {
					o.Error(err)
				}
			})
		}
		all.Wait()
		got := o.reads(by, u.ID)
		if got.Status != upload.Done || *got.Totals != p.Totals || got.Preview != nil || got.Written != 79 ||
			got.FinishedAt == nil || o.counts(by.Portfolio) != 27 {
			o.Errorf("%s, %+v, %d written, %d units", got.Status, got.Totals, got.Written, o.counts(by.Portfolio))
		}
		if _, err := portfoliostore.New(o.db).UploadContent(
			o.Context(),
			by.Portfolio,
			u.ID,
		); !fault.Is(
			err,
			fault.NoRecord,
		) {
			o.Errorf("the file is kept: %v", err)
		}
		entries, err := servicestore.NewTrail(o.db).Audit(o.Context(), audit.Query{
			AccountID: o.home.AccountID,
			Action:    "import.done",
			Limit:     10,
		})
		if err != nil || len(entries) != 1 || *entries[0].UserID != "user_1" {
			o.Errorf("%d entries of the trail, %v", len(entries), err)
		}
	})
}

func TestPermanentlyFailedImportCanBeConfirmedAgain(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		u := o.takes(by, roll(3, "Oak Street"))
		_, err := o.confirms(by, u.ID)
		o.ok(err)
		o.ok(o.GiveUp(o.Context(), o.orders[0]))
		if got := o.reads(by, u.ID); got.Status != upload.Ready || !got.Preview.Refused || !got.Preview.Fits() {
			o.Errorf("%+v", got.Preview)
		}
		begun, err := o.confirms(by, u.ID)
		if err != nil || !begun {
			o.Errorf("not confirmed again: %v", err)
		}
	})
}

func TestConflictingImportIsRefusedWithReason(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 5)
		first, again := o.takes(by, roll(3, "Oak Street")), o.takes(by, roll(3, "Oak Street"))
		second := o.takes(by, bytes.ReplaceAll(
			bytes.ReplaceAll(
				roll(3, "Oak Street"),
				[]byte("Dana"),
				[]byte("Per"),
			),
			[]byte("2026-01-01"),
			[]byte("2026-02-01"),
		))
		big, other := o.takes(by, roll(5, "Elm Street")), o.takes(by, roll(4, "Elm Street"))
		if _, err := o.confirms(by, big.ID); !fault.Is(err, fault.UnitLimitReached) ||
			!o.reads(by, big.ID).Preview.Over() {
			o.Errorf("over the ceiling: %v", err)
		}
		for _, u := range []*upload.Upload{first, again, second, other} {
			_, err := o.confirms(by, u.ID)
			o.ok(err)
		}
		for _, order := range o.orders {
			o.ok(o.Fulfil(o.Context(), order))
		}
		if o.reads(by, first.ID).Status != upload.Done || o.counts(by.Portfolio) != 4 {
			o.Errorf("%d units", o.counts(by.Portfolio))
		}
		if p := o.reads(by, second.ID).Preview; !p.Refused || len(p.Problems) != 3 ||
			!strings.Contains(p.Problems[0].Message, "a lease of this unit with Dana Secretly 0 from 2026-01-01") {
			o.Errorf("%+v", p)
		}
		if u := o.reads(by, again.ID); u.Status != upload.Done || *u.Totals != (upload.Totals{}) {
			o.Errorf("the same file once more: %+v", u)
		}
		if p := o.reads(by, other.ID).Preview; !p.Refused || !p.Over() || p.Used != 4 {
			o.Errorf("%+v", p)
		}
		if _, err := o.confirms(by, second.ID); !fault.Is(err, fault.InvalidTransition) {
			o.Errorf("with problems: %v", err)
		}
		more := o.by(access.Live, 100)
		checked, err := o.Check(o.Context(), more, other.ID)
		if err != nil || !checked.Preview.Fits() || checked.Preview.Refused {
			o.Errorf("%+v, %v", checked, err)
		}
		begun, err := o.confirms(more, other.ID)
		if err != nil || !begun {
			o.Errorf("not begun: %v", err)
		}
	})
}

func TestUploadIsPrivateToItsPortfolio(t *testing.T) {
	onEach(t, func(o *fixture) {
		by, foreign := o.by(access.Live, 100), o.by(access.Test, 0)
		u := o.takes(by, roll(3, "Oak Street"))
		for name, err := range map[string]error{
			"read":      errOf(o.Upload(o.Context(), foreign, u.ID)),
			"checked":   errOf(o.Check(o.Context(), foreign, u.ID)),
			"confirmed": errOf(o.confirms(foreign, u.ID)),
			"discarded": o.Discard(o.Context(), foreign, u.ID),
		} {
			if !fault.Is(err, fault.NoRecord) {
				o.Errorf("%s in another portfolio: %v", name, err)
			}
		}
		if all, err := o.Uploads(o.Context(), foreign, 10); err != nil || len(all) != 0 {
			o.Errorf("%v, %v", all, err)
		}
		for table, rows := range dbtest.Dump(o.T, o.db, nil) {
			// As text, and as bytes.
			text := strings.Join(rows, " ")
			if strings.Contains(text, "Secretly") || strings.Contains(text, "83 101 99 114 101 116 108 121") {
				o.Errorf("%s tells of a tenant", table)
			}
		}
		reader := by
		reader.Scopes = access.Scopes{access.Read}
		if err := errOf(o.confirms(reader, u.ID)); !fault.Is(err, fault.ScopeRequired) {
			o.Error(err)
		}
		o.ok(o.Discard(o.Context(), by, u.ID))
		if err := errOf(o.Upload(o.Context(), by, u.ID)); !fault.Is(err, fault.NoRecord) {
			o.Error(err)
		}
	})
}

func errOf[T any](_ T, err error) error { return err }

func TestUnimportedFileIsDeletedAfterADay(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		old, queued := o.takes(by, roll(3, "Oak Street")), o.takes(by, roll(3, "Elm Street"))
		_, err := o.confirms(by, queued.ID)
		o.ok(err)
		o.now = o.now.Add(upload.Keep + time.Second)
		young := o.takes(by, roll(3, "Ash Street"))
		n, err := portfoliostore.New(o.db).ForgetUploads(o.Context(), clock.At(o.now.Add(-upload.Keep)), 100)
		if err != nil || n != 1 {
			o.Errorf("%d forgotten, %v", n, err)
		}
		if err := errOf(o.Upload(o.Context(), by, old.ID)); !fault.Is(err, fault.NoRecord) {
			o.Error(err)
		}
		o.reads(by, queued.ID)
		o.reads(by, young.ID)
	})
}

func TestOnlyLatestUnimportedFilesAreKept(t *testing.T) {
	onEach(t, func(o *fixture) {
		by, demo := o.by(access.Live, 100), o.by(access.Test, 100)
		other := o.takes(demo, roll(1, "Ash Street"))
		queued := o.takes(by, roll(1, "Oak Street"))
		oldest := o.takes(by, roll(1, "Elm Street"))
		_, err := o.confirms(by, queued.ID)
		o.ok(err)
		var next *upload.Upload
		for i := range upload.MostWaiting {
			o.now = o.now.Add(time.Second)
			if u := o.takes(by, roll(1, "Elm Street")); i == 0 {
				next = u
			}
		}
		if err := errOf(o.Upload(o.Context(), by, oldest.ID)); !fault.Is(err, fault.NoRecord) {
			o.Error(err)
		}
		o.reads(by, next.ID)
		o.reads(by, queued.ID)
		o.reads(demo, other.ID)
	})
}

// givenBack is a store in which an upload is given back while it is imported.
type givenBack struct {
	upload.Store
	id string
}

func (g givenBack) AddPeople(ctx context.Context, in access.Portfolio, _ *portfolio.Book) error {
	_, err := g.SaveUpload(ctx, in, &upload.Row{ID: g.id, Status: upload.Ready}, upload.Queued)
	return err
}

func TestReturnedUploadIsNotImported(t *testing.T) {
	onEach(t, func(o *fixture) {
		by := o.by(access.Live, 100)
		u, before := o.takes(by, roll(3, "Oak Street")), o.counts(by.Portfolio)
		_, err := o.confirms(by, u.ID)
		o.ok(err)
		o.Service.Store = givenBack{o.Service.Store, u.ID}
		if err := o.Fulfil(o.Context(), o.orders[0]); err == nil {
			o.Error("it was imported")
		}
		if n := o.counts(by.Portfolio); n != before {
			o.Errorf("%d units, want %d", n, before)
		}
	})
}
