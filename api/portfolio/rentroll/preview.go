package rentroll

import (
	"portal/api/clock"
	"portal/api/money"
)

// Line is what a line of the file makes, to be looked at before.
type Line struct {
	Line    int          `json:"line"`    // in the file
	Address string       `json:"address"` // of the unit, in one line
	New     bool         `json:"new"`     // its property is one that the portfolio does not have
	Tenant  string       `json:"tenant"`  // "" for a vacant unit
	Status  string       `json:"status"`  // of the lease, "" without one
	Start   *clock.Date  `json:"start"`
	End     *clock.Date  `json:"end"` // nil for month to month
	Rent    *money.Cents `json:"rent"`
}

// Lines are the first lines of the plan, at most so many.
func (p *Plan) Lines(most int) []Line {
	lines := make([]Line, min(most, p.roll.rows.len()))
	for i := range lines {
		row := p.roll.rows.at(int32(i))
		l := &lines[i]
		l.Line, l.Address, l.New = int(row.line), p.address(row), p.sites[row.property].held == nil
		if row.person == none {
			continue
		}
		l.Tenant = p.roll.people.at(row.person).name()
		l.Status = string(row.status(p.today))
		l.Start = new(row.start)
		l.Rent = new(row.monthlyRent)
		if !row.openEnded {
			l.End = new(row.end)
		}
	}
	return lines
}
