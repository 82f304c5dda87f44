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

func twoFiltersPassWhatPassesBoth(s *shelf) {
	for _, k := range s.kinds() {
		all := s.conditions(k, s.rows[k.name])
		for i, a := range all {
			for _, b := range all[i+1:] {
				if a.field != b.field {
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
