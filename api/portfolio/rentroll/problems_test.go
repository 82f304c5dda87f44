package rentroll_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"portal/api/portfolio"
	"portal/api/portfolio/rentroll"
)

// today is a Monday noon in Texas.
var today = time.Date(2026, 11, 2, 18, 0, 0, 0, time.UTC)

var texas = time.FixedZone("CST", -6*60*60)

// problemsOf are all problems of a file, those against the portfolio too.
func problemsOf(file string, existing *rentroll.Existing) []string {
	roll, problems := rentroll.Read(strings.NewReader(file))
	_, all := roll.Plan(existing, today, texas)
	if len(all) < len(problems) {
		return []string{"the plan forgot problems"}
	}
	var lines []string
	for _, f := range all {
		lines = append(lines, f.String())
	}
	return lines
}

// cell is a file of one good line in which one cell is another.
func cell(column, value string) string {
	names := rentroll.Columns()
	values := map[string]string{
		"street_address": "1420 Maple Avenue", "city": "Austin", "state": "TX",
		"tenant_first_name": "Dana", "tenant_last_name": "Whitfield",
		"lease_start": "2026-01-01", "monthly_rent": "1450",
	}
	values[column] = value
	row := make([]string, len(names))
	for i, name := range names {
		row[i] = `"` + strings.ReplaceAll(values[name], `"`, `""`) + `"`
	}
	return strings.Join(names, ",") + "\n" + strings.Join(row, ",") + "\n"
}

