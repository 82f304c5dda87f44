package rentroll

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/portfolio"
)

// Store is where an import writes.
type Store interface {
	portfolio.Store
	Holding
	UnitCount(ctx context.Context, in access.Portfolio) (int, error)
	AddProperties(ctx context.Context, in access.Portfolio, b *portfolio.Book) error
	AddPeople(ctx context.Context, in access.Portfolio, b *portfolio.Book) error
	AddPayments(ctx context.Context, in access.Portfolio, all []portfolio.Payment) error
	GrowProperty(
		ctx context.Context, in access.Portfolio, id string, postalCode *string, yearBuilt *int, at clock.Time,
	) error
	// Standing tells how records of a portfolio stand now.
	Standing(ctx context.Context, in access.Portfolio, of Basis) (Standing, error)
}

// Basis names the records of a portfolio on which a part of an import builds.
type Basis struct {
	Changed    []string  // units, leases and tenants that it changes
	Units      []string  // that get leases
	Properties []string  // that get units or leases
	Since      string    // "", or an identifier behind which no new property is expected but those of the import
	Own        [2]string // the first and the last identifier of the import's properties
}

// Standing is how the records of a Basis stand.
type Standing struct {
	Versions map[string]int64 // of those that are changed, and of the leases of the units that run or will run
	Leases   []string         // these leases
	Archived int              // of the properties
	Newer    []string         // properties behind the identifier, but for those between the first and the last of Own
	Between  int              // how many those are
}

// Rules are those of the records that the portfolio has, in the transaction of the context.
type Rules interface {
	// Recorded has units and tenants follow leases that were added to units of the portfolio.
	Recorded(ctx context.Context, leases []portfolio.Lease) error
	// Change makes a change of a record.
	Change(ctx context.Context, c *Change) error
}

// ErrOutOfDate is that the portfolio has changed since a plan was made, in a way that the plan must know.
var ErrOutOfDate = errors.New("the portfolio has changed since the import was planned")

// ErrTaken is that somebody has added a unit that an import has still to add to a property of its own.
var ErrTaken = errors.New("somebody has added a unit of the import")

// Progress is how far an import is, to go on from there with a plan of the same roll, the same names and
// the rest of the changes.
type Progress struct {
	Lines      int `json:"lines"`      // of the file, whose records are written
	Records    int `json:"records"`    // that are new
	Properties int `json:"properties"` // of these
	Changes    int `json:"changes"`    // that are made
	Units      int `json:"units"`      // new ones that their property counts
}

// Writing is a plan that is being written. One part after the other is, each in a transaction; what a transaction that
// is rolled back has made of it is forgotten with it.
type Writing struct {
	Progress
	plan  *Plan
	store Store
	rules Rules
	in    access.Portfolio

	lines  int  // of a book
	locked bool // since the plan was made: nobody else has changed the portfolio

	ends, changes []int32 // what is left of the changes that are ticked: ends of leases, which come first, and others
	grown         int     // of the properties that get units
}

// What costs a transaction as much time as a line of the file.
const (
	changeCost = 8 // a change of a record
	growCost   = 2 // the count of a property
)

// aheadOfOthers is by how much more the clock of one node may be fast than that of another.
const aheadOfOthers = 10 * time.Second

// Begin begins to write a plan, in books of so many lines.
func (p *Plan) Begin(store Store, rules Rules, in access.Portfolio, lines int) Writing {
	if p.names == nil {
		p.Name(p.roll.Names(id.New(id.Import, p.now), p.now))
	}
	w := Writing{plan: p, store: store, rules: rules, in: in, lines: lines}
	for i := range p.Changes {
		switch c := &p.Changes[i]; {
		case !c.Ticked:
		case c.Kind == EndLease:
			w.ends = append(w.ends, int32(i))
		default:
			w.changes = append(w.changes, int32(i))
		}
	}
	// Of a lease that changes, unit and tenants may follow: they come before.
	slices.SortStableFunc(w.changes, func(a, b int32) int {
		return cmp.Compare(leaseLast(&p.Changes[a]), leaseLast(&p.Changes[b]))
	})
	return w
}

func leaseLast(c *Change) int {
	if c.Kind == ChangeLease {
		return 1
	}
	return 0
}

