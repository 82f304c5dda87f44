package document_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"portal/api/agreement/document"
	"portal/api/agreement/document/documenttest"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
	"portal/api/portfolio/lease/terms"
)

// says fails where a lease does not say something, or says what it must not.
func says(t *testing.T, of *document.Terms, want, none []string) {
	t.Helper()
	said := text(document.Compose(of))
	for _, s := range want {
		if !strings.Contains(said, s) {
			t.Errorf("%s: the lease does not say %q", of.Property.State, s)
		}
	}
	for _, s := range none {
		if strings.Contains(said, s) {
			t.Errorf("%s: the lease says %q", of.Property.State, s)
		}
	}
}

// general are what a lease says of all tenants, whoever signs it.
var general = strings.NewReplacer(
	"gives tenants a procedure",
	"",
	"tenants may leave a home",
	"",
	"against tenants who",
	"",
	"protects tenants more",
	"",
)

func TestLeaseWithOneTenantUsesSingular(t *testing.T) {
	t.Parallel()
	for _, rules := range law.All() {
		of := documenttest.Terms(rules.State)
		of.Lease.Tenants, of.Emails = of.Lease.Tenants[:1], of.Emails[:1]
		of.Lease.Terms.Fees, of.Lease.Terms.Pets = nil, nil
		documenttest.Answer(of, true)
		said := general.Replace(text(document.Compose(of)))
		for _, none := range []string{"tenants", "Each tenant", "Several", "Each of them", "[", "|"} {
			if i := strings.Index(said, none); i >= 0 {
				t.Errorf("%s: the lease says %q", rules.State, said[max(0, i-40):min(len(said), i+40)])
			}
		}
		says(t, of, []string{
			"The tenant is Nguyễn Thị Phương Thảo.", "The tenant pays $1,450.50 a month.",
			"20. Disclosures", "26. Signatures",
		}, nil)
	}
}

func TestLeaseWithSeveralPartiesUsesPlural(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	of.Lease.Terms.Fees, of.Lease.Terms.Pets = nil, nil
	says(t, of, []string{
		"Each tenant owes all of the rent", "Ada Márquez guarantees what the tenants owe",
		"Guarantor",
	}, []string{
		"[", "|", "Guarantors",
	})
	of.Lease.Tenants = append(of.Lease.Tenants, portfolio.Party{Name: "Lee Fox", Role: portfolio.PartyGuarantor})
	of.Emails = append(of.Emails, "lee@example.com")
	says(t, of, []string{
		"Ada Márquez and Lee Fox guarantee what the tenants owe", "Guarantors", "Each guarantor promises the landlord",
		"Each guarantor answers for all of it", "The landlord can reach Lee Fox at lee@example.com.",
	}, []string{"Lee Fox, lee@example.com"})
}

func TestGuarantorsSignPageOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, year := range []int{1974, 1990} {
		of := documenttest.Terms("TX")
		of.Property.YearBuilt = &year
		of.Lease.Tenants = append(of.Lease.Tenants, portfolio.Party{Name: "Lee Fox", Role: portfolio.PartyGuarantor})
		d := document.Compose(of)
		lines := map[string][]string{}
		for i, s := range d.Sections {
			for _, b := range s.Blocks {
				if b.Signature != nil {
					lines[s.Title] = append(lines[s.Title], b.Signature.Name)
				}
			}
			if s.Title == "Guaranty" && (!s.NewPage || !d.Sections[i+1].NewPage) {
				t.Errorf("the guaranty shares its page: %+v", s)
			}
		}
		if got := lines["Guaranty"]; !slices.Equal(got, []string{"Ada Márquez", "Lee Fox"}) {
			t.Errorf("the guaranty is signed by %v", got)
		}
		all := []string{of.Lease.Tenants[0].Name, of.Lease.Tenants[1].Name, of.Landlord.Signer}
		if got := lines["Signatures"]; !slices.Equal(got, all) {
			t.Errorf("the lease is signed by %v", got)
		}
		signed := make([]document.Signed, 5)
		for i := range signed {
			signed[i].Typed = "typed by " + strconv.Itoa(i)
		}
		executed, err := d.Execute(&document.Certificate{Signed: signed})
		if err != nil {
			t.Fatal(err)
		}
		typed := map[string]string{}
		for _, s := range executed.Sections {
			for _, b := range s.Blocks {
				if b.Signature != nil {
					typed[b.Signature.Name] = b.Signature.Typed
				}
			}
		}
		for i, name := range []string{all[0], all[1], "Ada Márquez", "Lee Fox", all[2]} {
			if typed[name] != signed[i].Typed {
				t.Errorf("at the name of %s: %q", name, typed[name])
			}
		}
		said := text(executed)
		at := -1
		for i, name := range []string{all[0], all[1], "Ada Márquez (guarantor)", "Lee Fox (guarantor)", all[2]} {
			row := name + " January 1, 1970, 00:00:00 UTC ; typed the name “typed by " + strconv.Itoa(i) + "”"
			if next := strings.Index(said, row); next <= at {
				t.Errorf("the certificate does not say %q in its place", row)
			} else {
				at = next
			}
		}
	}
}

