package cell

import (
	_ "embed" // the table of given names
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Person is a tenant's name.
type Person struct{ First, Last string }

// People reads the names in a cell: Okafor, Amara; Marsh, Tobias & Elena (both Marsh); Ines Varga, Mate Varga; and
// several, parted by semicolons, slashes, &, +, "and" or "y". Suffixes such as Jr and particles such as "de la" belong
// to the last name. It is not sure where more than one reading is plausible, and gives the likelier one then. One word
// is a last name, and a company is one person whose last name is the whole text, both unsure. An empty text has nobody.
func People(s string) (all []Person, sure bool) {
	text, ok := clean(s)
	switch {
	case !ok && strings.TrimSpace(s) != "":
		return []Person{{Last: s}}, false
	case strings.Trim(text, " ,;/&+") == "":
		if text != "" {
			return []Person{{Last: text}}, false
		}
		return nil, false
	case organization(text):
		return []Person{{Last: text}}, false
	}
	sure = plainNames(text) && !dangling(text)
	for group := range strings.SplitSeq(text, ";") {
		if group = strings.Trim(group, " ,"); group == "" {
			continue
		}
		persons, certain := readGroup(group)
		all, sure = append(all, persons...), sure && certain
	}
	return all, sure
}

// dangling reports whether a conjunction begins or ends a text, so that a name may be missing.
func dangling(s string) bool { return strings.Trim(s, "&+/") != s }

// organization reports whether a word of a text is one of a company's name.
func organization(s string) bool {
	for _, word := range strings.FieldsFunc(fold(s), func(r rune) bool { return strings.ContainsRune(" ,/&()", r) }) {
		if organizationWords()[word] {
			return true
		}
	}
	return false
}

// plainNames reports whether a text has nothing but letters and the signs within and between names, and no word that
// says something else of a tenant.
func plainNames(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(" ,;&+/.'’-", r) {
			return false
		}
	}
	for _, word := range plainWords(s) {
		if noName()[word] || titles()[word] {
			return false
		}
	}
	return true
}

// readGroup reads names between which no semicolon stands. Each part is what stands between two conjunctions.
func readGroup(s string) ([]Person, bool) {
	parts := conjoined(s)
	if len(parts) == 0 {
		return []Person{{Last: s}}, false
	}
	commas := 0
	for _, part := range parts {
		commas += strings.Count(part, ",")
	}
	switch {
	case commas == 0:
		return naturalList(parts)
	case strings.Count(parts[0], ",") == 1 && commas == 1:
		last, first, _ := strings.Cut(parts[0], ",")
		return lastFirst(strings.TrimSpace(last), append([]string{strings.TrimSpace(first)}, parts[1:]...))
	case len(parts) == commas && eachHasOneComma(parts):
		return eachLastFirst(parts)
	}
	return mixedList(parts)
}

// conjoined parts a text at &, +, / and the words "and" and "y", and takes off the commas that stand before a
// conjunction or a suffix.
func conjoined(s string) (parts []string) {
	s = conjunctions().Replace(s)
	var part []string
	flush := func() {
		if text := strings.Trim(strings.ReplaceAll(strings.Join(part, " "), " ,", ","), " ,"); text != "" {
			parts = append(parts, text)
		}
		part = nil
	}
	for word := range strings.FieldsSeq(s) {
		lower := strings.ToLower(word)
		switch {
		case word == "&" || lower == "and" || lower == "y":
			flush()
			continue
		case suffixes()[fold(word)] && len(part) > 1 && part[len(part)-1] == ",":
			part[len(part)-1] = word
			continue
		}
		part = append(part, word)
	}
	flush()
	return parts
}

// conjunctions makes words of the signs between names.
var conjunctions = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("&", " & ", "+", " & ", "/", " & ", ",", " , ")
})

func eachHasOneComma(parts []string) bool {
	for _, part := range parts {
		if strings.Count(part, ",") != 1 {
			return false
		}
	}
	return true
}

// naturalList reads names without commas: First Last & First Last, First & First Last.
func naturalList(parts []string) (all []Person, sure bool) {
	sure = true
	shared := ""
	for i, part := range slices.Backward(parts) {
		fields := strings.Fields(part)
		p, certain := natural(fields)
		if i < len(parts)-1 && onlyFirst(fields) && shared != "" {
			p, certain = Person{part, shared}, true
		} else if i < len(parts)-1 && len(fields) == 2 && given(fields[1]) {
			certain = false // Mary Ann & Elena Marsh
		}
		if p.First != "" {
			shared = p.Last
		}
		all, sure = append([]Person{p}, all...), sure && certain
	}
	// Tobias Marsh & Elena: she likely has his name.
	if p := &all[len(all)-1]; len(all) > 1 && p.First == "" && all[len(all)-2].First != "" {
		p.First, p.Last = p.Last, all[len(all)-2].Last
	}
	return all, sure
}

// onlyFirst tells a given name without a last one, with or without an initial behind it.
func onlyFirst(fields []string) bool {
	return len(fields) == 1 || len(fields) == 2 && initial(fields[1])
}

