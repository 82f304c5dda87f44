package cell_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"portal/api/portfolio/rentroll/cell"
)

// seed makes the random names and addresses the same in every run.
const seed = 1

// share counts what is read.
type share struct{ sure, right, all int }

func (s *share) count(t *testing.T, text string, want, got any, sure, right bool) {
	t.Helper()
	s.all++
	switch {
	case sure && right:
		s.sure++
	case sure:
		t.Errorf("%q is surely %q, and is %q", text, got, want)
	}
	if right {
		s.right++
	}
}

// check holds that enough is read for the package to be of use.
func (s *share) check(t *testing.T, shape string, leastSure, leastRight int) {
	t.Helper()
	if s.sure*100 < leastSure*s.all || s.right*100 < leastRight*s.all || s.all == 0 {
		t.Errorf("%s: of %d, %d are read surely and %d rightly", shape, s.all, s.sure, s.right)
	}
}

var (
	// firstNames are half known to the package and half not.
	firstNames = strings.Fields(
		`Amara Tobias Elena Ines Mate Josephine Zoë Renée Per Hollis Wren Juan María José Ana Luis
		Kwame Yuki Priya Mei Ling Thandiwe Siobhán Björn Oluwaseun Dmitri Fatima Hassan Jamal Latoya Keisha
		Shaniqua Rashid Nikhil Anh Tuan Jin-ho Mary-Kate D'Andre Robert Linda James Patricia Grace Taylor Jordan Lee Ann Bo Xóchitl Itzel`,
	)
	// lastNames have some that are given names as well.
	lastNames = strings.Split(
		`Okafor,Marsh,Varga,O'Dell,Grant,Peña,St. John,de la Cruz,Lind,Whitfield,Nguyen,Kim,Li,Patel,
Johnson,Smith,García,López-García,van der Berg,Van Buren,von Trapp,Al Farsi,McDonald,Abernathy,Kowalczyk,Ng,Thomas,
Lee,Scott,Martin,George,Henry,Ruiz,Da Silva,Del Toro,Müller,Ó Briain,Fitzgerald,Washington,Begay,Yazzie,Kealoha,
D'Angelo,Saint-Pierre,Young,Rose,James,Park,Chen,Tran`,
		",",
	)
)

func pick(r *rand.Rand, all []string) string { return strings.TrimSpace(all[r.IntN(len(all))]) }

// TestPeopleIsNeverWrongAndSure reads 500 random names in each shape whose right reading is known.
func TestPeopleIsNeverWrongAndSure(t *testing.T) {
	t.Parallel()
	for shape, least := range map[string][2]int{ // percent that are read surely, and rightly
		"L1, F1":               {90, 95},
		"L1, F1 & F2":          {90, 95},
		"L1, F1 and F2":        {90, 95},
		"L1, F1; L2, F2":       {90, 95},
		"L1, F1 & L2, F2":      {90, 95},
		"F1 L1":                {75, 90},
		"F1 L1 & F2 L2":        {60, 85},
		"F1 L1 / F2 L2":        {60, 85},
		"F1 L1, F2 L1":         {50, 80},
		"F1 L1, F2 L2":         {5, 70},
		"F1 & F2 L1":           {75, 90},
		"F1 M. L1":             {75, 90},
		"L1, F1 M.":            {90, 95},
		"F1 L1 Jr.":            {75, 90},
		"L1, F1, Jr.":          {90, 95},
		"F1 F2 L1":             {0, 20},
		"L1, F1 F2":            {10, 90},
		"L1 L2, F1":            {0, 30},
		"F1 L1 L2":             {0, 10},
		"F1, F2 L1":            {0, 0},
		"F1 L1, F2 L2 & F1 L2": {1, 50},
	} {
		t.Run(shape, func(t *testing.T) {
			t.Parallel()
			r, read := rand.New(rand.NewPCG(seed, uint64(len(shape)))), share{}
			for range 500 {
				f1, f2, l1, l2 := pick(r, firstNames), pick(r, firstNames), pick(r, lastNames), pick(r, lastNames)
				text := strings.NewReplacer("F1", f1, "F2", f2, "L1", l1, "L2", l2).Replace(shape)
				want := wanted(shape, f1, f2, l1, l2)
				if r.IntN(4) == 0 {
					text = strings.ToUpper(text)
					for i, p := range want {
						want[i] = cell.Person{First: strings.ToUpper(p.First), Last: strings.ToUpper(p.Last)}
					}
				}
				got, sure := cell.People(text)
				read.count(t, text, want, got, sure, slices.Equal(got, want))
			}
			read.check(t, shape, least[0], least[1])
		})
	}
}