func TestCoOwnersSignAsLandlordsBeforeTheLandlord(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	own := of.Lease.Terms
	says(t, of, nil, []string{"o-owner"})
	of.Lease.Terms.CoOwners = []terms.CoOwner{{Name: "Jordan Ellis", Title: new("Trustee")}}
	says(t, of, []string{"Jordan Ellis owns the home with the landlord, signs this lease as a landlord", "Co-owner"},
		[]string{"Co-owners"})
	of.Lease.Terms.CoOwners = append(of.Lease.Terms.CoOwners, terms.CoOwner{Name: "Kim Ellis"})
	says(t, of, []string{"Jordan Ellis and Kim Ellis own the home with the landlord", "Co-owners"}, nil)
	for _, guaranteed := range []bool{true, false} {
		if !guaranteed {
			of.Lease.Tenants = of.Lease.Tenants[:2]
		}
		d := document.Compose(of)
		var lines []string
		for _, s := range d.Sections {
			for _, b := range s.Blocks {
				if b.Signature != nil && s.Title == "Signatures" {
					lines = append(lines, b.Signature.Name+", "+b.Signature.Signer())
				}
			}
		}
		if want := []string{
			"Jordan Ellis, Landlord, co-owner (Trustee)", "Kim Ellis, Landlord, co-owner",
			"Dana Whitfield, Landlord, Harbor Lane Rentals LLC (Owner)",
		}; len(lines) != 5 || !slices.Equal(lines[2:], want) {
			t.Errorf("the lease is signed by %q", lines)
		}
		signed := make([]document.Signed, len(of.Lease.Tenants)+3)
		for i := range signed {
			signed[i].Typed = "typed by " + strconv.Itoa(i)
		}
		executed, err := d.Execute(&document.Certificate{Signed: signed})
		if err != nil {
			t.Fatal(err)
		}
		said := text(executed)
		for i, name := range []string{"Jordan Ellis", "Kim Ellis", "Dana Whitfield"} {
			party := strconv.Itoa(len(of.Lease.Tenants) + i)
			row := name + " January 1, 1970, 00:00:00 UTC ; typed the name “typed by " + party + "”"
			if !strings.Contains(said, row) {
				t.Errorf("the certificate does not say %q", row)
			}
		}
		if !slices.ContainsFunc(d.Spanish, func(r document.Row) bool {
			row := fmt.Sprint(r)
			return strings.Contains(row, "Copropietarios") && strings.Contains(row, "Jordan Ellis y Kim Ellis")
		}) {
			t.Errorf("in Spanish: %v", d.Spanish)
		}
	}
	of.Lease.Terms = own
}

func TestDCIsNamedWithArticle(t *testing.T) {
	t.Parallel()
	said := text(document.Compose(documenttest.Terms("DC")))
	all, with := strings.Count(said, "District of Columbia"), strings.Count(said, " the District of Columbia")
	if all == 0 || all != with {
		t.Errorf("%d of %d have the article", with, all)
	}
	says(t, documenttest.Terms("MD"), nil, []string{" the Maryland"})
}

func TestDailyLateFeeIsDescribedConsistently(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	of.Lease.Terms.LateFeeFrequency = terms.Daily
	says(t, of, []string{
		"$25 for each day once rent is more than 5 days late",
		"For each day that a rent payment is more than 5 days late",
		"the tenants owe a late fee of $25 for each day that it stays unpaid after that.",
		"In total, the late fees for one payment are never more than what the law of Texas allows",
	}, []string{"for that payment", "There is one late fee"})
}

func TestRenewalSaysItIsRenewal(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	const renews = "This lease renews the earlier lease of the home, and replaces it from January 9, 2027 on."
	says(t, of, []string{"Due at move-in", "before moving in"}, []string{"renews", "earlier lease"})
	of.Lease.RenewedFromLeaseID = new("lea_1")
	says(t, of, []string{
		renews, "Due at the start", "Once, before the term starts",
	}, []string{
		"move-in", "before moving in",
	})
}