var cellProblems = []struct{ column, value, message string }{
	{"street_address", "", "Every line needs a street_address."},
	{
		"street_address",
		strings.Repeat("é", 201),
		`"` + strings.Repeat("é", 40) + `…" must have at most 200 characters, not 201.`,
	},
	{"city", "", "Every line needs a city."},
	{"city", strings.Repeat("A", 101), `"` + strings.Repeat("A",
		40) + `…" must have at most 100 characters, not 101.`},
	{"state", "", "Every line needs a state."},
	{"state", "Texcoco", `"Texcoco" is not the USPS code of a state or DC, such as TX.`},
	{"state", "PR", `"PR" is not the USPS code of a state or DC, such as TX.`},
	{
		"postal_code", "2139",
		`"2139" has lost a leading zero in a spreadsheet: write 02139, in a column formatted as text.`,
	},
	{
		"postal_code", "501",
		`"501" has lost a leading zero in a spreadsheet: write 00501, in a column formatted as text.`,
	},
	{
		"postal_code", "7870",
		`"7870" has lost a leading zero in a spreadsheet: write 07870, in a column formatted as text.`,
	},
	{"postal_code", "787011", `"787011" is not a ZIP code of 5 or 9 digits, such as 78701 or 78701-1234.`},
	{"postal_code", "78701-123", `"78701-123" is not a ZIP code of 5 or 9 digits, such as 78701 or 78701-1234.`},
	{"postal_code", "K1A 0B1", `"K1A 0B1" is not a ZIP code of 5 or 9 digits, such as 78701 or 78701-1234.`},
	{
		"property_type",
		"castle",
		`"castle" is not a kind of property. The kinds are single_family, multi_family, apartment, condo, townhouse,` +
			` duplex, mobile_home, commercial, other.`,
	},
	{"year_built", "1599", `"1599" is not a whole number between 1600 and 9999.`},
	{"year_built", "2028", `"2028" is not a whole number between 1600 and 2027.`},
	{"year_built", "c. 1970", `"c. 1970" is not a whole number between 1600 and 9999.`},
	{
		"unit_number",
		strings.Repeat("9", 31),
		`"` + strings.Repeat("9", 31) + `" must have at most 30 characters, not 31.`,
	},
	{"bedrooms", "-1", `"-1" is not a whole number between 0 and 100.`},
	{"bedrooms", "1.5", `"1.5" is not a whole number between 0 and 100.`},
	{"bedrooms", "101", `"101" is not a whole number between 0 and 100.`},
	{"bathrooms", "1.25", `"1.25" is not a number in steps of 0.5 between 0 and 100, such as 1.5.`},
	{"bathrooms", "two", `"two" is not a number in steps of 0.5 between 0 and 100, such as 1.5.`},
	{"square_feet", "0", `"0" is not a whole number between 1 and 10000000.`},
	{"square_feet", "12,50", `"12,50" is not a whole number between 1 and 10000000.`},
	{"square_feet", ",860", `",860" is not a whole number between 1 and 10000000.`},
	{
		"market_rent", "1450.555",
		`"1450.555" is not an amount in dollars with at most two decimals, such as 1450 or $1,450.00.`,
	},
	{
		"market_rent", "1450 €",
		`"1450 €" is not an amount in dollars with at most two decimals, such as 1450 or $1,450.00.`,
	},
	{
		"market_rent", "1,45,0",
		`"1,45,0" is not an amount in dollars with at most two decimals, such as 1450 or $1,450.00.`,
	},
	{
		"market_rent", "(1450)",
		`"(1450)" is less than 0.`,
	},
	{
		"market_rent", "1000000000",
		`"1000000000" is not an amount in dollars with at most two decimals, such as 1450 or $1,450.00.`,
	},
	{"market_rent", "-1450", `"-1450" is less than 0.`},
	{"market_rent", "-$1,450", `"-$1,450" is less than 0.`},
	{"market_rent", "$-5", `"$-5" is less than 0.`},
	{"market_rent", "--5", `"--5" is less than 0.`},
	{"tenant_first_name", "", "A tenant needs both names."},
	{"tenant_last_name", "", "A tenant needs both names."},
	{
		"tenant_first_name",
		strings.Repeat("D", 128),
		`"` + strings.Repeat("D", 40) + `…" must have at most 127 characters, not 128.`,
	},
	{
		"tenant_last_name",
		strings.Repeat("D", 128),
		`"` + strings.Repeat("D", 40) + `…" must have at most 127 characters, not 128.`,
	},
	{"tenant_email", "dana@example", `"dana@example" is not an email address, such as dana@example.com.`},
	{
		"tenant_phone", "555-0142",
		`"555-0142" is not a phone number, such as (512) 555-0142 or +15125550142; an extension cannot be kept.`,
	},
	{"lease_start", "", "A tenant needs a lease, and a lease a first day."},
	{"lease_start", "13/13/2026", `"13/13/2026" is not a day, such as 2026-11-02 or 11/2/2026 (month first).`},
	{"lease_start", "2026-02-29", `"2026-02-29" is not a day, such as 2026-11-02 or 11/2/2026 (month first).`},
	{"lease_start", "1/1/1599", `"1/1/1599" is not a day, such as 2026-11-02 or 11/2/2026 (month first).`},
	{"lease_end", "soon", `"soon" is not a day, such as 2026-11-02 or 11/2/2026 (month first).`},
	{"lease_end", "12/31/2025", "The lease ends on 2025-12-31, before it starts on 2026-01-01."},
	{"monthly_rent", "", "A tenant needs a lease, and a lease a monthly rent."},
	{"monthly_rent", "$0.00", "The rent of a lease must be more than 0."},
	{
		"monthly_rent", "a lot",
		`"a lot" is not an amount in dollars with at most two decimals, such as 1450 or $1,450.00.`,
	},
	{"security_deposit", "-1", `"-1" is less than 0.`},
}

func TestCellProblemNamesLineColumnAndRemedy(t *testing.T) {
	for _, c := range cellProblems {
		got := problemsOf(cell(c.column, c.value), nil)
		want := "line 2, " + c.column + ": " + c.message
		if len(got) != 1 || got[0] != want {
			t.Errorf("%s %q:\n got %q\nwant %q", c.column, c.value, got, want)
		}
	}
}

const columnList = "street_address, city, state, postal_code, property_type, year_built, unit_number, bedrooms, " +
	"bathrooms, square_feet, market_rent, tenant_first_name, tenant_last_name, tenant_email, tenant_phone, " +
	"lease_start, lease_end, monthly_rent, security_deposit."

