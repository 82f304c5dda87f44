package property

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/searchtext"
	"portal/api/texts"
)

// Finder finds records by what people call them.
type Finder struct {
	*portfolio.Common
	store Store
}

// NewFinder makes the rules over their store.
func NewFinder(c *portfolio.Common, store Store) *Finder { return &Finder{c, store} }

// Found is what a search has found.
type Found struct {
	Homes      []*portfolio.Home // of the units that were looked for, by their property and number or as vacant
	Properties []portfolio.Property
	Tenants    []portfolio.Tenant
	ID         string // of the record that was looked for by it or by its number, "" for none
	Part       string // the id of the transaction of that record that was looked for, "" for none
	Words      string // that were found instead of those that were asked for, "" where these are the same
}

// empty reports whether nothing was found.
func (f *Found) empty() bool {
	return f.ID == "" && len(f.Homes)+len(f.Properties)+len(f.Tenants) == 0
}

// mostVacant is how many vacant units are found.
const mostVacant = 100

// Search finds properties and tenants as the lists of both do by their search, at most so many of each in
// ascending id; a unit by words of its property and, behind them, its number; vacant units by that word; a
// ticket by its number, and any record by its id. Where it finds nothing, words are found in which two
// letters that stand side by side were swapped.
func (s *Finder) Search(ctx context.Context, by access.Actor, words string, most int) (f Found, err error) {
	words = strings.Join(strings.Fields(words), " ")
	if words == "" || texts.Unreadable(words, false) {
		return f, nil
	}
	if prefix, _, is := strings.Cut(words, "_"); is && id.Valid(prefix, words) {
		return s.there(ctx, by.Portfolio, prefix, words)
	}
	if f.ID, err = s.ticket(ctx, by.Portfolio, words); err != nil || f.ID != "" {
		return f, err
	}
	if f, err = s.search(ctx, by.Portfolio, words, most); err != nil || !f.empty() {
		return f, err
	}
	mended, err := s.mended(ctx, by.Portfolio, words)
	if err != nil || mended == "" {
		return f, err
	}
	if f, err = s.search(ctx, by.Portfolio, mended, most); !f.empty() {
		f.Words = mended
	}
	return f, err
}

// search finds records by words as they are.
func (s *Finder) search(ctx context.Context, in access.Portfolio, words string, most int) (f Found, err error) {
	if len(searchtext.Terms(words)) == 0 {
		return f, nil
	}
	if f.Homes, err = s.homes(ctx, in, words, most); err != nil {
		return f, err
	}
	q := list.Query{Limit: most - 1} // of which the store reads one more
	f.Properties, err = s.store.Properties(ctx, in, portfolio.PropertyFilter{Query: q.Walked(), Search: words})
	if err != nil {
		return f, err
	}
	f.Tenants, err = s.store.Tenants(ctx, in, portfolio.TenantFilter{Query: q.Walked(), Search: words})
	return f, err
}

// ticketNumbers are numbers of tickets, as people write them.
var ticketNumbers = regexp.MustCompile(`^(?i:t)[- ]?(\d{1,9})$`)

// ticket is the id of the ticket with a number, such as T-1042; "" for none.
func (s *Finder) ticket(ctx context.Context, in access.Portfolio, text string) (string, error) {
	of := ticketNumbers.FindStringSubmatch(text)
	if of == nil {
		return "", nil
	}
	number, err := strconv.ParseInt(of[1], 10, 64)
	if err != nil {
		return "", err
	}
	return s.store.TicketNumbered(ctx, in, number)
}

// unitWords stand before the number of a unit.
var unitWords = []string{"unit", "apt", "apartment", "ste", "suite", "no", "#"}

// homes are the units that words look for: vacant ones, or the one of a property with a number.
func (s *Finder) homes(ctx context.Context, in access.Portfolio, words string, most int) ([]*portfolio.Home, error) {
	var ids []string
	var err error
	switch strings.ToLower(words) {
	case "vacant", "vacant unit", "vacant units", "vacancies", "vacancy":
		ids, err = s.store.VacantUnits(ctx, in, mostVacant)
	default:
		ids, err = s.numbered(ctx, in, strings.Fields(strings.ToLower(words)), most)
	}
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	of, err := s.store.Homes(ctx, in, ids)
	homes := make([]*portfolio.Home, 0, len(ids))
	for _, unit := range ids {
		if h := of[unit]; h != nil { // deleted meanwhile
			homes = append(homes, h)
		}
	}
	slices.SortFunc(homes, func(a, b *portfolio.Home) int { return strings.Compare(a.Street(), b.Street()) })
	return homes, err
}