// lastFirst reads names of which the first part has one comma.
func lastFirst(last string, firsts []string) (all []Person, sure bool) {
	if surname(strings.Fields(last)) {
		return shareLast(last, firsts)
	}
	// Ines Varga, Mate Varga, or López García, Ana María
	if len(strings.Fields(firsts[0])) > 1 {
		return mixedList(append([]string{last}, firsts...))
	}
	if fields := strings.Fields(last); given(fields[0]) && !given(fields[len(fields)-1]) {
		all, _ = naturalList(append([]string{last}, firsts...))
		return all, false
	}
	all, _ = shareLast(last, firsts)
	return all, false
}

// surname reports whether words are one last name: a word, with the particles before it and the suffix behind it.
func surname(fields []string) bool {
	fields, _ = cutSuffixes(fields)
	for len(fields) > 1 && particle(fields[0]) {
		fields = fields[1:]
	}
	return len(fields) == 1
}

// shareLast reads first names that share the last name before the comma.
func shareLast(last string, firsts []string) (all []Person, sure bool) {
	sure = utf8.RuneCountInString(last) > 1 && !onlyGiven(last) // José, Luis
	for i, first := range firsts {
		fields, suffix := cutSuffixes(strings.Fields(first))
		p := Person{strings.Join(fields, " "), joined(last, suffix)}
		switch {
		case len(fields) == 0:
			p, sure = Person{Last: first}, false
		case len(fields) == 1, len(fields) == 2 && initial(fields[1]):
		case i > 0: // Marsh, Tobias & Elena Okafor
			p, _ = natural(strings.Fields(first))
			sure = false
		default: // Okafor, Amara Grace, or First, First Last
			sure = sure && len(fields) == 2 && onlyGiven(fields[1]) && !given(last)
		}
		all = append(all, p)
	}
	return all, sure
}

// eachLastFirst reads parts of which each is Last, First.
func eachLastFirst(parts []string) (all []Person, sure bool) {
	sure = true
	for _, part := range parts {
		last, first, _ := strings.Cut(part, ",")
		last = strings.TrimSpace(last)
		persons, certain := shareLast(last, []string{strings.TrimSpace(first)})
		all, sure = append(all, persons...), sure && certain && surname(strings.Fields(last))
	}
	return all, sure
}

// mixedList reads names of which some are parted by commas, as a list. It is sure where all have the same last name,
// or their given names are known ones and their last names are not.
func mixedList(parts []string) (all []Person, sure bool) {
	var items []string
	for _, part := range parts {
		for item := range strings.SplitSeq(part, ",") {
			if item = strings.TrimSpace(item); item != "" {
				items = append(items, item)
			}
		}
	}
	sure, same, known := true, true, true
	for i := 0; i < len(items); i++ {
		fields := strings.Fields(items[i])
		p, certain := natural(fields)
		if len(fields) == 1 && i+1 < len(items) && len(strings.Fields(items[i+1])) == 1 {
			i++
			p = Person{items[i], p.Last}
		}
		same = same && (len(all) == 0 || all[0].Last == p.Last)
		known = known && onlyGiven(fields[0]) && !onlyGiven(fields[len(fields)-1])
		all, sure = append(all, p), sure && certain
	}
	return all, sure && (same || known)
}

// natural reads a name in the order in which it is spoken.
func natural(fields []string) (p Person, sure bool) {
	fields, suffix := cutSuffixes(fields)
	n := len(fields)
	if n < 2 {
		return Person{Last: joined(strings.Join(fields, " "), suffix)}, false
	}
	cut := 1
	at := particleAt(fields)
	switch {
	case at > 0:
		cut = at
		sure = !particle(fields[0]) && plainFirst(fields[:at]) && surname(fields[at:]) && !devotional(fields, at)
	case n == 2:
		sure = !particle(fields[0]) && !particle(fields[1]) && !onlyGiven(fields[1]) // Okafor Amara, José Luis
	case n == 3 && initial(fields[1]):
		cut, sure = 2, !elided(fields[1], fields[2])
	default:
		for cut < n-1 && (given(fields[cut]) || initial(fields[cut])) {
			cut++
		}
		sure = n == 3 && cut == 2 && given(fields[0]) && onlyGiven(fields[1]) && !onlyGiven(fields[2])
	}
	sure = sure && !initial(fields[n-1]) && letters(fields) && !suffixes()[fold(fields[0])]
	return Person{strings.Join(fields[:cut], " "), joined(strings.Join(fields[cut:], " "), suffix)}, sure
}

// plainFirst tells one given name, with an initial or a known second one behind it.
func plainFirst(fields []string) bool {
	return len(fields) == 1 || len(fields) == 2 && (initial(fields[1]) || onlyGiven(fields[1]))
}

// particleAt is where the particles of a last name begin, or 0.
func particleAt(fields []string) int {
	for i := 1; i < len(fields)-1; i++ {
		if particle(fields[i]) {
			return i
		}
	}
	return 0
}

