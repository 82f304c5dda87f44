package portfoliostore_test

import (
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/db/dbtest"
	"portal/db/portfoliostore"
)

var words = []promise{
	{"WhatChangesIsFoundByItsNewWords", whatChangesIsFoundByItsNewWords},
	{"RowsWithoutWordsGetThemAtTheNextStart", rowsWithoutWordsGetThemAtTheNextStart},
	{"WhatIsDeletedLeavesNoWords", whatIsDeletedLeavesNoWords},
	{"ATicketIsFoundByTheWordsOfItsTitle", aTicketIsFoundByTheWordsOfItsTitle},
	{"TheWordsOfARecordAreThoseOfItsTextAfterEachChange", theWordsOfARecordAreThoseOfItsTextAfterEachChange},
}

// finds tells which properties and tenants a search finds.
func (r *fixture) finds(in access.Portfolio, search string) (ids []string) {
	r.Helper()
	q := list.Query{Limit: dbtest.Everything}
	properties, err := r.Portfolio.Properties(r.Context(), in, portfolio.PropertyFilter{Query: q, Search: search})
	r.OK(err)
	for i := range properties {
		ids = append(ids, properties[i].ID)
	}
	tenants, err := r.Portfolio.Tenants(r.Context(), in, portfolio.TenantFilter{Query: q, Search: search})
	r.OK(err)
	for i := range tenants {
		ids = append(ids, tenants[i].ID)
	}
	return ids
}

// isFound wants a search to find some records of a portfolio, and none of another.
func (r *fixture) isFound(l dbtest.Landlord, search string, want ...string) {
	r.Helper()
	got := r.finds(l.Live, search)
	r.Want(slices.Equal(got, want), "%q finds %v, want %v", search, got, want)
	if foreign := r.finds(l.Test, search); len(foreign) > 0 {
		r.Errorf("%q finds %v in another portfolio", search, foreign)
	}
	named, err := r.Portfolio.Named(r.Context(), l.Live, search)
	r.OK(err)
	ids := append(named.PropertyIDs, named.TenantIDs...)
	r.Want(slices.Equal(ids, want), "%q names %v, want %v", search, ids, want)
	foreign, err := r.Portfolio.Named(r.Context(), l.Test, search)
	r.OK(err)
	r.Want(len(foreign.PropertyIDs)+len(foreign.TenantIDs) == 0, "%q names %v in another portfolio", search, foreign)
}

func whatChangesIsFoundByItsNewWords(r *fixture) {
	l := r.Landlord("dana")
	house := r.house(l.Live, "Cañon City")
	r.isFound(l, "canon", house)
	p, err := r.Portfolio.Property(r.Context(), l.Live, house)
	r.OK(err)
	p.City, p.Name, p.PostalCode = "Waco", new("Élan Court"), nil
	r.OK(r.Portfolio.SaveProperty(r.Context(), l.Live, &p))
	r.isFound(l, "canon")
	r.isFound(l, "elan wac", house)
	r.OK(r.Portfolio.GrowProperty(r.Context(), l.Live, house, new("76701"), nil, p.UpdatedAt))
	r.isFound(l, "76701 elan", house)
	r.OK(r.Portfolio.GrowProperty(r.Context(), l.Live, house, new("99999"), nil, p.UpdatedAt)) // it has one
	r.isFound(l, "99999")
	p, err = r.Portfolio.Property(r.Context(), l.Live, house)
	r.OK(err)
	p.PostalCode = nil
	r.OK(r.Portfolio.SaveProperty(r.Context(), l.Live, &p))
	r.isFound(l, "76701")
}

func rowsWithoutWordsGetThemAtTheNextStart(r *fixture) {
	l := r.Landlord("dana")
	house := r.house(l.Live, "Łódź")
	r.Raw("UPDATE properties SET search_text = ''")
	r.isFound(l, "lodz")
	r.Want(r.Text("count(*)", "property_words") == "0", "words are left")
	for range 2 {
		r.OK(r.DB.Migrate(r.Context(), portfoliostore.FillSearch))
		r.isFound(l, "lodz", house)
	}
}

func whatIsDeletedLeavesNoWords(r *fixture) {
	l := r.Landlord("dana")
	house := r.house(l.Live, "Austin")
	r.isFound(l, "austin", house)
	r.Raw("DELETE FROM properties WHERE id = $1", house)
	r.isFound(l, "austin")
	r.Want(r.Text("count(*)", "property_words") == "0", "words are left")
}

