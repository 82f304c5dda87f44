package cell

import (
	_ "embed" // the table of words
	"strings"
	"sync"
	"unicode"
)

// Occupancy is what a status of a unit or a lease says.
type Occupancy struct {
	Vacant       bool // nobody lives there now
	Occupied     bool // a tenant lives there now, also one who leaves
	Notice       bool // the tenant has given or been given notice
	MonthToMonth bool
	Future       bool // a lease begins later, also of a unit that is vacant now
	Past         bool // the lease is over
	Eviction     bool
}

// statusTable has phrases of property-management programs and of people, and what each says. It holds the
// statuses that the common programs of property management print on rent rolls, from knowledge of their reports.
//
//go:embed status.csv
var statusTable string

// statuses are what the phrases say.
var statuses = sync.OnceValue(func() map[string]Occupancy {
	all := map[string]Occupancy{}
	for line := range strings.Lines(statusTable) {
		phrase, says, _ := strings.Cut(strings.TrimSpace(line), ",")
		all[phrase] = Occupancy{
			Vacant:       strings.Contains(says, "V"),
			Occupied:     strings.Contains(says, "O"),
			Notice:       strings.Contains(says, "N"),
			MonthToMonth: strings.Contains(says, "M"),
			Future:       strings.Contains(says, "F"),
			Past:         strings.Contains(says, "P"),
			Eviction:     strings.Contains(says, "E"),
		}
	}
	return all
})

// longestPhrase is the number of words of the longest phrase of the table.
const longestPhrase = 4

// Status reads a status of a unit or a lease, such as Current, Vacant-Rented, Notice-Unrented, Active (month to month)
// and Past, also several of them at once. It is not ok where a word is not known, or where they contradict each other.
func Status(s string) (o Occupancy, ok bool) {
	s, ok = clean(s)
	if !ok {
		return Occupancy{}, false
	}
	left := plainWords(s)
	if len(left) == 0 || strings.ContainsAny(s, "0123456789%") {
		return Occupancy{}, false
	}
	for len(left) > 0 {
		n := min(longestPhrase, len(left))
		says, known := statuses()[strings.Join(left[:n], " ")]
		for !known && n > 1 {
			n--
			says, known = statuses()[strings.Join(left[:n], " ")]
		}
		if !known {
			return Occupancy{}, false
		}
		o = o.and(says)
		left = left[n:]
	}
	// Who has given notice still lives there, and so does a tenant from month to month unless that is to come.
	if (o.Notice || (o.MonthToMonth || o.Eviction) && !o.Future) && !o.Vacant && !o.Past {
		o.Occupied = true
	}
	if o == (Occupancy{}) || o.contradictory() {
		return Occupancy{}, false
	}
	return o, true
}

func (o Occupancy) and(p Occupancy) Occupancy {
	return Occupancy{
		Vacant:       o.Vacant || p.Vacant,
		Occupied:     o.Occupied || p.Occupied,
		Notice:       o.Notice || p.Notice,
		MonthToMonth: o.MonthToMonth || p.MonthToMonth,
		Future:       o.Future || p.Future,
		Past:         o.Past || p.Past,
		Eviction:     o.Eviction || p.Eviction,
	}
}

// contradictory tells what cannot be true of one unit at a time.
func (o Occupancy) contradictory() bool {
	return o.Vacant && (o.Occupied || o.Notice || o.MonthToMonth || o.Eviction) ||
		o.Past && (o.Occupied || o.Vacant || o.Future) ||
		o.Future && o.Occupied && !o.Notice
}

// plainWords are the words of letters of a text in lower case, without accents.
func plainWords(s string) []string {
	return strings.FieldsFunc(fold(s), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' })
}

// Vacant reports whether what stands in place of a tenant's name says that there is none: VACANT, vacant-ready, Empty,
// N/A, None, a dash, Down, Model, Available, Vacío. An empty text says nothing, so it is not vacant.
func Vacant(s string) bool {
	s, ok := clean(s)
	if !ok || s == "" {
		return false
	}
	if strings.Trim(strings.Map(hyphen, s), "- *") == "" {
		return true
	}
	all := plainWords(s)
	if len(all) == 0 {
		return false
	}
	plain := strings.Join(all, " ")
	if noTenant()[strings.ReplaceAll(plain, " ", "_")] && !strings.ContainsAny(s, "0123456789") {
		return true
	}
	if !vacantWords()[all[0]] {
		return false
	}
	for _, word := range all[1:] {
		if !vacantWords()[word] && !besideVacant()[word] {
			return false
		}
	}
	return true
}

var (
	// noTenant are whole texts that stand in place of a tenant; the spaces are underscores.
	noTenant = words(`n_a na none no_tenant no_tenants no_resident unoccupied not_rented not_occupied not_leased
		unrented unleased for_rent to_let off_market off_line offline down down_unit model model_unit
		model_apartment admin_unit nobody no_one ninguno ninguna nadie sin_inquilino sin_inquilinos sin_rentar
		no_rentado no_ocupado libre`)
	// vacantWords begin a text that says so.
	vacantWords = words(`vacant vacancy empty available vacante vacio vacia disponible desocupado desocupada`)
	// besideVacant may stand behind them.
	besideVacant = words(`unit apt apartment space lot room home house ready not rent rented unrented leased
		unleased make now since until from on in for the down model office store commercial n a no tenant none
		lease unknown renovation rehab repair repairs turn market listed unidad departamento desde lista listo`)
)