// numbered are the ids of units whose number is the last of some words, in the properties that the others find.
func (s *Finder) numbered(ctx context.Context, in access.Portfolio, words []string, most int) ([]string, error) {
	last := len(words) - 1
	if last < 1 {
		return nil, nil
	}
	number := strings.TrimPrefix(words[last], "#")
	named := number != words[last] // as that of a unit
	if last > 1 && slices.Contains(unitWords, strings.Trim(words[last-1], ".,")) {
		last, named = last-1, true
	}
	if number == "" || !named && len(number) > 1 && !strings.ContainsAny(number, "0123456789") {
		return nil, nil
	}
	search := strings.Join(words[:last], " ")
	if len(searchtext.Terms(search)) == 0 {
		return nil, nil
	}
	of, err := s.store.Properties(ctx, in, portfolio.PropertyFilter{
		Query: list.Query{Limit: most - 1}.Walked(), Search: search,
	})
	if err != nil || len(of) == 0 {
		return nil, err
	}
	ids := make([]string, len(of))
	for i := range of {
		ids[i] = of[i].ID
	}
	numbers := []string{number}
	for _, word := range unitWords {
		numbers = append(numbers, word+" "+number)
	}
	return s.store.UnitsNumbered(ctx, in, ids, append(numbers, "#"+number))
}

// Up to how many letters a word, of up to how many, is looked for with two of them swapped.
const (
	longestMended = 24
	mostMended    = 8
)

// mended are words of which each begins one of some record: where one does not, two of its letters that
// stand side by side are swapped. It is "" where that helps nothing.
func (s *Finder) mended(ctx context.Context, in access.Portfolio, words string) (string, error) {
	all, swapped := strings.Fields(words), false
	if len(all) > mostMended {
		return "", nil
	}
	for i, word := range all {
		found, err := s.begins(ctx, in, word)
		if err != nil {
			return "", err
		}
		letters := []rune(word)
		if !found && len(letters) > longestMended {
			return "", nil
		}
		for at := 0; !found && at+1 < len(letters); at++ {
			if letters[at] == letters[at+1] {
				continue
			}
			letters[at], letters[at+1] = letters[at+1], letters[at]
			all[i], swapped = string(letters), true
			if found, err = s.begins(ctx, in, all[i]); err != nil {
				return "", err
			}
			letters[at], letters[at+1] = letters[at+1], letters[at]
		}
		if !found {
			return "", nil
		}
	}
	if !swapped {
		return "", nil
	}
	return strings.Join(all, " "), nil
}

// begins reports whether each term of a word begins a word of some property or tenant.
func (s *Finder) begins(ctx context.Context, in access.Portfolio, word string) (is bool, err error) {
	is = true
	for _, term := range searchtext.Terms(word) {
		if is, err = s.store.Begins(ctx, in, term); err != nil || !is {
			return false, err
		}
	}
	return is, nil
}

// Named finds what a search of leases, tickets or ledger rows is for: tenants and properties by their
// words, or a record by its id. It is nil where nothing is searched for.
func (s *Finder) Named(ctx context.Context, by access.Actor, words string) (*portfolio.Named, error) {
	if words == "" {
		return nil, nil //nolint:nilnil // no search
	}
	prefix, _, _ := strings.Cut(words, "_")
	ticket, err := s.ticket(ctx, by.Portfolio, words)
	switch {
	case err != nil:
		return nil, err
	case ticket != "":
		return &portfolio.Named{IDs: []string{ticket}}, nil
	case !id.Valid(prefix, words):
		found, err := s.store.Named(ctx, by.Portfolio, words)
		return &found, err
	case prefix == id.Tenant:
		return &portfolio.Named{TenantIDs: []string{words}}, nil
	case prefix == id.Property:
		return &portfolio.Named{PropertyIDs: []string{words}}, nil
	case prefix == id.Transaction:
		row, err := s.ofTransaction(ctx, by.Portfolio, words)
		if row == "" {
			row = words // which no ledger row has
		}
		return &portfolio.Named{IDs: []string{row}}, err
	}
	return &portfolio.Named{IDs: []string{words}}, nil
}

// NamedTickets finds what a search of tickets is for: that of Named, and titles by their words.
func (s *Finder) NamedTickets(ctx context.Context, by access.Actor, words string) (*portfolio.Named, error) {
	named, err := s.Named(ctx, by, words)
	if prefix, _, _ := strings.Cut(
		words,
		"_",
	); named == nil || err != nil || len(named.IDs) > 0 ||
		id.Valid(prefix, words) {
		return named, err
	}
	named.Titles, err = s.Titles(ctx, by, words)
	return named, err
}