var fileProblems = []struct {
	name, file string
	want       []string
}{
	{"an empty file", "", []string{"line 1: The file is empty. Its first line names the columns: " + columnList}},
	{
		"only a byte order mark",
		"\ufeff\r\n",
		[]string{"line 1: The file is empty. Its first line names the columns: " + columnList},
	},
	{
		"delimiters alone",
		",\n,,\n",
		[]string{"line 1: The file is empty. Its first line names the columns: " + columnList},
	},
	{
		"a foreign file",
		"PK\x03\x04\x14\x00\x00",
		[]string{"line 1: This workbook is damaged. Open it in Excel and save it again."},
	},
	{
		"control characters",
		"street_address,city,state\n1420 \x00Maple,Austin,TX\n1420 \x07Maple,Austin,TX\n",
		[]string{
			"line 2: A cell holds a control character (U+0000). Remove it.",
			"line 3: A cell holds a control character (U+0007). Remove it.",
		},
	},
	{
		"UTF-8 that is broken later",
		"street_address,city,state\n1 Peña St,Austin,TX\n2 Pe\xf1a St,Austin,TX\n",
		[]string{"line 3: The line holds bytes that are not text. Save the file as “CSV UTF-8”."},
	},
	{
		"an open quote in the header",
		"street_address,\"city\nstate\n",
		[]string{
			"line 1: The quoted text that begins in this line does not end in it or in the 20 lines after it. Close it " +
				"with a quote.",
		},
	},
	{
		"no header",
		"1420 Maple Avenue,Austin,TX\n",
		[]string{"line 1: The first line names no column of a rent roll. The columns are " + columnList},
	},
	{
		"a header that is too wide",
		strings.Repeat("x,", 101) + "city\nx\n",
		[]string{"line 1: The first line names 102 columns; a rent roll has 19."},
	},
	{"no unit", "street_address,city,state\n\n,,\n", []string{"line 1: No unit follows the line of column names."}},
	{
		"an unknown column, a column twice and a nameless one",
		"street_address,City,STATE,zip,Tenant First Nam,city,,unit-number\n1420 Maple " +
			"Avenue,Austin,TX,78701,Dana,Austin,x,2B\n",
		[]string{
			"line 1, Tenant First Nam: There is no such column in a rent roll; the nearest is tenant_first_name.",
			"line 1, city: The column is named twice; leave one of them out.",
			"line 1: Column 7 has no name.",
		},
	},
	{
		"required columns that are missing",
		"city,unit_number\nAustin,1\n",
		[]string{
			"line 1, street_address: The column is missing; every line needs it.",
			"line 1, state: The column is missing; every line needs it.",
		},
	},
	{
		"lease columns that are missing",
		"street_address,city,state,tenant_first_name,tenant_last_name\n1 A St,Austin,TX,Dana,Whitfield\n2 A " +
			"St,Austin,TX,Robin,Whitfield\n",
		[]string{
			"line 1, lease_start: The column is missing. Line 2: A tenant needs a lease, and a lease a first day.",
			"line 1, monthly_rent: The column is missing. Line 2: A tenant needs a lease, and a lease a monthly rent.",
		},
	},
	{
		"too many and too few values",
		"street_address,city,state,market_rent\n1 A St,Austin,TX,1,450\n2 A St,Austin,TX\n3 A St,Austin,TX,1450,,\n",
		[]string{
			"line 2: The line has 5 values, the first line names 4 columns. Put a value that holds the delimiter " +
				"in quotes.",
			"line 3: The line has 3 values, the first line names 4 columns. Put a value that holds the delimiter " +
				"in quotes.",
		},
	},
	{
		"quotes",
		"street_address,city,state\n\"1 A St\" x,Austin,TX\n2 A St,\"Aus\ntin\",TX\n3 A St,Austin,Texcoco\n4 A " +
			"St,Austin,TX,\"x\n",
		[]string{
			`line 2: After a quoted value comes more text. Double the quotes inside a value, as in "The ""Oaks""".`,
			`line 5, state: "Texcoco" is not the USPS code of a state or DC, such as TX.`,
			"line 6: The quoted text that begins in this line does not end in it or in the 20 lines after it. Close it " +
				"with a quote.",
		},
	},
	{
		"an overlong line",
		"street_address,city,state\n1 A St,Austin,Texcoco\n" + strings.Repeat("x", 70_000) + "\n",
		[]string{
			`line 2, state: "Texcoco" is not the USPS code of a state or DC, such as TX.`,
			"line 3: The line is longer than 64 KiB; reading stopped here. Check that the file is a CSV file.",
		},
	},
	{
		"several problems of one line",
		"street_address,city,state,bedrooms,tenant_email,lease_start\n,Austin,Texcoco,x,dana@example.com,soon\n",
		[]string{
			"line 1, tenant_first_name: The column is missing. Line 2: The line has a lease or a contact but no " +
				"tenant. Give both names, or leave the columns of tenant and lease empty.",
			"line 1, monthly_rent: The column is missing. Line 2: A tenant needs a lease, and a lease a monthly rent.",
			"line 2, street_address: Every line needs a street_address.",
			`line 2, state: "Texcoco" is not the USPS code of a state or DC, such as TX.`,
			`line 2, bedrooms: "x" is not a whole number between 0 and 100.`,
			`line 2, lease_start: "soon" is not a day, such as 2026-11-02 or 11/2/2026 (month first).`,
		},
	},
	{
		"a lease without a tenant",
		"street_address,city,state,tenant_first_name,tenant_last_name,lease_start,lease_end,monthly_rent,security_deposit\n" +
			"1 A St,Austin,TX,,,2026-01-01,,1450,\n2 A St,Austin,TX,,,,,1450,\n3 A St,Austin,TX,,,,,0,500\n4 A " +
			"St,Austin,TX,,,,,0,0.00\n",
		[]string{
			"line 2, tenant_first_name: The line has a lease or a contact but no tenant. Give both names, or leave " +
				"the columns of tenant and lease empty.",
			"line 3, tenant_first_name: The line has a lease or a contact but no tenant. Give both names, or leave " +
				"the columns of tenant and lease empty.",
			"line 3, lease_start: A tenant needs a lease, and a lease a first day.",
			"line 4, tenant_first_name: The line has a lease or a contact but no tenant. Give both names, or leave " +
				"the columns of tenant and lease empty.",
			"line 4, lease_start: A tenant needs a lease, and a lease a first day.",
			"line 4, monthly_rent: The rent of a lease must be more than 0.",
		},
	},
	{
		"a unit twice",
		"street_address,city,state,unit_number\n1420 Maple Avenue,Austin,TX,2b\n1420 Maple Ave.,AUSTIN,tx,2B\n9 A " +
			"St,Austin,TX,1\n9 A Street,Austin,TX,\n",
		[]string{
			`line 3, unit_number: Unit "2B" of this property is in line 2 already.`,
			`line 5, unit_number: Unit "1" of this property is in line 4 already. An empty unit_number means "1".`,
		},
	},
	{
		"a unit twice without a column of numbers",
		"street_address,city,state\n9 A St,Austin,TX\n9 A St,Austin,TX\n9 A St,Austin,TX\n",
		[]string{
			`line 1, unit_number: The column is missing. Line 3: Unit "1" of this property is in line 2 already. An ` +
				`empty unit_number means "1".`,
		},
	},
	{
		"lines that differ about their property",
		"street_address,city,state,unit_number,postal_code,property_type,year_built\n" +
			"9 A St,Austin,TX,1,,,\n9 A St,Austin,TX,2,78701,condo,1974\n9 A St,Austin,TX,3,78702,Duplex,1975\n9 A " +
			"St,Austin,TX,4,78701-1234,,\n",
		[]string{
			"line 4, postal_code: Line 3 says 78701 of the same property; the lines of a property must agree.",
			"line 4, property_type: Line 3 says condo of the same property; the lines of a property must agree.",
			"line 4, year_built: Line 3 says 1974 of the same property; the lines of a property must agree.",
		},
	},
	{
		"one address of two tenants",
		"street_address,city,state,tenant_first_name,tenant_last_name,tenant_email,tenant_phone,lease_start,monthly_rent\n" +
			"1 A St,Austin,TX,Dana,Whitfield,dana@example.com,,2026-01-01,900\n" +
			"2 A St,Austin,TX,Robin,Whitfield,Dana@example.com,,2026-01-01,900\n" +
			"3 A St,Austin,TX,dana,WHITFIELD,dana@example.com,512-555-0142,2026-01-01,900\n" +
			"4 A St,Austin,TX,Dana,Whitfield,dana@example.com,512-555-0143,2026-01-01,900\n",
		[]string{
			"line 5, tenant_phone: Line 4 has +15125550142 for the same tenant; the lines of a tenant must agree.",
		},
	},
}

