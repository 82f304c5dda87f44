package portfoliostore_test

import (
	"slices"

	"portal/api/list"
	"portal/db/dbtest"
)

var filters = []reading{
	{"EachFilterPassesWhatItSays", eachFilterPassesWhatItSays},
	{"TwoFiltersPassWhatPassesBoth", twoFiltersPassWhatPassesBoth},
	{"TheNewestComeFirstToWhoAsks", theNewestComeFirstToWhoAsks},
}

func eachFilterPassesWhatItSays(s *demoStore) {
	for _, k := range s.kinds() {
		for _, c := range s.conditions(k, s.rows[k.name]) {
			s.filtered(k, dbtest.Everything, c)
		}
	}
}

// Of each field the frequent value meets a frequent and a rare one of the others.
func twoFiltersPassWhatPassesBoth(s *demoStore) {
	for _, k := range s.kinds() {
		all := s.conditions(k, s.rows[k.name])
		for i, a := range all {
			for j, b := range all {
				common := i == 0 || all[i-1].field != a.field
				second := j > 0 && all[j-1].field == b.field && (j == 1 || all[j-2].field != b.field)
				first := j == 0 || all[j-1].field != b.field
				if common && a.field != b.field && (second || first && i < j) {
					s.filtered(k, list.Default, a, b)
				}
			}
		}
	}
}

// theNewestComeFirstToWhoAsks turns the pages of each filter from the newest on, and finds
// what its list has, the other way round.
func theNewestComeFirstToWhoAsks(s *demoStore) {
	for _, k := range s.kinds() {
		for _, c := range append(s.conditions(k, s.rows[k.name]), condition{}) {
			var of []condition
			if c.field != "" {
				of = []condition{c}
			}
			want, err := k.list(s.Context(), s.in, k.with(dbtest.Everything, of...))
			s.OK(err)
			slices.Reverse(want)
			var got []any
			for after := ""; ; {
				f := k.with(list.Max, of...)
				page := pageOf(f)
				page.Newest, page.StartingAfter = true, after
				rows, err := k.list(s.Context(), s.in, f)
				s.OK(err)
				got = append(got, rows[:min(len(rows), list.Max)]...)
				if len(rows) <= list.Max {
					break
				}
				after = idsOf(rows)[list.Max-1]
			}
			s.Same(idsOf(got), idsOf(want))
		}
	}
}

// filtered compares what the store finds with what a loop over the rows does.
func (s *demoStore) filtered(k kind, limit int, conditions ...condition) {
	s.Helper()
	got, err := k.list(s.Context(), s.in, k.with(limit, conditions...))
	s.OK(err)
	var want []any
	for _, row := range s.rows[k.name] {
		if !slices.ContainsFunc(conditions, func(c condition) bool { return !c.passes(row) }) {
			want = append(want, row)
		}
	}
	want = want[:min(limit+1, len(want))]
	s.Want(
		slices.Equal(idsOf(got), idsOf(want)),
		"%s with %v: %d rows, want %d",
		k.name,
		conditions,
		len(got),
		len(want),
	)
}
