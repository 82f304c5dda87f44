package property

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"io"
	"net/http"
	"slices"
	"sync"

	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/rentroll/export"
	"portal/views/kit"
	views "portal/views/property"
	"portal/web/csvexport"
	"portal/web/page"
)

// exportProperties answers with the properties that the address asks for as a file.
func (p *Section) exportProperties(v *page.Request) error {
	f := propertyFilter(v)
	return csvexport.Serve(v, p.Portfolio, csvexport.Table[portfolio.Property]{
		Name:  "properties",
		Query: f.Query,
		Page: func(q list.Query) (*list.Page[portfolio.Property], error) {
			f.Query = q
			return p.Portfolio.Properties.Properties(v.Ctx(), v.Actor(), f)
		},
		Row:   p.thisProperty,
		Cells: propertyColumns,
	})
}

func propertyColumns(p *portfolio.Property) csvexport.Cells {
	return slices.Concat(csvexport.Cells{
		"Property ID", p.ID, "Name", p.Name, "Street address", p.StreetAddress,
		"Address line 2", p.StreetAddress2, "City", p.City, "State", p.State, "ZIP code", p.PostalCode,
		"Type", p.PropertyType, "Year built", p.YearBuilt, "Units", p.UnitCount,
		"Occupied units", p.OccupiedUnitCount, "Status", p.Status, "Ownership", p.VerificationStatus,
	}, csvexport.RecordCells(&p.Record))
}

// exportRoll answers with the rent roll of the whole portfolio as a file of a format.
func (p *Section) exportRoll(format export.Format) func(v *page.Request) error {
	return func(v *page.Request) error {
		file, err := p.Portfolio.Rolls.Open(v.Ctx(), v.Actor(), format)
		if err != nil {
			return err
		}
		return csvexport.ServeDocument(v, p.Portfolio, csvexport.Document{
			Name:  "rent_roll",
			File:  file.Name(),
			Media: format.Media(),
			Write: func(w io.Writer, sent func() error) error { return file.Write(v.Ctx(), w, sent) },
		})
	}
}

// rollExports are the files of the rent roll of the whole portfolio.
func rollExports(v *page.Request) []kit.Action {
	return []kit.Action{
		{Name: "Export rent roll (CSV)", Path: v.In("/import/export.csv"), Icon: "download"},
		{Name: "Export rent roll (Excel)", Path: v.In("/import/export.xlsx"), Icon: "download"},
	}
}

// sampleFile is a rent roll to begin with.
//
//go:embed sample.csv
var sampleFile []byte

func (p *Section) sampleRoll(v *page.Request) error {
	v.Response().Header().Set("Content-Disposition", `attachment; filename="rent-roll-sample.csv"`)
	return v.Blob(http.StatusOK, "text/csv; charset=utf-8", sampleFile)
}

// columnsFile says of each column of a rent roll whether it is needed, what it holds, and an example.
//
//go:embed columns.csv
var columnsFile []byte

// RollColumns are the columns of a rent roll in words; a test holds them to those that
// there are.
var RollColumns = sync.OnceValue(func() (all []views.RollColumn) {
	rows, err := csv.NewReader(bytes.NewReader(columnsFile)).ReadAll()
	if err != nil {
		panic(err) // the file is part of the program
	}
	for _, row := range rows[1:] {
		all = append(all, views.RollColumn{Name: row[0], Needed: row[1] == "yes", Words: row[2], Example: row[3]})
	}
	return all
})