func wanted(shape, f1, f2, l1, l2 string) []cell.Person {
	a, b := cell.Person{First: f1, Last: l1}, cell.Person{First: f2, Last: l2}
	switch shape {
	case "L1, F1", "F1 L1":
		return []cell.Person{a}
	case "F1 M. L1", "L1, F1 M.":
		return []cell.Person{{First: f1 + " M.", Last: l1}}
	case "F1 L1 Jr.", "L1, F1, Jr.":
		return []cell.Person{{First: f1, Last: l1 + " Jr."}}
	case "F1 F2 L1", "L1, F1 F2":
		return []cell.Person{{First: f1 + " " + f2, Last: l1}}
	case "L1 L2, F1", "F1 L1 L2":
		return []cell.Person{{First: f1, Last: l1 + " " + l2}}
	case "L1, F1 & F2", "L1, F1 and F2", "F1 & F2 L1", "F1 L1, F2 L1", "F1, F2 L1":
		return []cell.Person{a, {First: f2, Last: l1}}
	case "F1 L1, F2 L2 & F1 L2":
		return []cell.Person{a, b, {First: f1, Last: l2}}
	}
	return []cell.Person{a, b}
}

var (
	streetNames = strings.Split(
		`Alder,Kestrel,Harrow,Juniper,Pier,Main,Oak,Elm,Park,Forest Lake,Old Mill,Martin Luther King Jr,
N Lamar,S Congress,St Charles,Lake Shore,Union,Court,Spring Hill,W 42nd,5th,E 7th,Avenue of the Pines,Circle,King's,
Calle Luna,La Cienega,Church Hill,Highland Park,San Jacinto,Fort Hood,Mount Vernon,County Line,State,Bay View`,
		",",
	)
	streetSuffixes = strings.Fields(
		`St Ave Ave. Dr Rd Ln Ct Blvd Cir Way Pl Ter Pkwy Street Avenue Drive Road Lane Court Row Sq Trl
		Loop Run Path Creek Ridge Hwy Terrace Cove Crossing`,
	)
	places = []cell.Address{
		{City: "Tacoma", State: "WA", PostalCode: "98402"},
		{City: "Columbus", State: "OH", PostalCode: "43215"},
		{City: "Santa Fe", State: "NM", PostalCode: "87501"},
		{City: "New York", State: "NY", PostalCode: "10001"},
		{City: "St Louis", State: "MO", PostalCode: "63101"},
		{City: "St. Paul", State: "MN", PostalCode: "55102"},
		{
			City:       "North Las Vegas",
			State:      "NV",
			PostalCode: "89030",
		},
		{City: "W Palm Beach", State: "FL", PostalCode: "33401"},
		{
			City:       "Federal Way",
			State:      "WA",
			PostalCode: "98003",
		},
		{City: "Lake Forest", State: "IL", PostalCode: "60045"},
		{City: "Washington", State: "DC", PostalCode: "20001"},
		{City: "Kansas City", State: "KS", PostalCode: "66101"},
		{City: "Park City", State: "UT", PostalCode: "84060"},
		{City: "Mill Valley", State: "CA", PostalCode: "94941"},
		{City: "Key West", State: "FL", PostalCode: "33040"},
		{City: "Circle Pines", State: "MN", PostalCode: "55014"},
		{
			City:       "Virginia Beach",
			State:      "VA",
			PostalCode: "23451",
		},
		{City: "Charleston", State: "WV", PostalCode: "25301-1204"},
		{City: "Coeur d'Alene", State: "ID", PostalCode: "83814"},
		{City: "Ft Worth", State: "TX", PostalCode: "76102"},
		{City: "Winston-Salem", State: "NC", PostalCode: "27101"},
		{City: "Portland", State: "ME", PostalCode: "04101"},
		{
			City:       "Highland Park",
			State:      "NJ",
			PostalCode: "08904",
		},
		{City: "Mountlake Terrace", State: "WA", PostalCode: "98043"},
		{
			City:       "Court House Square",
			State:      "OH",
			PostalCode: "43160",
		},
		{City: "Lower Burrell", State: "PA", PostalCode: "15068"},
	}
	stateNames = map[string]string{
		"WA": "Washington", "OH": "Ohio", "NM": "N.M.", "NY": "New York", "MO": "Mo.", "MN": "Minnesota",
		"NV": "Nevada",
		"FL": "Fla.", "IL": "Illinois", "DC": "D.C.", "KS": "Kansas", "UT": "Utah", "CA": "Calif.",
		"VA": "Virginia",
		"WV": "West Virginia", "ID": "idaho", "TX": "Texas", "NC": "N. Carolina", "ME": "Maine", "NJ": "New Jersey",
		"PA": "Pennsylvania",
	}
)

