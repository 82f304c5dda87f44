package cell_test

import (
	"slices"
	"strings"
	"testing"

	"portal/api/portfolio/rentroll/cell"
)

// people are persons, each written as First|Last.
func people(names ...string) (all []cell.Person) {
	for _, name := range names {
		first, last, _ := strings.Cut(name, "|")
		all = append(all, cell.Person{First: first, Last: last})
	}
	return all
}

func TestPeopleReadsNamesThatHaveOneReading(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]cell.Person{
		"Okafor, Amara":                     people("Amara|Okafor"),
		"Lind, Per":                         people("Per|Lind"),
		"Marsh, Tobias & Elena":             people("Tobias|Marsh", "Elena|Marsh"),
		"Ines Varga, Mate Varga":            people("Ines|Varga", "Mate|Varga"),
		"Josephine O'Dell":                  people("Josephine|O'Dell"),
		"Hollis Grant":                      people("Hollis|Grant"),
		"Grant, Wren":                       people("Wren|Grant"),
		"Zoë Peña":                          people("Zoë|Peña"),
		"Renée St. John":                    people("Renée|St. John"),
		"Juan de la Cruz":                   people("Juan|de la Cruz"),
		"Tobias Marsh & Amara Okafor":       people("Tobias|Marsh", "Amara|Okafor"),
		"Tobias Marsh / Amara Okafor":       people("Tobias|Marsh", "Amara|Okafor"),
		"Tobias Marsh and Amara Okafor":     people("Tobias|Marsh", "Amara|Okafor"),
		"Tobias Marsh + Amara Okafor":       people("Tobias|Marsh", "Amara|Okafor"),
		"Tobías Marsh y Amara Okafor":       people("Tobías|Marsh", "Amara|Okafor"),
		"Tobias & Elena Marsh":              people("Tobias|Marsh", "Elena|Marsh"),
		"Okafor, Amara; Marsh, Tobias":      people("Amara|Okafor", "Tobias|Marsh"),
		"Okafor, Amara & Marsh, Tobias":     people("Amara|Okafor", "Tobias|Marsh"),
		"Marsh, Tobias, Jr.":                people("Tobias|Marsh Jr."),
		"Marsh Jr., Tobias":                 people("Tobias|Marsh Jr."),
		"Marsh, Jr., Tobias":                people("Tobias|Marsh Jr."),
		"Tobias Marsh Jr":                   people("Tobias|Marsh Jr"),
		"Tobias Marsh, III":                 people("Tobias|Marsh III"),
		"Van Buren, Tobias":                 people("Tobias|Van Buren"),
		"de la Cruz, Juan & Ana":            people("Juan|de la Cruz", "Ana|de la Cruz"),
		"Amara K. Okafor":                   people("Amara K.|Okafor"),
		"Okafor, Amara K":                   people("Amara K|Okafor"),
		"Okafor, Amara Elena":               people("Amara Elena|Okafor"),
		"Seán Ó Briain":                     people("Seán|Ó Briain"),
		"OKAFOR, AMARA":                     people("AMARA|OKAFOR"),
		"amara okafor":                      people("amara|okafor"),
		"Ana-María López-García":            people("Ana-María|López-García"),
		"Willem van der Berg":               people("Willem|van der Berg"),
		"Jose\u0301 Ruiz":                   people("José|Ruiz"),
		"Tobias M. & Elena Marsh":           people("Tobias M.|Marsh", "Elena|Marsh"),
		"Ines Varga, Mate Varga, Ana Varga": people("Ines|Varga", "Mate|Varga", "Ana|Varga"),
		"Carlos Ruiz, Elena Marsh":          people("Carlos|Ruiz", "Elena|Marsh"),
	} {
		if got, sure := cell.People(in); !sure || !slices.Equal(got, want) {
			t.Errorf("People(%q) = %q, %t; want %q", in, got, sure, want)
		}
	}
}

