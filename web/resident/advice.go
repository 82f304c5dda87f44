package resident

import (
	_ "embed"
	"encoding/csv"
	"slices"
	"strings"
	"sync"

	views "portal/views/resident"
	"portal/web/page"
)

//go:embed advice.csv
var adviceTable string

// danger is what to do at once about some of the safety flags of triage (docs/triage.md).
type danger struct {
	flags  []string
	advice bilingual
}

// dangers are the lines of the table, the gravest first.
var dangers = sync.OnceValue(func() (all []danger) {
	for _, r := range tableRows(adviceTable) {
		all = append(all, danger{strings.Fields(r[0]), bilingual{r[1], r[2]}})
	}
	return all
})

// tableRows are the lines of an embedded table, without its head.
func tableRows(table string) [][]string {
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		panic(err) // a table of our own
	}
	return rows[1:]
}

// otherwise is what to do about an emergency that has no flag.
var otherwise = bilingual{
	"If anybody is in danger, call 911.",
	"Si alguien corre peligro, llame al 911.",
}

// mostAdvice is how many kinds of danger are told about at once.
const mostAdvice = 2

// advice is what to do before anything else about an emergency.
func (t *tenantRequest) advice(flags []string) (*views.Advice, error) {
	phone, err := t.section.Tenants.Phone(t.Ctx(), t.Visit)
	if err != nil {
		return nil, err
	}
	a := &views.Advice{
		Title:    t.say("Stay safe first", "Primero, su seguridad"),
		Landlord: t.Landlord.Name,
		Dial:     phone,
		Call:     page.Phone(&phone),
	}
	for _, d := range dangers() {
		if len(a.Words) < mostAdvice && slices.ContainsFunc(d.flags, func(f string) bool {
			return slices.Contains(flags, f)
		}) {
			a.Words = append(a.Words, d.advice.in(t.header))
		}
	}
	if len(a.Words) == 0 {
		a.Words = append(a.Words, otherwise.in(t.header))
	}
	if phone != "" {
		a.Words = append(a.Words, t.say("Then call "+t.Landlord.Name+" at "+a.Call+".",
			"Después llame a "+t.Landlord.Name+" al "+a.Call+"."))
	}
	return a, nil
}