func TestFileProblemNamesLineAndRemedy(t *testing.T) {
	for _, c := range fileProblems {
		t.Run(c.name, func(t *testing.T) { compare(t, problemsOf(c.file, nil), c.want) })
	}
}

func TestPortfolioConflictNamesItsLine(t *testing.T) {
	compare(t, problemsOf("street_address,city,state,unit_number,postal_code,property_type,year_built\n"+
		"1420 Maple Ave,Austin,TX,2b,78702,condo,1975\n"+
		"1420 Maple Ave,Austin,TX,3,,,\n"+
		"7 Oak St,Austin,TX,,,,\n"+
		"8 Elm St,Austin,TX,,,,\n", existing()), []string{
		"line 2, postal_code: The portfolio says 78701-1234 of this property. Change it there, or leave the column " +
			"empty.",
		"line 2, property_type: The portfolio says apartment of this property. Change it there, or leave the " +
			"column empty.",
		"line 2, year_built: The portfolio says 1974 of this property. Change it there, or leave the column empty.",
		"line 4, street_address: The portfolio has this property archived. Bring it back first.",
		"line 5, street_address: The portfolio has several properties with this address, so it cannot be told " +
			"which gets the unit.",
	})
}

// existing is a portfolio with an apartment house, an archived house and two
// houses of one address.
func existing() *rentroll.Existing {
	var x rentroll.Existing
	house := func(id, street string) *portfolio.Property {
		p := &portfolio.Property{
			StreetAddress: street,
			City:          "Austin",
			State:         "TX",
			PropertyType:  "single_family",
			Status:        portfolio.PropertyActive,
		}
		p.ID = id
		return p
	}
	maple := house("prop_maple", "1420 Maple Avenue")
	maple.PropertyType, maple.PostalCode, maple.YearBuilt = "apartment", new("78701-1234"), new(1974)
	oak := house("prop_oak", "7 Oak Street")
	oak.Status = portfolio.PropertyArchived
	pine := house("prop_pine", "5 Pine Road")
	pine.StreetAddress2 = new("Building B")
	for _, p := range []*portfolio.Property{
		maple,
		oak,
		house("prop_elm1", "8 Elm St"),
		house("prop_elm2", "8 Elm Street"),
		pine,
	} {
		x.Add(p)
	}
	for _, u := range [][2]string{{"prop_maple", "1"}, {"prop_maple", "2B"}, {"prop_nobody", "1"}} {
		unit := &portfolio.Unit{PropertyID: u[0], UnitNumber: u[1]}
		unit.ID = "unit_" + u[1]
		x.AddUnit(unit)
	}
	return &x
}