// Length is how much is to be written, in lines of the file.
func (w *Writing) Length() int {
	return w.plan.roll.rows.len() - w.Lines + (len(w.plan.Joined)-w.grown)*growCost +
		(len(w.ends)+len(w.changes))*changeCost
}

// Write writes the next part of a plan, of at most so many lines of the file or, where what is left is not more, all of
// it, and tells whether there is more. enough is asked between the books of a part that has more. Leases end before
// others take their place, and the other changes are made after all is there. It belongs into a transaction
// that has locked the portfolio. Where the portfolio has changed, the transaction is to be rolled back, and
// the error is ErrOutOfDate.
func (w Writing) Write(ctx context.Context, lines int, enough func() bool) (next Writing, more bool, err error) {
	p, rows, all := w.plan, w.plan.roll.rows.len(), w.Length() <= lines
	take := func(all *[]int32) (taken []int32) {
		n := min(len(*all), max(lines/changeCost, 1))
		taken, *all = (*all)[:n], (*all)[n:]
		return taken
	}
	var changes []int32
	ends := take(&w.ends)
	if w.Lines == rows && w.grown == len(p.Joined) || all {
		changes = take(&w.changes)
	}
	if err := w.verify(ctx, nil, ends, changes); err != nil {
		return w, false, err
	}
	if err := w.make(ctx, ends); err != nil {
		return w, false, err
	}
	if len(ends) == 0 || all {
		for to := w.Lines + lines; w.Lines < min(to, rows); {
			if err := w.add(ctx, p.book(w.Lines, w.Lines+w.lines)); err != nil {
				return w, false, err
			}
			if w.Lines = min(w.Lines+w.lines, rows); !all && enough() {
				return w, true, nil
			}
		}
	}
	if w.Lines == rows && len(changes) == 0 || all {
		if err := w.grow(ctx, max(lines/growCost, 1)); err != nil {
			return w, false, err
		}
	}
	if err := w.make(ctx, changes); err != nil {
		return w, false, err
	}
	return w, w.Length() > 0, nil
}

// grow counts at most so many of the properties that got units.
func (w *Writing) grow(ctx context.Context, most int) error {
	joined := w.plan.Joined[w.grown:min(w.grown+most, len(w.plan.Joined))]
	for _, j := range joined {
		err := w.store.GrowProperty(ctx, w.in, j.PropertyID, j.PostalCode, j.YearBuilt, clock.At(w.plan.now))
		if err != nil {
			return err
		}
	}
	if w.grown += len(joined); w.grown == len(w.plan.Joined) {
		w.Units = w.plan.Units
	}
	return nil
}

// add writes the records of a book.
func (w *Writing) add(ctx context.Context, b *portfolio.Book) error {
	if err := w.verify(ctx, b, nil, nil); err != nil {
		return err
	}
	if err := w.store.AddProperties(ctx, w.in, b); errors.Is(err, portfolio.ErrDuplicate) && !w.locked {
		return ErrOutOfDate
	} else if err != nil {
		return err
	}
	if err := w.store.AddPeople(ctx, w.in, b); err != nil {
		return err
	}
	if len(b.Payments) > 0 {
		if err := w.store.AddPayments(ctx, w.in, b.Payments); err != nil {
			return err
		}
	}
	for i := range b.Properties {
		w.Units += b.Properties[i].UnitCount
	}
	w.Properties += len(b.Properties)
	w.Records += len(b.Properties) + len(b.Units) + len(b.Tenants) + len(b.Leases) + len(b.Payments)
	var held []portfolio.Lease // those of units or tenants that the portfolio has
	for i := range b.Leases {
		if w.plan.isHeld(b.Leases[i].UnitID) || slices.ContainsFunc(b.Leases[i].TenantIDs, w.plan.isKnown) {
			held = append(held, b.Leases[i])
		}
	}
	if len(held) == 0 {
		return nil
	}
	return w.rules.Recorded(ctx, held)
}

// make makes changes, by their indexes.
func (w *Writing) make(ctx context.Context, changes []int32) error {
	w.Changes += len(changes)
	for _, i := range changes {
		if err := w.rules.Change(ctx, &w.plan.Changes[i]); err != nil {
			return err
		}
	}
	return nil
}

