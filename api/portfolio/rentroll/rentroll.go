// Package rentroll reads a rent roll, a CSV file or a workbook with a row a unit, and makes of
// it the records that an import writes.
//
// One of the first lines names the columns, in any order and any case, by the names of
// the template or by those that other programs have (columns.csv). Every line needs a
// place: street_address, city and state, one column that holds all of it, or a line of
// the property above it. An empty unit_number is "1", an empty property_type
// single_family, an empty security_deposit 0; the rest may be empty
// or absent. Lines of one address, however it is abbreviated, are one property:
// what one line says of it holds for all, and two that differ are a problem. So is
// a unit that comes twice, unless the second line is of a co-tenant or of another lease. A line with a tenant
// has a lease, which needs lease_start and monthly_rent and is month to month without
// lease_end; a line without is a vacant unit, where amounts of 0 count as empty. Two lines
// with one tenant_email and one name are one tenant with two leases; without it nobody is
// taken for somebody else, but for who has had the unit before. A unit may have several lines whose
// leases have no day in common. Totals are left out.
//
// What is certain is taken; what is guessed is a Note that somebody has to agree to, as is
// said of what is left out; what is unclear is a Problem.
//
// It knows no database: what the portfolio already holds is handed to it, and so
// are the day and the ceiling of units kept by its callers.
package rentroll

import (
	"context"
	"io"
	"time"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/portfolio/rentroll/sheet"
	"portal/api/quota"
)

// MaxUnits is how many units a file may have.
const MaxUnits = 200_000

// Roll is a rent roll as it was read, in little memory.
type Roll struct {
	rows       list[row]
	rare       list[extras]
	units      int // of the rows, the first one of each unit
	properties list[property]
	people     list[person]
	byAddress  map[string]int32 // the properties, by the key of their place
	problems   problems
	notes      notes
	headings   []Heading
	header     string            // of its columns, the same for files that name them alike
	ticks      map[string]string // what somebody has said of changes, by their question
	approved   map[string]string // nil, or what Approve has said instead
	saysEnds   bool              // it has a column of last days
}

// Read reads a rent roll and names every problem of the whole file, in the order
// of its lines. What could be read is in the roll even then, so that Plan can
// tell all problems at once.
func Read(r io.Reader) (*Roll, []Problem) { return ReadWith(r, nil) }

// ReadWith is Read of a file of which somebody has said what it does not say itself. Answers that are none count for
// nothing.
func ReadWith(r io.Reader, answers Answers) (*Roll, []Problem) {
	roll := &Roll{byAddress: map[string]int32{}}
	table, err := sheet.Open(r)
	if err != nil {
		p := unreadable(err)
		if p.Message == sheet.Empty {
			p.Message = empty()
		}
		roll.problems.add(max(p.Line, 1), "", p.Message, Ask{})
		return roll, roll.problems.all()
	}
	defer table.Close() //nolint:errcheck // only read
	said, _ := answers.parse()
	in := &reader{
		table:    table,
		said:     said,
		group:    said.places[""],
		asked:    map[string]bool{},
		roll:     roll,
		problems: &roll.problems,
		notes:    &roll.notes,
		index:    index{map[unitKey]int32{}, map[string]int32{}, map[int32]int{}, map[string]string{}},
	}
	roll.ticks = said.ticks
	if in.readHeader() {
		roll.saysEnds = in.present.has(leaseEnd)
		in.readRows()
		in.unitsInStreets()
	}
	if p := table.Problem(); p != nil {
		roll.problems.add(max(p.Line, 1), "", p.Message, Ask{})
	}
	return roll, roll.problems.all()
}

// Units is the number of units, which the plan's ceiling must have room for.
func (r *Roll) Units() int { return r.units }

// atOnce is how many lines are written at once where nobody is let in between.
const atOnce = 2000

// Import writes a roll into a portfolio in one transaction: all of it or, where
// there are problems or the ceiling of units would be passed, nothing.
func (r *Roll) Import(
	ctx context.Context, store Store, rules Rules, in access.Portfolio, ceiling int, now time.Time, zone *time.Location,
) (plan *Plan, problems []Problem, err error) {
	err = store.Atomically(ctx, func(ctx context.Context) error {
		if err := store.Lock(ctx, in); err != nil {
			return err
		}
		existing, err := r.Hold(ctx, store, in)
		if err != nil {
			return err
		}
		if plan, problems = r.Plan(existing, now, zone); plan == nil {
			return nil
		}
		if err := plan.Fits(ctx, store, in, ceiling); err != nil {
			return err
		}
		w := plan.Begin(store, rules, in, atOnce)
		w.locked = true
		if _, _, err := w.Write(ctx, w.Length(), nil); err != nil {
			return err
		}
		return quota.Check(ctx, store, in)
	})
	if err != nil {
		plan = nil
	}
	return plan, problems, err
}

// Fits refuses a plan with more units than the portfolio has room for.
func (p *Plan) Fits(ctx context.Context, store Store, in access.Portfolio, ceiling int) error {
	used, err := store.UnitCount(ctx, in)
	if err == nil && used+p.Units > ceiling {
		err = fault.New(fault.UnitLimitReached,
			"The portfolio has %d units and the file adds %d, but the plan's limit is %d.",
			used, p.Units, ceiling)
	}
	return err
}

// partLength is how many items a part of a list has room for.
const partLength = 1024

// list holds items that stay where they are while it grows: a slice would be copied again and
// again, and the copies of a large file take as much memory as the file's records.
type list[T any] struct {
	parts [][]T // all full but for the last
}

// len is the number of items.
func (l *list[T]) len() int {
	if len(l.parts) == 0 {
		return 0
	}
	last := len(l.parts) - 1
	return last*partLength + len(l.parts[last])
}

// add appends an item and returns its index.
func (l *list[T]) add(item T) int32 {
	at := l.len()
	if at%partLength == 0 {
		l.parts = append(l.parts, make([]T, 0, partLength))
	}
	last := &l.parts[at/partLength]
	*last = append(*last, item)
	return int32(at)
}

// at is an item, in place.
func (l *list[T]) at(i int32) *T { return &l.parts[i/partLength][i%partLength] }
