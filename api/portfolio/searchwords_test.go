package portfolio_test

import (
	"slices"
	"strings"
	"testing"

	"portal/api/portfolio"
	"portal/api/searchtext"
)

func TestRecordIsFoundByWordPrefixes(t *testing.T) {
	t.Parallel()
	property := (&portfolio.Property{
		StreetAddress: "12-A Rue de l'Église",
		City:          "St. Paul",
		State:         "MN",
		PostalCode:    new("55101-1234"),
		Name:          new("100% O'Hara's"),
	}).SearchText()
	tenant := (&portfolio.Tenant{
		FirstName:      "José",
		LastName:       "Núñez",
		Email:          new("jose.n@mail.example.com"),
		Phone:          new("+15125550142"),
		AlternatePhone: new("+4930123456"),
		MailingAddress: &portfolio.MailingAddress{StreetAddress: "PO Box 118", City: "Austin", State: "TX"},
	}).SearchText()
	for _, c := range []struct {
		in     searchtext.Text
		search string
		found  bool
	}{
		{property, "12", true},
		{property, "12-a", true},
		{property, "rue egl", true},
		{property, "l'église", true},
		{property, "leg", true},
		{property, "eglise paul mn", true},
		{property, "55101-12", true},
		{property, "1234", true},
		{property, "100%", true},
		{property, "ohara", true},
		{property, "hara", true},
		{property, "o'hara's", true},
		{property, "glise", false},
		{property, "2", false},
		{property, "rue oak", false},
		{property, "mnx", false},
		{tenant, "nun", true},
		{tenant, "JOSE núñez", true},
		{tenant, "jose.n@mail", true},
		{tenant, "(512) 555-0142", true},
		{tenant, "+1 512-555", true},
		{tenant, "+15125550142", true},
		{tenant, "5125550142", true},
		{tenant, "0142", true},
		{tenant, "+49 30123", false},
		{tenant, "4930", true},
		{tenant, "box 118 austin", true},
		{tenant, "2555", false},
		{tenant, "unez", false},
		{tenant, "example jo", true},
	} {
		found := !slices.ContainsFunc(
			searchtext.Terms(c.search),
			func(term string) bool { return !strings.Contains(string(c.in), " "+term) },
		)
		if found != c.found {
			t.Errorf("%q in %q: %v", c.search, c.in, found)
		}
	}
	if blank := (&portfolio.Property{}).SearchText(); blank != " " {
		t.Errorf("no word makes %q", blank)
	}
}
