package document

import (
	"regexp"
	"strings"
)

// The sentences by which a lease keeps what its tenants have a right to, whatever somebody types into its clauses.
const (
	keepsJury = "By this lease, nobody gives up a jury trial, agrees to arbitration, or releases anybody from the " +
		"results of negligence."
	keepsNotice  = "By this lease, the [tenants give|tenant gives] up no notice and no defense."
	keepsRepairs = "Nothing in this lease takes that duty away."
	keepsEntry   = "The right to enter is never used to disturb the [tenants|tenant]."
	keepsAnimals = "Assistance animals are not pets. No fee, rent or deposit is charged for one."
	keepsDeposit = "The landlord sends what is left of the deposit there, with an itemized list of everything that " +
		"was taken from it"
)

// right is one that a lease keeps, and the words by which clauses take it away, in English and in Spanish.
type right struct {
	sentence string // "" where no sentence of the lease is about it
	taken    *regexp.Regexp
	unless   *regexp.Regexp // what makes such a sentence harmless, nil for nothing
}

// patterns joins those of one right. A tilde in them stands for a few words of the same sentence.
func patterns(all ...string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)` + strings.ReplaceAll(strings.Join(all, "|"), "~", `[^.;!?\n]{0,60}?`))
}

const (
	givesUp  = `\b(?:waiv\w*|giv(?:es?|ing) up|forgo\w*|relinquish\w*|renunci\w*)`
	tenants  = `\b(?:tenants?|lessees?|renters?|residents?|inquilin\w+|arrendatari\w+)`
	animals  = `(?:service|assistance|support|guide) (?:animal|dog)s?`
	animales = `(?:animal(?:es)?|perros?) (?:de (?:servicio|asistencia|apoyo)|gu[ií]a)`
)

var rights = []right{
	{keepsJury, patterns(givesUp+`~\b(?:jury|jurado)`, `\bjury trial~\bwaived`, `\b(?:binding )?arbitration\b`,
		`\barbitraje\b`, `\brelease[sd]?~\bnegligence`, givesUp+`~\bnegligenc`), nil},
	{keepsNotice, patterns(givesUp+`~\b(?:notices?|defenses?|aviso|notificaci[oó]n|defensas?)\b`,
		`\bevict\w*~\bwithout~\bnotice`, `\bdesaloj\w*~\bsin~\baviso`, `\bconfess\w*~\bjudgment`, `\bcognovit\b`,
		`\bconfes\w*~\bsentencia`), nil},
	{keepsRepairs, patterns(tenants+`~\ball repairs`, `\ball repairs~`+tenants, givesUp+`~\b(?:repairs?|habitab\w*)`,
		`\b(?:takes?|accepts?|accepted)~\bas[- ]is\b`, tenants+`~\btodas las reparaciones`,
		givesUp+`~\breparacion\w*`, `\btal (?:y )?como est[aá]`), nil},
	{keepsEntry, patterns(`\b(?:enters?|entry)~\b(?:any time|whenever|without~notice|without~permission)`,
		`\b(?:any time|whenever)~\benters?\b`,
		`\b(?:entrar?|ingresar?|acceder)~\b(?:cualquier moment[o]|cuando quiera|sin~aviso)`,
		`\bcualquier moment[o]~\b(?:entrar|ingresar)`), regexp.MustCompile(`(?i)emergenc`)},
	{keepsAnimals, patterns(
		`\b(?:no|not|fee|fees|rent|deposit|charge\w*|prohibit\w*|pays?)\b~\b`+animals,
		`\b`+animals+`~\b(?:not|fee|fees|deposit|charge\w*|prohibit\w*|pays?)\b`,
		`\b(?:no|prohib\w*|cargo|dep[oó]sito|paga\w*)\b~\b`+animales,
		`\b`+animales+`~\b(?:no|prohib\w*|cargo|dep[oó]sito|paga\w*)\b`,
	), regexp.MustCompile(`(?i)\bnot pets\b|\bno (?:fee|rent|deposit|charge)|no son mascotas|sin (?:cargo|dep[oó]sito)`)},
	{keepsDeposit, patterns(`\bdeposit~\b(?:last month|final month)`, `\b(?:last|final) month~\bdeposit`,
		`\bdep[oó]sito~[uú]ltimo mes`, `[uú]ltimo mes~\bdep[oó]sito`), nil},
	{"", patterns(tenants+`~\b(?:attorney|lawyer|legal)\W?s?\W? (?:fees?|costs?|expenses?)`,
		tenants+`~\b(?:honorarios|costas|gastos)~\b(?:abogad\w+|legales)`),
		regexp.MustCompile(`(?i)prevailing|whoever wins|either party|each party|parte (?:ganadora|vencedora)`)},
}

// denied is a word before a match that turns it around: does not waive.
var denied = regexp.MustCompile(`(?i)(?:\b(?:not|never|nobody|cannot|nor|no|nunca|nadie|ni)|n[’']t)\s+(?:\w+\s+){0,2}$`)

// Contradiction is what a clause says against a sentence of the lease, "" where none is about it.
type Contradiction struct{ Words, Sentence string }

// Contradictions are the words by which a clause takes away what the lease keeps, one of each right.
func (t *Terms) Contradictions(clause string) (all []Contradiction) {
	c := &composer{Terms: t, alone: len(t.names(tenant)) == 1}
	for _, r := range rights {
		for _, at := range r.taken.FindAllStringIndex(clause, -1) {
			begin := strings.LastIndexAny(clause[:at[0]], ".;!?\n") + 1
			end := at[1] + len(clause[at[1]:])
			if i := strings.IndexAny(clause[at[1]:], ".;!?\n"); i >= 0 {
				end = at[1] + i
			}
			if denied.MatchString(clause[begin:at[0]]) || r.unless != nil && r.unless.MatchString(clause[begin:end]) {
				continue
			}
			said := Contradiction{Words: clause[at[0]:at[1]], Sentence: c.count(r.sentence)}
			if r.sentence == keepsDeposit && t.Lease.SecurityDeposit == 0 {
				said.Sentence = "" // the lease has no section about a deposit
			}
			all = append(all, said)
			break
		}
	}
	return all
}
