package rentroll_test

import (
	"maps"
	"strings"
	"testing"
	"time"

	"portal/api/fault"
	"portal/api/portfolio/rentroll"
)

func TestMappingNamesColumnsAsFileDoes(t *testing.T) {
	t.Parallel()
	roll, _ := rentroll.Read(strings.NewReader("Unit,,Notes,Notes,Column 2,Rent\n1,a,b,c,d,900\n"))
	names := rentroll.HeadingNames(roll.Headings())
	if got := strings.Join(names, "|"); got != "Unit|Column 2|Column 3|Column 4|Column 5|Rent" {
		t.Fatalf("the columns are %s", got)
	}
	m, err := rentroll.ParseMapping([]byte(`{"mapping": {"Unit": "unit_number", "Column 3": null},
		"answers": {"address:": "9 Pine St, Austin, TX 78701", "line:2": null}}`))
	if err != nil {
		t.Fatal(err)
	}
	said, err := m.Said(roll.Headings())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for question, answer := range said {
		got[question] = "null"
		if answer != nil {
			got[question] = *answer
		}
	}
	want := map[string]string{
		"column:1": "unit_number", "column:3": "", "address:": "9 Pine St, Austin, TX 78701", "line:2": "null",
	}
	if !maps.Equal(got, want) {
		t.Errorf("said %v", got)
	}
}

func TestMappingOfUnknownColumnOrFieldNamesIt(t *testing.T) {
	t.Parallel()
	roll, _ := rentroll.Read(strings.NewReader("Unit,Notes,Notes\n1,a,b\n"))
	for text, want := range map[string]string{
		`{"mapping": {"Lease from": "lease_start"}}`: "mapping.Lease from",
		`{"mapping": {"Notes": null}}`:               "mapping.Notes", // which of the two is not said
		`{"mapping": {"Unit": "unit"}}`:              "mapping.Unit",
		`{"mapping": {"Unit": ""}}`:                  "mapping.Unit",
	} {
		m, err := rentroll.ParseMapping([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = m.Said(roll.Headings()); !fault.Is(err, fault.InvalidField) || fault.From(err).Param != want {
			t.Errorf("%s is %v at %q", text, err, fault.From(err).Param)
		}
	}
	for text, want := range map[string]string{
		`[]`:                         "",
		`{"mapping": []}`:            "mapping",
		`{"answers": {"line:2": 3}}`: "answers.line:2",
		`{"columns": {}}`:            "columns",
		`{`:                          "",
	} {
		if _, err := rentroll.ParseMapping([]byte(text)); err == nil || fault.From(err).Param != want {
			t.Errorf("%s is %v at %q", text, err, fault.From(err).Param)
		}
	}
}

func TestProblemOfColumnsIsToldFromThoseOfLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"this,that\n1,2\n": true, // nothing is known of any column
		"address,unit,rent,tenant\n9 Pine St,1,900,Ann Lee\n": true, // city is missing
		"unit,rent\n1,\n": true, // no property
		"address,city,state,unit\n9 Pine St,Austin,Qqqqq,1\n":                                     false,
		"address,city,state,unit,tenant,start,rent\n9 Pine St,Austin,TX,1,Ann Lee,2026-01-01,x\n": false,
	} {
		roll, _ := rentroll.Read(strings.NewReader(text))
		_, problems := roll.Plan(nil, today, time.UTC)
		if len(problems) == 0 {
			t.Errorf("%q has no problem", text)
		}
		of := false
		for _, p := range problems {
			of = of || p.OfColumns(roll.Headings())
		}
		if of != want {
			t.Errorf("%q: %v, with %v", text, of, problems)
		}
	}
}
