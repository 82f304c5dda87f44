package lease

import (
	"fmt"

	"portal/api/portfolio/lease/terms"
	"portal/views/kit"
)

// feeRows is how many fees a form takes.
const feeRows = 3

// feeFields are the fields of all fees.
func feeFields() (names []string) {
	for i := range feeRows {
		for _, part := range []string{"name", "amount", "frequency", "refundable"} {
			names = append(names, fmt.Sprintf("fees.%d.%s", i, part))
		}
	}
	return names
}

func (s *generateForm) fees() kit.FieldGroup {
	g := kit.FieldGroup{
		Title:  "Fees",
		About:  "Charges besides rent and deposit. Empty fees are left out.",
		Folded: true,
	}
	for i := range feeRows {
		if first := fmt.Sprintf("fees.%d.name", i); s.form.Text(first) != "" { // what is wrong with all of them
			s.form.Move("fees", first)
		}
		at, label := fmt.Sprintf("fees.%d.", i), fmt.Sprintf("Fee %d", i+1)
		g.Fields = append(g.Fields,
			kit.Field{Name: at + "name", Label: label, Optional: true, Hint: "What it’s for, such as parking."},
			kit.Field{Name: at + "amount", Label: label + ": amount", Beside: true, Optional: true},
			kit.Field{Name: at + "frequency", Label: label + ": owed", Optional: true, Choices: []kit.Choice{
				{Label: "Choose"},
				{Value: string(terms.OneTime), Label: "Once, before moving in"},
				{Value: string(terms.Monthly), Label: "Each month with the rent"},
			}},
			kit.Field{Name: at + "refundable", Label: label + ": the tenant gets it back"})
	}
	return g
}

func occupants() kit.FieldGroup {
	return kit.FieldGroup{Title: "Who else lives there", Folded: true, Fields: []kit.Field{{
		Name: "occupants", Label: "Other occupants", Lines: 3, Optional: true,
		Hint: "People who live in the home but don’t sign: up to 10 names, one on each line.",
	}}}
}

func clauses() kit.FieldGroup {
	return kit.FieldGroup{Title: "In your own words", Folded: true,
		About: "The document uses standard wording for fields that you leave empty.", Fields: []kit.Field{
			{Name: "clauses.pets", Label: "Pets", Lines: 2, Optional: true},
			{Name: "clauses.smoking", Label: "Smoking", Lines: 2, Optional: true},
			{Name: "clauses.parking", Label: "Parking", Lines: 2, Optional: true},
			{Name: "clauses.utilities", Label: "Utilities", Lines: 2, Optional: true},
		}}
}

func leadPaint() kit.FieldGroup {
	return kit.FieldGroup{Title: "Lead-based paint",
		About: "The home was built before 1978, or nobody knows when. Nobody can sign before this is stated " +
			"(40 CFR 745.113).",
		Fields: []kit.Field{
			{Name: "lead_paint.hazards", Label: "Lead-based paint or its hazards", Optional: true, Choices: []kit.Choice{
				{Label: "Not stated yet"},
				{Value: string(terms.NoHazards), Label: "None known"},
				{Value: string(terms.KnownHazards), Label: "Known"},
			}},
			{
				Name: "lead_paint.details", Label: "What is known, and how", Lines: 2, Optional: true,
				Hint: "Required where hazards are known.",
			},
			{Name: "lead_paint.records", Label: "Records and reports about it", Optional: true, Choices: []kit.Choice{
				{Label: "Not stated yet"},
				{Value: string(terms.NoRecords), Label: "There are none"},
				{Value: string(terms.RecordsProvided), Label: "Given to the tenants"},
			}},
		}}
}