func TestPeopleIsUnsureWhereMoreThanOneReadingIsPlausible(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]cell.Person{
		"Okafor":                  people("|Okafor"),
		"Ana María López García":  people("Ana María|López García"),
		"López García, Ana María": nil,
		"García López, Juan":      people("Juan|García López"),
		"Juan Pérez Gómez":        people("Juan|Pérez Gómez"),
		"Tobias Marsh & Elena":    people("Tobias|Marsh", "Elena|Marsh"),
		"Smith & Jones":           nil,
		"Okafor, Amara Grace":     people("Amara Grace|Okafor"),
		"Rosa D Angelo":           people("Rosa D|Angelo"),
		"John Smith &":            people("John|Smith"), "Smith John": nil, "Smith, Dr": nil, "José Luis": nil,
		"José, Luis": nil,
		"Mary Van":   nil, "The Smiths": nil, "van der Berg": people("van|der Berg"), "Laundry Room": nil,
		"Doe, Jane & Kids": nil, "On Hold": nil,
		"Sr. Ruiz":                    nil,
		"Sean O Brien":                nil,
		"Mary Ann & Elena Marsh":      nil,
		"Marsh, Tobias & Elena Ruiz":  people("Tobias|Marsh", "Elena|Ruiz"),
		"Harbor Holdings LLC":         people("|Harbor Holdings LLC"),
		"Okafor, Inc.":                people("|Okafor, Inc."),
		"The Marsh Family Trust":      people("|The Marsh Family Trust"),
		"Alder Properties":            people("|Alder Properties"),
		"Amara O.":                    people("Amara|O."),
		"Okafor Amara":                nil,
		"Mr. & Mrs. Marsh":            nil,
		"Dr. Amara Okafor":            nil,
		"Amara Okafor (guarantor)":    nil,
		"Marsh, Tobias, Elena":        nil,
		"Marsh, Tobias, Okafor, Ann":  people("Tobias|Marsh", "Ann|Okafor"),
		"María del Carmen":            people("María|del Carmen"),
		"Nguyen Van Minh":             nil,
		"VACANT":                      people("|VACANT"),
		"Vacant Unit":                 nil,
		"Tenant 1":                    nil,
		"St. John":                    nil,
		"Ronald Mc Donald":            nil,
		"Elena Marsh, Tobias & Ana":   nil,
		"Tobias, Jr. & Elena":         nil,
		"Kit Marsh & Wren Varga Ruiz": nil,
		"Tobias, Elena Marsh":         nil,
		"José Ortega y Gasset":        nil,
		"Tobias Marsh c/o Ann Okafor": nil,
		"Amara Okafor 555-0142":       nil,
		"Amara - Okafor":              nil,
		"Current Tenant":              nil,
		"&":                           people("|&"),
		"a\x00b":                      people("|a\x00b"),
		"5\xff":                       people("|5\xff"),
	} {
		got, sure := cell.People(in)
		if sure || len(got) == 0 || want != nil && !slices.Equal(got, want) {
			t.Errorf("People(%q) = %q, %t; want %q, unsure", in, got, sure, want)
		}
	}
	for _, in := range hostile() {
		if got, sure := cell.People(in); sure {
			t.Errorf("People(%.40q) = %q, surely", in, got)
		}
	}
	if got, sure := cell.People(" "); got != nil || sure {
		t.Errorf("nobody is read as %q, %t", got, sure)
	}
}

// FuzzPeopleLosesNoLetter holds that what is sure has all letters of the text but those of conjunctions, and that
// each person has both names.
func FuzzPeopleLosesNoLetter(f *testing.F) {
	for _, s := range append(hostile(), "Okafor, Amara", "Marsh, Tobias & Elena", "A B, C D", "A y B C") {
		f.Add(s)
	}
	f.Add(", and ;")
	f.Fuzz(func(t *testing.T, s string) {
		cell.Vacant(s)
		all, sure := cell.People(s)
		if strings.TrimSpace(s) != "" && len(all) == 0 && strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyz") {
			t.Errorf("%q has nobody", s)
		}
		var read strings.Builder
		for _, p := range all {
			if sure && (p.First == "" || p.Last == "") {
				t.Errorf("%q is surely %q", s, all)
			}
			read.WriteString(p.First + " " + p.Last + " ")
		}
		if !sure {
			return
		}
		between := func(r rune) bool { return strings.ContainsRune(" \t\r\n,;&+/", r) }
		for _, word := range strings.FieldsFunc(s, between) {
			conjunction := strings.EqualFold(word, "and") || strings.EqualFold(word, "y")
			if !conjunction && isASCII(word) && !strings.Contains(read.String(), word) {
				t.Errorf("%q is surely %q, without %q", s, all, word)
			}
		}
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > 0x7e || r <= ' ' })
}

func TestVacantKnowsWhatStandsInPlaceOfATenant(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"VACANT", "Vacant", "Vacant Unit", "vacant-ready", "Vacant - Not Ready", "Empty", "N/A", "n/a", "NA",
		"None", "-", "—",
		"--", "***VACANT***", "(vacant)", "Down", "Model", "MODEL UNIT", "Not rented", "Not Rented", "Available",
		"Available 12/1/2026", "Vacío", "Vacante", "vacio", "Vacant-Unrented", "Vacant Rented", "Disponible",
		"#N/A",
		"No tenant", "Unoccupied", "Vacant since 9/1/26",
	} {
		if !cell.Vacant(in) {
			t.Errorf("%q is not vacant", in)
		}
	}
	for _, in := range append(hostile(),
		"Okafor, Amara", "Marsh, Tobias & Elena", "Vacant Holdings LLC", "Downing, Al", "Model, Ana",
		"Ana Down", "None Such",
		"Vacant, John", "Empty Nest Trust", "Current", "occupied", "Josephine O'Dell", "Ines Varga, Mate Varga",
		"0", "Nan",
		"Down 2", "Available Jones", "Lind, Per", "Hollis Grant", "Vacanti", "Na Li",
	) {
		if strings.Trim(in, " ") != "" && cell.Vacant(in) {
			t.Errorf("%.40q is vacant", in)
		}
	}
}
