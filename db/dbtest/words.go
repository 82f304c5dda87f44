package dbtest

import (
	"slices"
	"strconv"
	"strings"

	"portal/api/access"
	"portal/api/list"
	"portal/api/portfolio"
)

var words = []promise{
	{"WhatChangesIsFoundByItsNewWords", whatChangesIsFoundByItsNewWords},
	{"RowsWithoutWordsGetThemAtTheNextStart", rowsWithoutWordsGetThemAtTheNextStart},
	{"WhatIsDeletedLeavesNoWords", whatIsDeletedLeavesNoWords},
	{"TheWordsOfARecordAreThoseOfItsTextAfterEachChange", theWordsOfARecordAreThoseOfItsTextAfterEachChange},
}

// finds tells which properties and tenants a search finds.
func (r *rig) finds(in access.Portfolio, search string) (ids []string) {
	r.Helper()
	q := list.Query{Limit: everything}
	properties, err := r.Properties(r.Context(), in, portfolio.PropertyFilter{Query: q, Search: search})
	r.ok(err)
	for i := range properties {
		ids = append(ids, properties[i].ID)
	}
	tenants, err := r.Tenants(r.Context(), in, portfolio.TenantFilter{Query: q, Search: search})
	r.ok(err)
	for i := range tenants {
		ids = append(ids, tenants[i].ID)
	}
	return ids
}

// isFound wants a search to find some records of a portfolio, and none of another.
func (r *rig) isFound(l landlord, search string, want ...string) {
	r.Helper()
	got := r.finds(l.live, search)
	r.want(slices.Equal(got, want), "%q finds %v, want %v", search, got, want)
	if foreign := r.finds(l.test, search); len(foreign) > 0 {
		r.Errorf("%q finds %v in another portfolio", search, foreign)
	}
}

func whatChangesIsFoundByItsNewWords(r *rig) {
	l := r.landlord("dana")
	house := r.house(l.live, "Cañon City")
	r.isFound(l, "canon", house)
	p, err := r.Property(r.Context(), l.live, house)
	r.ok(err)
	p.City, p.Name, p.PostalCode = "Waco", new("Élan Court"), nil
	r.ok(r.SaveProperty(r.Context(), l.live, &p))
	r.isFound(l, "canon")
	r.isFound(l, "elan wac", house)
	r.ok(r.GrowProperty(r.Context(), l.live, house, new("76701"), nil, p.UpdatedAt))
	r.isFound(l, "76701 elan", house)
	r.ok(r.GrowProperty(r.Context(), l.live, house, new("99999"), nil, p.UpdatedAt)) // it has one
	r.isFound(l, "99999")
	p, err = r.Property(r.Context(), l.live, house)
	r.ok(err)
	p.PostalCode = nil
	r.ok(r.SaveProperty(r.Context(), l.live, &p))
	r.isFound(l, "76701")
}

func rowsWithoutWordsGetThemAtTheNextStart(r *rig) {
	l := r.landlord("dana")
	house := r.house(l.live, "Łódź")
	r.raw("UPDATE properties SET search_text = ''")
	r.isFound(l, "lodz")
	r.want(r.text("count(*)", "property_words") == "0", "words are left")
	for range 2 {
		r.ok(r.Migrate(r.Context()))
		r.isFound(l, "lodz", house)
	}
}

func whatIsDeletedLeavesNoWords(r *rig) {
	l := r.landlord("dana")
	house := r.house(l.live, "Austin")
	r.isFound(l, "austin", house)
	r.raw("DELETE FROM properties WHERE id = $1", house)
	r.isFound(l, "austin")
	r.want(r.text("count(*)", "property_words") == "0", "words are left")
}

func theWordsOfARecordAreThoseOfItsTextAfterEachChange(r *rig) {
	l := r.landlord("dana")
	house, other := r.house(l.live, "Austin"), r.house(l.live, "Waco")
	r.raw("UPDATE properties SET search_text = ' maple waco' WHERE id = $1", other)
	for _, words := range [][]string{
		{"austin", "maple"}, {"maple", "maple", "waco"}, {"waco", "mapl", "maples"}, {"waco"}, {}, {"tx"}, {"tx", "t", "x"}, {"x", "tx"}, {"austin"},
	} {
		text := ""
		if len(words) > 0 {
			text = " " + strings.Join(words, " ")
		}
		r.raw("UPDATE properties SET search_text = $1 WHERE id = $2", text, house)
		slices.Sort(words)
		unique := slices.Compact(words)
		got := r.text("count(*)", "property_words WHERE property_id = $1", house)
		r.want(got == strconv.Itoa(len(unique)), "%q has %s words", text, got)
		for _, word := range unique {
			has := r.text("count(*)", "property_words WHERE property_id = $1 AND word = $2", house, word)
			r.want(has == "1", "of %q the word %q is %s times there", text, word, has)
		}
		r.want(r.text("count(*)", "property_words WHERE property_id = $1", other) == "2", "%q changed the words of another property", text)
	}
}