// Units whose numbers differ in case alone are two on SQLite where the letters are not of ASCII.
func TestUnitIsFoundHoweverItsNumberIsSpelled(t *testing.T) {
	const several = `line 2, unit_number: The portfolio has several units with this number, such as "É1" and "é1". ` +
		"Write it as the portfolio does."
	for _, c := range []struct {
		has  []string
		says string
		want string // the unit that it is, or a problem
	}{
		{[]string{"É1"}, "É1", "É1"},
		{[]string{"É1"}, "é1", "É1"},
		{[]string{"É  1"}, "é 1", "É  1"},
		{[]string{"É1"}, "E1", "none"},
		{[]string{"É1", "é1"}, "É1", "É1"},
		{[]string{"É1", "é1"}, "é1", "é1"},
		{[]string{"É 1", "é  1"}, "é 1", strings.ReplaceAll(several, `1"`, ` 1"`)},
	} {
		x := existing()
		for _, number := range c.has {
			unit := &portfolio.Unit{PropertyID: "prop_maple", UnitNumber: number, Bedrooms: new(1)}
			unit.ID = number
			x.AddUnit(unit)
		}
		file := "street_address,city,state,unit_number,bedrooms\n1420 Maple Ave,Austin,TX," + c.says + ",2\n"
		roll, _ := rentroll.Read(strings.NewReader(file))
		got := "none"
		p, problems := roll.Plan(x, today, texas)
		switch {
		case len(problems) > 0:
			got = strings.ReplaceAll(problems[0].String(), "  ", " ")
		case len(p.Changes) > 0:
			got = p.Changes[0].ID
		}
		if got != c.want {
			t.Errorf("%q is %s, want %s", c.says, got, c.want)
		}
	}
}