func TestRenewalAsksOnlyForDepositThatIsNotHeld(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		deposit, held money.Cents
		want, none    []string
	}{
		{money.Dollars(1000), money.Dollars(1000), []string{
			"Security deposit $1,000, held already from the earlier lease: nothing more is due Late fee",
			"Security deposit $1,000 Held already from the earlier lease; nothing is due Yes (section 6)",
			"Due at the start $1,153.28: the first rent of $1,076.18, one-time fees of $40 and the first monthly fees of " +
				"$37.10",
			"The landlord holds it already as the deposit of the earlier lease, and the tenants pay nothing more.",
		}, []string{"pay a security deposit", "returns or credits"}},
		{money.Dollars(1200), money.Dollars(1000), []string{
			"$1,200: $1,000 is held already from the earlier lease, and $200 more is due before the term starts",
			"$1,000 is held already; $200 once, before the term starts",
			"$1,353.28: the first rent of $1,076.18, the rest of the security deposit of $200, one-time",
			"The tenants pay the other $200 before the term starts.",
		}, []string{"pay a security deposit", "returns or credits"}},
		{money.Dollars(800), money.Dollars(1000), []string{
			"$800: $1,000 is held already from the earlier lease, of which the landlord returns or credits $200",
			"$1,000 is held already; the landlord returns or credits $200",
			"Due at the start $1,153.28",
			"Of the deposit of the earlier lease, $1,000, the landlord returns $200 to the tenants or credits it",
		}, []string{"pay a security deposit"}},
		{0, money.Dollars(1000), []string{
			"None: the landlord returns or credits the $1,000 held from the earlier lease",
			"No security deposit is taken under this lease.",
			"Of the deposit of the earlier lease, $1,000, the landlord returns $1,000 to the tenants",
		}, []string{"pay a security deposit", "the deposit is held"}},
		{money.Dollars(1000), 0, []string{
			"Security deposit $1,000 Once, before the term starts",
			"The tenants pay a security deposit of $1,000 before the term starts.",
		}, []string{"held already", "still holds"}},
	} {
		of := documenttest.Terms("TX")
		of.Lease.RenewedFromLeaseID = new("lea_1")
		of.Lease.SecurityDeposit, of.Lease.Terms.HeldDeposit = c.deposit, &c.held
		says(t, of, c.want, c.none)
	}
}

func TestRenewalHandsOverNeitherKeysNorHome(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	says(t, of, []string{"The landlord hands over the keys on the first day"}, []string{"sets of keys", "set of keys"})
	of.Lease.RenewedFromLeaseID = new("lea_1")
	says(t, of, []string{
		"The keys that were handed over under the earlier lease stay with the tenants.",
		"The condition that was written down at the beginning of the earlier lease is the one that counts",
	}, []string{"hands over the keys", "hands over the home", "of moving in"})
}

func TestMonthlyFeesAreProratedAsRentIs(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	says(t, of, []string{
		"Parking [space 4|5] $50 Each month, with the rent; $37.10 for January 9 to January 31, 2027 No",
		"monthly fees are shared out as the rent is.",
		"For January 9 to January 31, 2027 the monthly fees come to $37.10.",
		"and the first monthly fees of $37.10",
	}, []string{"first monthly fees of $50"})
	of.Lease.StartDate = clock.Day(2027, 1, 1)
	says(t, of, []string{"Parking [space 4|5] $50 Each month, with the rent No", "first monthly fees of $50"},
		[]string{"monthly fees come to"})
}

func TestBothFiguresOfRuleArePrinted(t *testing.T) {
	t.Parallel()
	for state, want := range map[contact.State][]string{
		"AK": {"within 30 days",
			"If nothing is kept and proper notice was given, the whole deposit is returned within 14 days"},
		"FL": {"within 30 days",
			"If nothing is kept, the whole deposit is returned within 15 days (Fla. Stat. 83.49(3)(a))."},
		"MT": {"within 30 days", "If nothing is kept, the whole deposit is returned within 10 days"},
		"MA": {"may add to the list within 15 days of getting it or of moving in, whichever is later"},
		"TX": {"may add to the list within 7 days of moving in."},
		"GA": {"notice of at least 60 days", "the tenants with written notice of at least 30 days (O.C.G.A. 44-7-7)."},
		"HI": {"notice of at least 45 days", "the tenants with written notice of at least 28 days (HRS 521-71(b))."},
		"MD": {"notice of at least 60 days", "the tenants with written notice of at least 30 days"},
		"VT": {
			"notice of at least 60 days", "the tenants with written notice of at least 30 days",
			"If the tenants have lived in the home for more than two years, the notice of the landlord is at least 90 days",
		},
		"CA": {
			"notice of at least 30 days",
			"If the tenants have lived in the home for a year or longer, the notice of the landlord is at least 60 days",
		},
		"CT": {"written notice of at least one month", "notice to quit that the law of Connecticut asks for as well"},
	} {
		of := documenttest.Terms(state)
		of.Lease.LeaseType = portfolio.FixedWithRollover
		says(t, of, want, []string{"ended by written notice of at least 3 days"})
	}
}

