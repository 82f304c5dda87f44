package rentroll_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"portal/api/fault"
	"portal/api/portfolio/rentroll"
)

func TestFileWithoutAddressIsReadWithOneThatIsGiven(t *testing.T) {
	const file = "Unit,Tenant,Start,Rent\n1,Amara Okafor,2026-03-01,900\n2,VACANT,,\n"
	roll, problems := rentroll.ReadWith(
		strings.NewReader(file),
		rentroll.Answers{"address:": "7 Oak St, Austin, TX 78701"},
	)
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
	roll, problems = rentroll.ReadWith(strings.NewReader(file), rentroll.Answers{
		"column:1": "street_address",
		"column:2": "city",
		"column:3": "state",
		"column:4": "unit_number",
		"column:5": "",
	})
	if len(problems) > 0 || roll.Units() != 2 || len(roll.Notes()) > 0 || roll.Headings()[3].Field != "unit_number" {
		t.Errorf("%d units, problems %v, notes %v, columns %+v", roll.Units(), problems, roll.Notes(), roll.Headings())
	}
}

func TestLineOfOneUnitIsNoProperty(t *testing.T) {
	place := rentroll.Answers{"address:": "7 Oak St, Austin, TX 78701"}
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

// questions are files that ask something, the questions they ask, and answers after which they are a portfolio.
var questions = []struct {
	file    string
	asked   []string // without those that say the same of other lines
	answers rentroll.Answers
	becomes string // a part of it
}{
	{
		"address,city,state,unit,tenant,start,rent\n7 Oak St,Austin,Texaz,1,,,\n7 Oak St,Austin,Texaz,2,,,\n",
		[]string{"value:state:Texaz"},
		rentroll.Answers{"value:state:Texaz": "TX"},
		"property none: 7 Oak St, Austin, TX none, 2 units\n",
	},
	{
		"address,city,state,unit,tenant,start,end,rent\n7 Oak St,Austin,TX,1,Amara Okafor,2026-03-01,2026-02-01,900\n",
		[]string{"cell:2:lease_end"},
		rentroll.Answers{"cell:2:lease_end": "2/28/2027"},
		"Amara Okafor, 2026-03-01 to 2027-02-28, 900.00",
	},
	{
		"address,city,state,unit,tenant,start,end,rent\n7 Oak St,Austin,TX,1,Amara Okafor,2026-03-01,soon,900\n",
		[]string{"value:lease_end:soon"},
		rentroll.Answers{"value:lease_end:soon": ""},
		"Amara Okafor, 2026-03-01 to none, 900.00",
	},
	{
		"address,city,state,unit,tenant,start,rent\n7 Oak St,Austin,TX,1,Amara Okafor,01.02.2026,900\n",
		[]string{"dates:lease_start"},
		rentroll.Answers{"dates:lease_start": rentroll.DayFirst},
		"Amara Okafor, 2026-02-01 to none",
	},
	{
		"address,city,state,unit,tenant,start,rent\n7 Oak St,Austin,TX,1,Okafor,2026-02-01,900\n",
		[]string{"cell:2:tenant_name"},
		rentroll.Answers{"cell:2:tenant_name": "Amara Okafor"},
		"Amara Okafor, 2026-02-01 to none",
	},
	{
		"address,unit,tenant,start,rent\n7 Oak St,1,,,\n9 Oak St,1,,,\n",
		[]string{"value:city:", "value:state:"},
		rentroll.Answers{"value:city:": "Austin", "value:state:": "TX"},
		"property none: 9 Oak St, Austin, TX none, 1 units\n",
	},
	{
		"unit,tenant,start,rent\nHarrow House,,,\n1,,,\n2,,,\n14 Kestrel Court,,,\n1,,,\n",
		[]string{"address:Harrow House", "address:14 Kestrel Court"},
		rentroll.Answers{
			"address:Harrow House":     "220 Harrow St, Dayton, OH 45402",
			"address:14 Kestrel Court": "14 Kestrel Ct, Columbus, OH",
		},
		"property Harrow House: 220 Harrow St, Dayton, OH 45402, 2 units\n",
	},
	{
		"property,unit,tenant,start,rent\nHarrow House,1,,,\nKestrel,1,,,\nharrow house,2,,,\n",
		[]string{"address:Harrow House", "address:Kestrel"},
		rentroll.Answers{
			"address:Harrow House": "220 Harrow St, Dayton, OH 45402", "address:Kestrel": "14 Kestrel Ct, Columbus, OH",
		},
		"property Harrow House: 220 Harrow St, Dayton, OH 45402, 2 units\n",
	},
	{
		"unit,tenant,start,rent\n1,,,\n2,,,\n",
		[]string{"address:"},
		rentroll.Answers{"address:": "7 Oak St, Austin, TX"},
		"property none: 7 Oak St, Austin, TX none, 2 units\n",
	},
	{
		"address,city,state,unit\n9 Juniper Ln,Santa Fe,NM,\n9 Juniper Ln Unit B,Santa Fe,NM,B\n",
		[]string{"units:in_streets"},
		rentroll.Answers{"units:in_streets": rentroll.OwnProperties},
		"property none: 9 Juniper Ln Unit B, Santa Fe, NM none, 1 units\nunit 1:",
	},
	{
		"address,city,state,unit,tenant,start,rent\n7 Oak St,Austin,TX,1,,,\n7 Oak St,Austin,TX,1,,,\n7 Oak St,Austin,TX,1,,,\n",
		[]string{"cell:3:unit_number", "cell:4:unit_number"},
		rentroll.Answers{"cell:3:unit_number": "2", "line:4": rentroll.LeaveOut},
		"property none: 7 Oak St, Austin, TX none, 2 units\n",
	},
	{
		"address,city,state,zip,unit\n7 Oak St,Austin,TX,78701,1\n7 Oak St,Austin,TX,78702,2\n",
		[]string{"cell:3:postal_code"},
		rentroll.Answers{"cell:3:postal_code": "78701"},
		"property none: 7 Oak St, Austin, TX 78701, 2 units\n",
	},
	{
		"address,city,state,unit,square_fet\n7 Oak St,Austin,TX,1,800\n",
		[]string{"column:5"},
		rentroll.Answers{"column:5": "square_feet"},
		"800 sq ft",
	},
	{
		"address,city,state,unit\n7 Oak St,Austin,TX,1\n7 Oak St,Austin,TX,=2+3\n",
		[]string{"line:3"},
		rentroll.Answers{"line:3": rentroll.LeaveOut},
		"property none: 7 Oak St, Austin, TX none, 1 units\n",
	},
}

func TestEachQuestionIsAskedOnceAndItsAnswerIsTaken(t *testing.T) {
	for _, q := range questions {
		_, problems := rentroll.Read(strings.NewReader(q.file))
		var asked []string
		for _, g := range rentroll.Groups(problems) {
			asked = append(asked, g.Question)
			if len(g.Choices()) == 0 && !g.Free() {
				t.Errorf("%s: %+v can be answered by nothing", q.file, g)
			}
		}
		if !slices.Equal(asked, q.asked) {
			t.Errorf("%s\nasks %q, want %q: %v", q.file, asked, q.asked, problems)
		}
		if err := q.answers.Check(); err != nil {
			t.Errorf("%s: %v", q.file, err)
		}
		roll, problems := rentroll.ReadWith(strings.NewReader(q.file), q.answers)
		if len(problems) > 0 {
			t.Errorf("%s\nanswered: %v", q.file, problems)
			continue
		}
		if got := written(t, roll); !strings.Contains(got, q.becomes) {
			t.Errorf("%s\nbecomes\n%s\nwithout %s", q.file, got, q.becomes)
		}
	}
}

func TestEachChoiceIsAnAnswer(t *testing.T) {
	for _, q := range questions {
		_, problems := rentroll.Read(strings.NewReader(q.file))
		for _, p := range problems {
			for _, c := range p.Choices() {
				answers := rentroll.Answers{p.Question: c.Answer}
				if err := answers.Check(); err != nil {
					t.Errorf("%s: %q is no answer of %s: %v", q.file, c.Answer, p.Question, err)
				}
				if _, left := rentroll.ReadWith(strings.NewReader(q.file), answers); slices.Contains(left, p) {
					t.Errorf("%s: %q changes nothing about %v", q.file, c.Answer, p)
				}
			}
		}
	}
}

func TestAnswersToNoQuestionAreRefused(t *testing.T) {
	for question, answer := range map[string]string{
		"":                       "TX",
		"state":                  "TX",
		"value:county:Tejas":     "TX",
		"value:tenant_name:":     "Amara Okafor",
		"cell:0:state":           "TX",
		"cell:02:state":          "TX",
		"cell:-2:state":          "TX",
		"cell:2:":                "TX",
		"line:2":                 "",
		"line:x":                 rentroll.LeaveOut,
		"dates:lease_start":      "2026",
		"dates:state":            rentroll.DayFirst,
		"units:in_streets":       "",
		"units:":                 rentroll.OneProperty,
		"column:0":               "state",
		"column:101":             "state",
		"column:1":               "county",
		"address:":               "Oak St",
		"address:Oak":            "",
		"value:state:Tejas":      "T\x00X",
		"value:state:":           strings.Repeat("x", 301),
		strings.Repeat("x", 301): "TX",
	} {
		if err := (rentroll.Answers{question: answer}).Check(); !fault.Is(err, fault.InvalidField) {
			t.Errorf("%q for %q: %v", answer, question, err)
		}
		if roll, _ := rentroll.ReadWith(strings.NewReader("a\n"), rentroll.Answers{question: answer}); roll == nil {
			t.Error("it is read with them nevertheless")
		}
	}
	twice := rentroll.Answers{"column:1": "state", "column:2": "state"}
	if err := twice.Check(); !fault.Is(err, fault.InvalidField) {
		t.Errorf("two columns hold states: %v", err)
	}
}

func TestGuessIsGoneOnceSomebodyHasSaidIt(t *testing.T) {
	const file = "address,city,state,unit,tenant,start,rent\n7 Oak St,Austin,TX,1,Amara Okafor Lind,2026-03-01,900\n"
	roll, _ := rentroll.Read(strings.NewReader(file))
	notes := roll.Notes()
	if len(notes) != 1 || !notes[0].Guess || notes[0].Question != "value:tenant_name:Amara Okafor Lind" {
		t.Fatalf("notes: %+v", notes)
	}
	roll, problems := rentroll.ReadWith(strings.NewReader(file), rentroll.Answers{
		notes[0].Question: "Okafor Lind, Amara",
	})
	if got := written(
		t,
		roll,
	); len(problems) > 0 || len(roll.Notes()) > 0 ||
		!strings.Contains(got, ": Amara Okafor Lind,") {
		t.Errorf("problems %v, notes %v, becomes\n%s", problems, roll.Notes(), got)
	}
}