// TestSplitAddressIsNeverWrongAndSure reads 500 random addresses in each shape whose right reading is known: N is the
// number and name of a street, U its unit, C a city, S a state and Z its ZIP code.
func TestSplitAddressIsNeverWrongAndSure(t *testing.T) {
	t.Parallel()
	for shape, least := range map[string][2]int{
		"N, C, S Z":               {90, 100},
		"N, C S Z":                {90, 100},
		"N, C, S, Z, USA":         {90, 100},
		"N Apt U, C, S Z":         {90, 100},
		"N #U, C, S Z":            {90, 100},
		"N, Unit U, C, S Z":       {90, 100},
		"N C, S Z":                {45, 70},
		"N C S Z":                 {45, 70},
		"N Unit U C, S Z":         {45, 70},
		"N #U C, S Z":             {45, 70},
		"N NW C, S Z":             {45, 65},
		"N NW, C, S Z":            {90, 100},
		"Alder Row - N, C, S Z":   {90, 100},
		"Harrow House - N C, S Z": {45, 70},
		"N - N, C, S Z":           {90, 100},
		"N, C, S":                 {0, 100},
	} {
		t.Run(shape, func(t *testing.T) {
			t.Parallel()
			r, read := rand.New(rand.NewPCG(seed, uint64(len(shape)))), share{}
			for range 500 {
				want, text := randomAddress(r, shape)
				got, sure, ok := cell.SplitAddress(text)
				read.count(t, text, want, got, sure && ok, ok && got == want)
			}
			read.check(t, shape, least[0], least[1])
		})
	}
}

func randomAddress(r *rand.Rand, shape string) (want cell.Address, text string) {
	want = places[r.IntN(len(places))]
	want.Street = fmt.Sprintf("%d %s %s", 1+r.IntN(9999), pick(r, streetNames), pick(r, streetSuffixes))
	unit := pick(r, []string{"4", "2B", "B", "103A", "12-C"})
	state := want.State
	if r.IntN(2) == 0 {
		state = stateNames[state]
	}
	for letter := range strings.SplitSeq(shape, " ") {
		end := strings.Trim(letter, "NUCSZ#")
		switch strings.TrimRight(letter, ",") {
		case "N":
			text += want.Street + end
		case "U", "#U":
			want.Unit = unit
			text += strings.TrimSuffix(strings.TrimRight(letter, ","), "U") + unit + end
		case "C":
			text += want.City + end
		case "S":
			text += state + end
		case "Z":
			text += want.PostalCode + end
		default:
			text += letter
		}
		text += " "
	}
	text = strings.TrimSpace(text)
	name, _, named := strings.Cut(text, " - ")
	switch {
	case named:
		want.Name = name
	case strings.Contains(shape, " NW"):
		want.Street += " NW"
	case !strings.Contains(shape, "Z"):
		want.PostalCode = ""
	}
	return want, text
}