func TestCauseIsNeededOnlyWhereHomeIsNotExempt(t *testing.T) {
	t.Parallel()
	const exempt = "Unless the home is exempt (Cal. Civ. Code 1946.2 and 1947.12): "
	for _, kind := range []portfolio.LeaseType{portfolio.Fixed, portfolio.FixedWithRollover} {
		of := documenttest.Terms("CA")
		of.Lease.LeaseType = kind
		says(t, of, []string{exempt}, []string{"states that the home is exempt"})
		of.Lease.Terms.Answers = []terms.Answer{{Code: "rent_cap_just_cause", Applies: true}}
		says(t, of, []string{"only for a reason, and with the notice, that the law of California allows."},
			[]string{exempt, "states that the home is exempt"})
		of.Lease.Terms.Answers[0].Applies = false
		says(t, of, []string{"The landlord states that the home is exempt from the rent cap and from just cause"},
			[]string{exempt, "only for a reason"})
	}
	of := documenttest.Terms("WA")
	says(t, of, []string{"only for a reason"}, []string{"exempt"})
}

func TestFirstRentMatchesCharge(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	first := of.Lease.RentFrom(of.Lease.StartDate, of.Lease.EndDate)
	says(t, of, []string{"First rent (prorated) " + first.Amount.Words()}, nil)

	of.Lease.StartDate = clock.Day(2027, 1, 1)
	says(t, of, []string{
		"the first rent of $1,450.50 (due on January 3, 2027), the security deposit",
	}, []string{
		"prorated", "For January",
	})

	of.Lease.StartDate, of.Lease.EndDate = clock.Day(2027, 2, 10), new(clock.Day(2027, 2, 20))
	says(t, of, []string{"For February 10 to February 20, 2027 the tenants owe $569.84"}, nil)
}

func TestLeaseWithoutFeesMentionsNone(t *testing.T) {
	t.Parallel()
	of := documenttest.Terms("TX")
	of.Lease.Terms.Fees, of.Lease.Terms.ReturnedPaymentFee = nil, nil
	says(t, of, []string{
		"$2,076.18: the first rent of $1,076.18 and the security deposit of $1,000",
		"Due each month $1,450.50 ", "The late fee is owed only if rent is more than 5 days late.",
	},
		[]string{"In addition to the rent", "eturned payment", "monthly fees", "one-time"})
	of.Lease.LateFeeAmount = nil
	says(t, of, nil, []string{"Only in some cases", "once rent is"})
}

func TestHomeFactsReadNaturally(t *testing.T) {
	t.Parallel()
	for half, want := range map[portfolio.Half]string{
		0: "no bathroom of its own",
		1: "a half bathroom",
		2: "1 bathroom and",
		3: "1.5 bathrooms",
		4: "2 bathrooms",
	} {
		of := documenttest.Terms("TX")
		of.Unit.Bathrooms = &half
		says(t, of, []string{"2 bedrooms, " + want}, nil)
	}
	for number, want := range map[string]string{
		"+15125550142":   "or (512) 555-0142.",
		"(512) 555-0142": "or (512) 555-0142.",
		"+442079460123":  "or +442079460123.",
	} {
		of := documenttest.Terms("TX")
		of.Landlord.Phone = number
		says(t, of, []string{"office@harborlane.example " + want}, nil)
	}
	of := documenttest.Terms("TX")
	of.Lease.Terms.Occupants = []string{"Mai Nguyễn"}
	of.Lease.Terms.Pets, of.Lease.Terms.Clauses.Pets = []terms.Pet{{Kind: "Cat"}}, nil
	of.Lease.Terms.Vehicles, of.Lease.Terms.Utilities = []terms.Vehicle{{Make: "Vespa"}}, nil
	says(t, of, []string{"Other occupants Mai Nguyễn",
		"This person lives in the home as well and does not sign: Mai " +
			"Nguyễn.", "This animal may live in the home: Cat.", "No other pet may be kept in the home without",
		"Pets Cat", "Vehicles Vespa", "The tenants have named this vehicle: Vespa.",
	}, []string{"These people", "These animals", "these vehicles", "utilities that are not named"})
}

func TestLeaseExcludesResearchNotes(t *testing.T) {
	t.Parallel()
	for _, state := range []contact.State{"CO", "AR", "NJ", "KY"} {
		says(t, documenttest.Terms(state), []string{
			"Rules of cities and counties are not in the table",
		}, []string{
			"No source", "bed bugs only", "no period", "about 1 day",
		})
	}
}
