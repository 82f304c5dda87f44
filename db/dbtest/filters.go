package dbtest

import (
	"slices"

	"portal/api/list"
)

var filters = []reading{
	{"EachFilterPassesWhatItSays", eachFilterPassesWhatItSays},
	{"TwoFiltersPassWhatPassesBoth", twoFiltersPassWhatPassesBoth},
}

func eachFilterPassesWhatItSays(s *shelf) {
	for _, k := range s.kinds() {
		for _, c := range s.conditions(k, s.rows[k.name]) {
			s.filtered(k, everything, c)
		}
	}
}

// Of each field the frequent value meets a frequent and a rare one of the others.
func twoFiltersPassWhatPassesBoth(s *shelf) {
	for _, k := range s.kinds() {
		all := s.conditions(k, s.rows[k.name])
		for i, a := range all {
			for j, b := range all {
				common := i == 0 || all[i-1].field != a.field
				second := j > 0 && all[j-1].field == b.field && (j == 1 || all[j-2].field != b.field)
				if first := j == 0 || all[j-1].field != b.field; common && a.field != b.field && (second || first && i < j) {
					s.filtered(k, list.Default, a, b)
				}
			}
		}
	}
}

// filtered compares what the store finds with what a loop over the rows does.
func (s *shelf) filtered(k kind, limit int, conditions ...condition) {
	s.Helper()
	got, err := k.list(s.Context(), s.in, k.with(limit, conditions...))
	s.ok(err)
	var want []any
	for _, row := range s.rows[k.name] {
		if !slices.ContainsFunc(conditions, func(c condition) bool { return !c.passes(row) }) {
			want = append(want, row)
		}
	}
	want = want[:min(limit+1, len(want))]
	s.want(slices.Equal(idsOf(got), idsOf(want)), "%s with %v: %d rows, want %d", k.name, conditions, len(got), len(want))
}