func TestFullStopBetweenDigitsCounts(t *testing.T) {
	var x rentroll.Existing
	house := &portfolio.Property{StreetAddress: "1.5 St. John's Pl.", City: "Austin", State: "TX"}
	house.ID = "prop_1"
	x.Add(house)
	for street, want := range map[string]int{
		"1.5 St. John's Pl.": 0, "1.5 saint johns place": 0, "15 St. John's Pl.": 1, "1. 5 St. John's Pl.": 1,
	} {
		if p := plan(t, "street_address,city,state\n"+street+",Austin,TX\n", &x); p.Properties != want {
			t.Errorf("%s: %d new properties, want %d", street, p.Properties, want)
		}
	}
}

func TestProblemsBeyondAThousandAreOnlyCounted(t *testing.T) {
	file := "street_address,city,state\n" + strings.Repeat("1 A St,Austin,Texcoco\n", 1500)
	_, problems := rentroll.Read(strings.NewReader(file))
	if len(problems) != rentroll.MaxProblems+1 {
		t.Fatalf("%d problems", len(problems))
	}
	want := rentroll.Problem{Line: 1002, Message: "From here on there are 500 more problems, which are not listed."}
	if last := problems[rentroll.MaxProblems]; last != want {
		t.Errorf("the last is %+v, want %+v", last, want)
	}
}

func TestFileWithTooManyUnitsIsRefused(t *testing.T) {
	file := "street_address,city,state,unit_number\n" + numbered(rentroll.MaxUnits+1)
	compare(t, problemsOf(file, nil), []string{"line 200002: A rent roll has at most 200000 units; split the file."})
}

func TestReadErrorNamesItsLine(t *testing.T) {
	broken := io.MultiReader(
		strings.NewReader("street_address,city,state\n1 A St,Austin,TX\n"),
		iotest.ErrReader(errors.New("the disk is gone")),
	)
	_, problems := rentroll.Read(broken)
	compare(t, []string{fmt.Sprint(problems)}, []string{
		"[line 3: The file could not be read from here on: the disk is gone.]",
	})
}

func TestReplanningFindsSameProblems(t *testing.T) {
	roll, _ := rentroll.Read(strings.NewReader(
		"street_address,city,state\n1 A St,Austin,Texcoco\n1420 Maple Ave,Austin,TX\n",
	))
	_, once := roll.Plan(existing(), today, texas)
	_, twice := roll.Plan(existing(), today, texas)
	same(t, twice, once)
}

func compare(t *testing.T, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "", ""
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("problem %d:\n got %s\nwant %s", i, g, w)
		}
	}
}