// titled tells which tickets a search of titles finds and counts, by their words or in the order of the list.
func (r *fixture) titled(in access.Portfolio, search string, byWords bool) (ids []string, counted int) {
	r.Helper()
	titles, err := r.Portfolio.Titles(r.Context(), in, search)
	r.OK(err)
	if titles != nil && !byWords {
		titles.Rare = ""
	}
	f := portfolio.TicketFilter{
		Query: list.Query{Limit: dbtest.Everything, Newest: true}, Named: &portfolio.Named{Titles: titles},
	}
	tickets, err := r.Portfolio.Tickets(r.Context(), in, f)
	r.OK(err)
	for i := range tickets {
		ids = append(ids, tickets[i].ID)
	}
	counts, err := r.Portfolio.TicketCounts(r.Context(), in, f)
	r.OK(err)
	for _, n := range counts {
		counted += n.N
	}
	return ids, counted
}

// The words follow the title; a ticket that was written without them has them after the next start.
func aTicketIsFoundByTheWordsOfItsTitle(r *fixture) {
	l := r.Landlord("dana")
	t := portfolio.Ticket{
		Record:     dbtest.Record(id.Ticket, "maintenance_ticket", access.Live, dbtest.Now),
		PropertyID: r.house(l.Live, "Austin"),
		Title:      "The café's tap drips, drips",
		Status:     portfolio.TicketOpen,
		Priority:   portfolio.PriorityNormal,
		Category:   "plumbing",
		Number:     "T-1",
	}
	r.OK(r.Portfolio.AddTicket(r.Context(), l.Live, &t))
	found := func(search string, want ...string) {
		r.Helper()
		for _, byWords := range []bool{false, true} {
			got, n := r.titled(l.Live, search, byWords)
			r.Want(slices.Equal(got, want) && n == len(want), "%q finds %v, counts %d, want %v", search, got, n, want)
			foreign, n := r.titled(l.Test, search, byWords)
			r.Want(len(foreign)+n == 0, "%q finds %v in another portfolio", search, foreign)
		}
	}
	found("DRIP cafes", t.ID)
	found("drip basin")
	found(" ,")
	// Titles of the longest length: each apostrophe begins another word, and a square of Katakana is six letters. Their
	// words have 6 and 36 KB.
	for _, letters := range []func(i int) rune{
		func(i int) rune { return rune('一' + 37*i) },
		func(i int) rune { return rune('㌀' + i*29%88) },
	} {
		many := make([]string, 64)
		for i := range many {
			many[i] = string(letters(i))
		}
		t.Title = strings.Join(many, "'")
		r.Want(len([]rune(t.Title)) == 127, "the title has %d characters", len([]rune(t.Title)))
		r.OK(r.Portfolio.SaveTicket(r.Context(), l.Live, &t))
		found(many[0]+many[1], t.ID)
	}
	t.Title = "The basin drips"
	r.OK(r.Portfolio.SaveTicket(r.Context(), l.Live, &t))
	found("cafe")
	found("basin", t.ID)
	r.Raw("UPDATE tickets SET search_text = ''")
	found("basin")
	r.OK(r.DB.Migrate(r.Context(), portfoliostore.FillSearch))
	found("basin", t.ID)
	r.Raw("DELETE FROM tickets WHERE id = $1", t.ID)
	found("basin")
	r.Want(r.Text("count(*)", "ticket_words") == "0", "words are left")
}

func theWordsOfARecordAreThoseOfItsTextAfterEachChange(r *fixture) {
	l := r.Landlord("dana")
	house, other := r.house(l.Live, "Austin"), r.house(l.Live, "Waco")
	r.Raw("UPDATE properties SET search_text = ' maple waco' WHERE id = $1", other)
	for _, words := range [][]string{
		{"austin", "maple"},
		{"maple", "maple", "waco"},
		{"waco", "mapl", "maples"},
		{"waco"},
		{},
		{"tx"},
		{"tx", "t", "x"},
		{"x", "tx"},
		{"austin"},
	} {
		text := ""
		if len(words) > 0 {
			text = " " + strings.Join(words, " ")
		}
		r.Raw("UPDATE properties SET search_text = $1 WHERE id = $2", text, house)
		slices.Sort(words)
		unique := slices.Compact(words)
		got := r.Text("count(*)", "property_words WHERE property_id = $1", house)
		r.Want(got == strconv.Itoa(len(unique)), "%q has %s words", text, got)
		for _, word := range unique {
			has := r.Text("count(*)", "property_words WHERE property_id = $1 AND word = $2", house, word)
			r.Want(has == "1", "of %q the word %q is %s times there", text, word, has)
		}
		r.Want(
			r.Text("count(*)", "property_words WHERE property_id = $1", other) == "2",
			"%q changed the words of another property",
			text,
		)
	}
}
