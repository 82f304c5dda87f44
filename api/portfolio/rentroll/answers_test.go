package rentroll_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"portal/api/portfolio/rentroll"
)

func TestFileWithoutAddressIsReadWithOneThatIsGiven(t *testing.T) {
	const file = "Unit,Tenant,Start,Rent\n1,Amara Okafor,2026-03-01,900\n2,VACANT,,\n"
	roll, problems := rentroll.ReadWith(strings.NewReader(file), &rentroll.Answers{
		Street: "7 Oak St", City: "Austin", State: "TX", PostalCode: "78701",
	})
	if len(problems) > 0 || roll.Guesses() {
		t.Fatal(problems, roll.Notes())
	}
	got := written(t, roll)
	for _, want := range []string{
		"property none: 7 Oak St, Austin, TX 78701, 2 units\n",
		"lease 7 Oak St, Unit 1, Austin, TX 78701: Amara Okafor, 2026-03-01 to none, 900.00 and 0.00, active\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("it becomes\n%s\nwithout %s", got, want)
		}
	}
}

func TestColumnsAreWhatSomebodySaysTheyAre(t *testing.T) {
	const file = "A,B,C,D,E\n7 Oak St,Austin,TX,12,gravel\n7 Oak St,Austin,TX,14,\n"
	roll, problems := rentroll.Read(strings.NewReader(file))
	if len(problems) == 0 || roll.Units() != 0 {
		t.Fatal("columns that nobody knows are read")
	}
	want := []rentroll.Heading{
		{Name: "A", Values: []string{"7 Oak St"}},
		{Name: "B", Values: []string{"Austin"}},
		{Name: "C", Values: []string{"TX"}},
		{Name: "D", Values: []string{"12", "14"}},
		{Name: "E", Values: []string{"gravel"}},
	}
	if got := roll.Headings(); !slices.EqualFunc(got, want, func(a, b rentroll.Heading) bool {
		return a.Name == b.Name && a.Field == b.Field && slices.Equal(a.Values, b.Values)
	}) {
		t.Errorf("the columns are %+v, want %+v", got, want)
	}
	roll, problems = rentroll.ReadWith(strings.NewReader(file), &rentroll.Answers{Columns: map[int]string{
		0: "street_address", 1: "city", 2: "state", 3: "unit_number", 4: "",
	}})
	if len(problems) > 0 || roll.Units() != 2 || len(roll.Notes()) > 0 || roll.Headings()[3].Field != "unit_number" {
		t.Errorf("%d units, problems %v, notes %v, columns %+v", roll.Units(), problems, roll.Notes(), roll.Headings())
	}
}

func TestLineOfOneUnitIsNoProperty(t *testing.T) {
	place := &rentroll.Answers{Street: "7 Oak St", City: "Austin", State: "TX"}
	for _, number := range []string{"2", "101B", "#4", "Unit Five", "Apt. 12", "Penthouse", "A", "2-East"} {
		roll, problems := rentroll.ReadWith(strings.NewReader("Unit,Tenant,Start,Rent\n"+number+",,,\n"), place)
		if len(problems) > 0 || roll.Units() != 1 {
			t.Errorf("%s: %d units, problems %v", number, roll.Units(), problems)
		}
	}
	for _, name := range []string{"Harrow House", "14 Kestrel Court", "Kestrel"} {
		_, problems := rentroll.ReadWith(strings.NewReader("Unit,Tenant,Start,Rent\n"+name+",,,\n1,,,\n"), place)
		if len(problems) != 1 || !strings.Contains(problems[0].Message, "names a property without its address") {
			t.Errorf("%s: problems %v", name, problems)
		}
	}
}

func TestFewRowsAreSampledWhereTheyAreLong(t *testing.T) {
	var b strings.Builder
	b.WriteString("address,city,state,unit,tenant,start,rent,notes\n")
	for i := range 100 { // the first 80 or so are sampled; the day that stands first in line 102 is not
		fmt.Fprintf(&b, "7 Oak St,Austin,TX,%d,Amara Okafor,1/2/2026,900,%s\n", i, strings.Repeat("x", 50_000))
	}
	b.WriteString("7 Oak St,Austin,TX,100,Amara Okafor,13/2/2026,900,\n")
	_, problems := rentroll.Read(strings.NewReader(b.String()))
	if len(problems) != 1 || problems[0].Line != 102 || !strings.Contains(problems[0].Message, "is not a day") {
		t.Errorf("problems: %v", problems)
	}
}
