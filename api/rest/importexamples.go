package rest

import (
	"portal/api/access"
	"portal/api/portfolio/imports"
)

// knownImport is a file that was read, with a column of which nothing is known.
func knownImport() imports.Import {
	asked := imports.Problem{
		Line:     1,
		Lines:    []int{1},
		Count:    1,
		Column:   new("Notes"),
		Message:  "A rent roll has no such column. It is left out.",
		Question: new("column:3"),
		Value:    new("Notes"),
		Choices:  []imports.Choice{{Answer: "", Label: "Leave the column out"}},
	}
	return imports.Import{
		State: imports.State{
			ID:          "imp" + examplePart,
			Object:      "import",
			Mode:        access.Test,
			CreatedAt:   exampleNow,
			FileName:    "rentroll.csv",
			Size:        1893,
			Status:      imports.NeedsReview,
			Confirmable: true,
			Columns: []imports.Column{
				{Name: "Unit", Field: new("unit_number"), Values: []string{"1", "2"}},
				{Name: "Lease From", Field: new("lease_start"), Values: []string{"09/01/2026"}},
				{Name: "Notes", Values: []string{"Has a key to the gate"}},
			},
			Problems:   []imports.Problem{},
			NotesCount: 1,
			Notes:      []imports.Note{{Problem: asked, Guess: true}},
			Plan:       &imports.Totals{Properties: 1, Units: 2, Tenants: 1, Leases: 1},
			Records:    5,
			ExpiresAt:  new(exampleNow + 24*60*60*1000),
		},
		Answers: map[string]string{},
	}
}

func answeredImport() imports.Import {
	i := knownImport()
	i.NotesCount, i.Notes = 0, []imports.Note{}
	i.Answers = map[string]string{"column:2": "lease_start", "column:3": ""}
	return i
}

// queue makes an import one that was confirmed.
func queue(i *imports.Import) {
	i.Status, i.Confirmable, i.Plan, i.ExpiresAt = imports.Importing, false, nil, nil
	i.Columns, i.NotesCount, i.Notes = []imports.Column{}, 0, []imports.Note{}
	i.Answers = map[string]string{}
}