// devotional tells particles that may be part of a given name, as in María de Jesús, or a middle name of its own, as in
// Nguyen Van Minh.
func devotional(fields []string, at int) bool {
	first, last := fold(fields[0]), fold(fields[len(fields)-1])
	return devotionalNames()[first] || given(last) && fold(fields[at]) != "st" || familyFirst()[first]
}

// cutSuffixes takes Jr and the like off the end of a name.
func cutSuffixes(fields []string) (name []string, suffix string) {
	n := len(fields)
	for n > 1 && suffixes()[fold(fields[n-1])] {
		n--
	}
	return fields[:n], strings.Join(fields[n:], " ")
}

func joined(last, suffix string) string { return strings.TrimSpace(last + " " + suffix) }

// elided tells what may be the beginning of a last name rather than an initial: Sean O Brien, Rosa D Angelo.
func elided(initial, last string) bool {
	return initial == "O" || initial == "D" && strings.ContainsRune("aeiou", []rune(fold(last) + ".")[0])
}

// initial tells one letter, with or without a dot.
func initial(s string) bool { return utf8.RuneCountInString(fold(s)) == 1 && !particle(s) }

// letters reports whether each word of a name has a letter.
func letters(fields []string) bool {
	for _, field := range fields {
		if !strings.ContainsFunc(field, unicode.IsLetter) {
			return false
		}
	}
	return true
}

// given reports whether a word is a common given name.
func given(s string) bool { return givenNames()[fold(s)] }

// onlyGiven reports whether a word is a common given name and no common last name.
func onlyGiven(s string) bool { return given(s) && !alsoLast()[fold(s)] }

// particle reports whether a word stands before a last name and belongs to it.
func particle(s string) bool { return particles()[fold(s)] || strings.EqualFold(s, "Ó") }

// givenTable has common given names of people in the US, in lower case without accents, from knowledge of the Social
// Security Administration's lists of baby names.
//
//go:embed given.txt
var givenTable string

var (
	givenNames = sync.OnceValue(func() map[string]bool { return words(givenTable)() })
	// alsoLast are given names that are common last names too, from knowledge of the Census Bureau's list of surnames.
	alsoLast = words(`aaron allen allison april arthur ashley austin bailey barry bernard blake bruce bryant
		cameron carroll carter charles claire clark craig cruz curtis dennis ellis florence george german
		gilbert glenn gordon grace grant gregory harold harry harvey henry herman howard james jean jordan
		joseph joyce julian kay keith kelly kim king lane larry lawrence lee lewis logan louis luna lynn madison
		marco marshall martin mason may miles mitchell morgan murphy nelson noel norman oliver owen page parker
		patrick paul perry porter quinn ramon randall ray raymond reed reyes riley roger roland rosario rose
		ross roy russell ryan samuel santiago santos scott simon spencer stanley stuart summer taylor terry
		thomas todd travis trinidad tyler vera vincent walter warren wayne`)
	suffixes = words(`jr sr ii iii iv esq md phd`)
	// particles belong to the last name behind them; of Dutch, French, German, Italian, Spanish, Portuguese and Arabic.
	particles = words(`da das de dei del della den der des di do dos du el al bin bint ibn abu la las le lo los
		mac mc san santa saint st ste ten ter van vande vander vanden von vom zu zum zur`)
	devotionalNames = words(`maria ma m`)
	// familyFirst are common family names of Vietnam, which come first at home.
	familyFirst = words(`nguyen tran le pham hoang huynh phan vu vo dang bui do ho ngo duong ly`)
	titles      = words(`mr mrs ms miss mx dr prof rev sra srta`)
	// organizationWords are of names of companies and other bodies, without dots.
	organizationWords = words(`llc lc pllc inc incorporated corp corporation company co ltd limited lp llp plc
		trust trustee trustees properties property bank church ministries foundation holdings group partners
		partnership realty management mgmt housing authority department dept county city state university
		college school enterprises services service investments associates estate association assn society club
		center centre office offices store shop salon studio restaurant cafe market agency insurance dental
		clinic medical systems solutions industries international consulting construction apartments ventures
		capital fund dba rentals leasing homes c/o`)
	// noName are words that stand beside names or instead of them.
	noName = words(`vacant vacancy vacante vacio vacia empty none na unit apt apartment tenant tenants resident
		residents occupant occupants occupied total subtotal manager maintenance model down unknown owner
		employee available section deceased evicted pending guarantor cosigner applicant future past current
		former mtm month et al etc aka fka or ex her his husband wife spouse son daughter family household
		minor child notice lease rent test inquilino inquilina desconocido familia esposo esposa hijo hija
		vs the kid kids children other others roommate roommates reserved hold on see note notes no not move
		moved out in off line storage laundry room parking space garage super caretaker same above ditto do
		under construction transfer corporate term home depot dollar general applied approved denied friend
		guests partner parent parents mother father brother sister plus with buy`)
)