// verify is ErrOutOfDate where the portfolio has changed in a way that a part of the plan must know.
func (w *Writing) verify(ctx context.Context, book *portfolio.Book, ends, changes []int32) error {
	if w.locked {
		return nil
	}
	p := w.plan
	var of Basis
	versions := map[string]int64{} // that are expected
	for _, part := range [][]int32{ends, changes} {
		for _, i := range part {
			c := &p.Changes[i]
			of.Changed, versions[c.ID] = append(of.Changed, c.ID), c.Version
		}
	}
	if book != nil {
		p.builds(book, &of, versions)
	}
	if len(of.Changed)+len(of.Units)+len(of.Properties) == 0 && of.Since == "" {
		return nil
	}
	now, err := w.store.Standing(ctx, w.in, of)
	if err != nil {
		return err
	}
	if now.Archived > 0 {
		return ErrOutOfDate
	}
	for _, record := range of.Changed {
		if now.Versions[record] != versions[record] {
			return ErrOutOfDate
		}
	}
	for _, record := range now.Leases {
		version, expected := versions[record]
		if !p.names.has(record) && (!expected || now.Versions[record] != version) {
			return ErrOutOfDate
		}
	}
	for _, record := range now.Newer {
		if p.existing.byID[record] == nil {
			return ErrOutOfDate
		}
	}
	if of.Since == "" {
		return nil
	}
	expected := w.Properties
	for record := range p.existing.byID {
		if record >= of.Own[0] && record <= of.Own[1] {
			expected++
		}
	}
	if now.Between != expected {
		return ErrOutOfDate
	}
	return nil
}

// builds notes the records on which a book builds, with the versions of the leases that are known of its units.
func (p *Plan) builds(b *portfolio.Book, of *Basis, versions map[string]int64) {
	properties, units := map[string]bool{}, map[string]bool{}
	note := func(property string) {
		if !p.names.has(property) && !properties[property] {
			properties[property] = true
			of.Properties = append(of.Properties, property)
		}
	}
	for i := range b.Units {
		note(b.Units[i].PropertyID)
	}
	for i := range b.Leases {
		l := &b.Leases[i]
		note(l.PropertyID)
		if p.isHeld(l.UnitID) && !units[l.UnitID] {
			units[l.UnitID] = true
			of.Units = append(of.Units, l.UnitID)
			for _, held := range p.existing.unitsByID[l.UnitID].leases {
				versions[held.ID] = held.Version
			}
		}
	}
	if len(b.Properties) > 0 {
		of.Since = id.After(id.Property, p.now.Add(-aheadOfOthers))
		of.Own = [2]string{p.names.properties[0], p.names.properties[len(p.names.properties)-1]}
	}
}

// Rehearsal are the changes of a plan that are ticked, in groups of about so many lines of the file, each of
// which can be tried by itself: all of a unit are together, the end of its leases first.
func (p *Plan) Rehearsal(lines int) iter.Seq[[]*Change] {
	all := slices.SortedStableFunc(p.Ticked(), func(a, b *Change) int {
		return cmp.Or(strings.Compare(a.Address, b.Address), cmp.Compare(endFirst(a), endFirst(b)))
	})
	return func(yield func([]*Change) bool) {
		from := 0
		for to := 1; to <= len(all); to++ {
			if to == len(all) || (to-from)*changeCost >= lines && all[to].Address != all[to-1].Address {
				if !yield(all[from:to]) {
					return
				}
				from = to
			}
		}
	}
}

func endFirst(c *Change) int {
	if c.Kind == EndLease {
		return 0
	}
	return 1
}

// Approve has a roll that is read again tick the changes that were approved of an earlier plan, by Approved, whatever
// version their records have now.
func (r *Roll) Approve(changes map[string]string) { r.approved = changes }

// Approved are the changes of a plan that are ticked: by the kind and the identifier of the record what is changed.
func (p *Plan) Approved() map[string]string {
	all := map[string]string{}
	for c := range p.Ticked() {
		all[c.record()] = c.what()
	}
	return all
}

func (c *Change) record() string { return string(c.Kind) + ":" + c.ID }

// what is the same for changes of the same values. When a lease ends follows from the file alone.
func (c *Change) what() string {
	if c.Kind == EndLease {
		return ""
	}
	sum := sha256.Sum256([]byte(fmt.Sprint(c.Fields)))
	return hex.EncodeToString(sum[:8])
}
