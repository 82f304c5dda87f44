package portfoliostore_test

import (
	"cmp"
	"slices"
	"strings"

	"portal/api/clock"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/db/dbtest"
)

var orders = []reading{
	{"AListComesInTheOrderThatIsAskedFor", aListComesInTheOrderThatIsAskedFor},
	{"AnOrderPassesWhatItsFiltersPass", anOrderPassesWhatItsFiltersPass},
	{"AnUnknownOrderIsThatOfTheNewest", anUnknownOrderIsThatOfTheNewest},
	{
		"ASearchOfOtherListsFindsWhatTheListsOfTenantsAndPropertiesFind",
		aSearchOfOtherListsFindsWhatTheListsOfTenantsAndPropertiesFind,
	},
	{"AnOrderBeginsAnewBehindARecordThatIsGone", anOrderBeginsAnewBehindARecordThatIsGone},
}

// orderOf compares two records of a list as a plain reading of the sort does.
var orderOf = map[string]map[list.Sort]func(a, b any) int{
	"properties": {portfolio.ByAddress: byText(func(v any) string { return v.(*portfolio.Property).StreetAddress })},
	"tenants":    {portfolio.ByName: byText(func(v any) string { return v.(*portfolio.Tenant).Name })},
	"leases":     {portfolio.EndingSoonest: byEnd},
	"tickets": {portfolio.UpdatedFirst: func(a, b any) int {
		return -withID(cmp.Compare(a.(*portfolio.Ticket).UpdatedAt, b.(*portfolio.Ticket).UpdatedAt), a, b)
	}},
	"payments": {portfolio.LatestDue: byDue, portfolio.OverdueFirst: byOverdue},
}

func withID(order int, a, b any) int {
	return cmp.Or(order, strings.Compare(dbtest.IDOf(a), dbtest.IDOf(b)))
}

func byText(of func(any) string) func(a, b any) int {
	return func(a, b any) int {
		return withID(strings.Compare(asciiLower(of(a)), asciiLower(of(b))), a, b)
	}
}

func byEnd(a, b any) int {
	part := func(v any) int {
		switch end := v.(*portfolio.Lease).EndDate; {
		case end == nil:
			return 1
		case *end < today:
			return 2
		}
		return 0
	}
	if order := cmp.Compare(part(a), part(b)); order != 0 {
		return order
	}
	end := func(v any) clock.Date {
		if d := v.(*portfolio.Lease).EndDate; d != nil {
			return *d
		}
		return 0
	}
	order := withID(cmp.Compare(end(a), end(b)), a, b)
	if part(a) == 2 {
		return -order
	}
	return order
}

func byDue(a, b any) int {
	return -withID(cmp.Compare(a.(*portfolio.Payment).DueDate, b.(*portfolio.Payment).DueDate), a, b)
}

func byOverdue(a, b any) int {
	late := overdue(true).passes
	switch {
	case late(a) && late(b):
		return -byDue(a, b)
	case late(a):
		return -1
	case late(b):
		return 1
	}
	return byDue(a, b)
}

// sorted wants the pages of a list with some filters to have what passes them, in the order of a sort.
func (s *demoStore) sorted(k kind, sort list.Sort, limit int, conditions ...condition) {
	s.Helper()
	var want []any
	for _, row := range s.inOrder(k, sort) {
		if !slices.ContainsFunc(conditions, func(c condition) bool { return !c.passes(row) }) {
			want = append(want, row)
		}
	}
	got := idsOf(s.walked(k, sort, limit, conditions...))
	s.Want(
		slices.Equal(got, idsOf(want)),
		"%s by %s with %v by %d: %d rows, want %d: %v, want %v",
		k.name, sort, conditions, limit, len(got), len(want), got, idsOf(want),
	)
}

// inOrder are the records of a kind in the order of a sort.
func (s *demoStore) inOrder(k kind, sort list.Sort) []any {
	key := k.name + " " + string(sort)
	rows, known := s.ordered[key]
	if known {
		return rows
	}
	rows = slices.Clone(s.rows[k.name])
	if order, known := orderOf[k.name][sort]; known {
		slices.SortFunc(rows, order)
	} else {
		slices.Reverse(rows)
	}
	s.ordered[key] = rows
	return rows
}

// walked are the records on all pages of a list.
func (s *demoStore) walked(k kind, sort list.Sort, limit int, conditions ...condition) (all []any) {
	s.Helper()
	for after := ""; ; {
		f := k.with(limit, conditions...)
		if l, is := f.(*portfolio.LeaseFilter); is {
			l.Today = today
		}
		page := pageOf(f)
		page.Sort, page.StartingAfter = sort, after
		rows, err := k.list(s.Context(), s.in, f)
		s.OK(err)
		all = append(all, rows[:min(len(rows), limit)]...)
		if len(rows) <= limit || len(all) > len(s.rows[k.name]) {
			return all
		}
		after = dbtest.IDOf(all[len(all)-1])
	}
}

func aListComesInTheOrderThatIsAskedFor(s *demoStore) {
	for _, k := range s.kinds() {
		for sort := range orderOf[k.name] {
			for _, limit := range []int{13, list.Default, list.Max} {
				s.sorted(k, sort, limit)
			}
		}
	}
}

func anOrderPassesWhatItsFiltersPass(s *demoStore) {
	for _, k := range s.kinds() {
		if orderOf[k.name] == nil {
			continue
		}
		all := s.conditions(k, s.rows[k.name])
		for sort := range orderOf[k.name] {
			for i, a := range all {
				s.sorted(k, sort, list.Max, a)
				for _, b := range all[:i] {
					if a.field != b.field {
						s.sorted(k, sort, list.Max, a, b)
					}
				}
			}
		}
	}
}

func anUnknownOrderIsThatOfTheNewest(s *demoStore) {
	for _, k := range s.kinds() {
		if orderOf[k.name] != nil {
			s.sorted(k, "sideways", list.Max)
			s.sorted(k, portfolio.NewestFirst, list.Max)
		}
	}
}

func anOrderBeginsAnewBehindARecordThatIsGone(s *demoStore) {
	for _, k := range s.kinds() {
		for sort := range orderOf[k.name] {
			f, page := k.query()
			page.Sort, page.Limit = sort, 3
			want, err := k.list(s.Context(), s.in, f)
			s.OK(err)
			page.StartingAfter = dbtest.IDOf(s.hidden[k.name][0])
			got, err := k.list(s.Context(), s.in, f)
			s.OK(err)
			s.Same(idsOf(got), idsOf(want))
		}
	}
}
