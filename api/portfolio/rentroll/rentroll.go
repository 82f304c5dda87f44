// Package rentroll reads a rent roll, a CSV file with a row a unit, and makes of
// it the records that an import writes.
//
// The first line names the columns, in any order and any case. Required in every
// line are street_address, city and state; an empty unit_number is "1", an empty
// property_type single_family, an empty security_deposit 0; the rest may be empty
// or absent. Lines of one address, however it is abbreviated, are one property:
// what one line says of it holds for all, and two that differ are a problem. So is
// a unit that comes twice. A line with a tenant has a lease, which needs
// lease_start and monthly_rent and is month to month without lease_end; a line
// without is a vacant unit, where amounts of 0 count as empty. Two lines with one
// tenant_email are one tenant with two leases; without it nobody is taken for
// somebody else.
//
// It knows no database: what the portfolio already holds is handed to it, and so
// are the day and the ceiling of units kept by its callers.
package rentroll

import "io"

// MaxUnits is how many units a file may have.
const MaxUnits = 200_000

// Roll is a rent roll as it was read, in little memory.
type Roll struct {
	rows       list[row]
	properties list[property]
	people     list[person]
	byAddress  map[string]int32 // the properties, by the key of their place
	problems   problems
}

// Read reads a rent roll and names every problem of the whole file, in the order
// of its lines. What could be read is in the roll even then, so that Plan can
// tell all problems at once.
func Read(r io.Reader) (*Roll, []Problem) {
	in := newReader(r)
	in.read()
	return in.roll, in.problems.all()
}

// Units is the number of units, which the plan's ceiling must have room for.
func (r *Roll) Units() int { return r.rows.len() }