// Titles are those of tickets that have the words of a search, nil where it has none.
func (s *Finder) Titles(ctx context.Context, by access.Actor, words string) (*portfolio.Titles, error) {
	return s.store.Titles(ctx, by.Portfolio, words)
}

// there reports whether the portfolio has a record of an id.
func (s *Finder) there(ctx context.Context, in access.Portfolio, prefix, name string) (f Found, err error) {
	switch prefix {
	case id.Property:
		_, err = s.store.Property(ctx, in, name)
	case id.Unit:
		_, err = s.store.Unit(ctx, in, name)
	case id.Tenant:
		_, err = s.store.Tenant(ctx, in, name)
	case id.Lease:
		_, err = s.store.Lease(ctx, in, name)
	case id.Ticket:
		_, err = s.store.Ticket(ctx, in, name)
	case id.Payment:
		_, err = s.store.Payment(ctx, in, name)
	case id.Transaction:
		if f.ID, err = s.ofTransaction(ctx, in, name); f.ID != "" {
			f.Part = name
		}
		return f, err
	default:
		return f, nil
	}
	switch {
	case fault.Is(err, fault.NoRecord):
		return f, nil
	case err == nil:
		f.ID = name
	}
	return f, err
}

// someRows is how many ledger rows are read at once.
const someRows = 100

// ofTransaction is the id of the ledger row that a transaction belongs to, "" for none. A row of which none is stored
// tells its transactions, under ids that have the time of its own.
func (s *Finder) ofTransaction(ctx context.Context, in access.Portfolio, transaction string) (string, error) {
	row, err := s.store.PaymentOfTransaction(ctx, in, transaction)
	if err != nil || row != "" {
		return row, err
	}
	after, until := id.Span(id.Payment, transaction)
	for {
		made, err := s.store.PaymentsMade(ctx, in, after, until, someRows)
		if err != nil || len(made) == 0 {
			return "", err
		}
		ids := make([]string, len(made))
		for i := range made {
			ids[i] = made[i].ID
		}
		stored, err := s.store.TransactionsOf(ctx, in, ids)
		if err != nil {
			return "", err
		}
		for i := range made {
			for _, t := range made[i].Told(stored[made[i].ID]) {
				if t.ID == transaction {
					return made[i].ID, nil
				}
			}
		}
		after = ids[len(ids)-1]
	}
}

// Called is what people call the records of some ids of properties, units, tenants and
// leases. What is not there has no name.
func (s *Finder) Called(ctx context.Context, by access.Actor, ids ...string) (map[string]string, error) {
	ids = portfolio.Distinct(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == "" }))
	return s.store.Called(ctx, by.Portfolio, ids)
}

// PropertiesAbout finds active properties by the beginnings of words of their address or
// name, at most so many, and the newest where there is no word.
func (s *Finder) PropertiesAbout(
	ctx context.Context, by access.Actor, words []string, most int,
) ([]portfolio.Property, error) {
	search := strings.Join(words, " ")
	if len(words) > 0 && len(searchtext.Terms(search)) == 0 {
		return nil, nil
	}
	return s.store.Properties(ctx, by.Portfolio, portfolio.PropertyFilter{
		Query:  list.Query{Limit: most - 1, Newest: len(words) == 0}.Walked(),
		Search: search,
		Status: portfolio.PropertyActive,
	})
}

// Site is the site of a unit, or of a property where unitID is "".
func (s *Homes) Site(ctx context.Context, by access.Actor, propertyID, unitID string) (*portfolio.Site, error) {
	var at portfolio.Site
	if unitID != "" {
		u, err := s.store.Unit(ctx, by.Portfolio, unitID)
		if err != nil {
			return nil, err
		}
		if propertyID != "" && propertyID != u.PropertyID {
			return nil, fault.NotFound("unit")
		}
		at.Unit, propertyID = &u, u.PropertyID
	}
	p, err := s.properties.Property(ctx, by, propertyID)
	if err != nil {
		return nil, err
	}
	at.Property = *p
	if at.Unit == nil || at.Unit.CurrentLeaseID == nil {
		return &at, nil
	}
	l, err := s.store.Lease(ctx, by.Portfolio, *at.Unit.CurrentLeaseID)
	at.Tenants = l.Tenants
	if err != nil {
		return nil, err
	}
	return &at, nil
}
