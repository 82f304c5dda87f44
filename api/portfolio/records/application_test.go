package records_test

import (
	"slices"
	"strings"
	"testing"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio/lease/application"
	"portal/db/accountstore"
	"portal/db/portfoliostore"
)

// form is one without a mistake.
func form() application.Create {
	return application.Create{
		FirstName:     "Sam",
		LastName:      "Rivera",
		Email:         "sam@example.com",
		Phone:         "+15125550142",
		MoveInDate:    clock.Day(2026, 12, 1),
		Adults:        2,
		Children:      new(1),
		Pets:          new("One cat"),
		MonthlyIncome: money.Dollars(5250),
		Notes:         new("We do not smoke.\nThank you.\u2028Bye."),
	}
}

func TestApplicationIsStoredAndOwnersNotified(t *testing.T) {
	onEach(t, func(g *guests) {
		partner := developer.User{
			ID:           id.New(id.User, g.now),
			Email:        "partner@example.com",
			PasswordHash: "-",
			Role:         developer.Landlord,
		}
		clerk := developer.User{
			ID:           id.New(id.User, g.now),
			Email:        "clerk@example.com",
			PasswordHash: "-",
			Role:         developer.Landlord,
		}
		for u, role := range map[*developer.User]access.Role{&partner: access.Owner, &clerk: access.Manager} {
			_, err := accountstore.New(g.db).AddUser(g.Context(), *u)
			g.ok(err)
			g.ok(accountstore.New(g.db).SetMember(g.Context(), g.home.AccountID, u.ID, role, clock.At(g.now)))
		}
		i := g.invites(g.asked()).After
		g.ok(g.Applications.Apply(g.Context(), g.token(i), form()))
		if got := g.reads(i.ID); got.Status != application.InvitationApplied || got.Version != 2 {
			g.Errorf("%+v", got)
		}
		a, err := portfoliostore.New(g.db).Application(g.Context(), g.home.Live, i.ID)
		g.ok(err)
		want := application.Application{
			CreatedAt:     clock.At(g.now),
			FirstName:     "Sam",
			LastName:      "Rivera",
			Email:         "sam@example.com",
			Phone:         "+15125550142",
			MoveInDate:    clock.Day(2026, 12, 1),
			Adults:        2,
			Children:      1,
			Pets:          a.Pets,
			MonthlyIncome: money.Dollars(5250),
			Notes:         a.Notes,
		}
		if a != want || *a.Pets != "One cat" || *a.Notes != "We do not smoke.\nThank you.\u2028Bye." {
			g.Errorf("%+v", a)
		}
		var told []string
		for _, l := range g.emails()[1:] {
			told = append(told, l.To)
			if l.About != nil || l.Content.Unsubscribe != "" ||
				l.Subject != "Application from Sam Rivera for 1420 Maple Avenue, Unit 2B" {
				g.Errorf("%+v", l.Entry)
			}
			quote := "> We do not smoke.\n> Thank you.\n> Bye."
			if !strings.Contains(strings.ReplaceAll(l.Content.Text, "\r\n", "\n"), quote) {
				g.Errorf("does not quote the notes:\n%s", l.Content.Text)
			}
			for _, text := range []string{l.Content.Text, l.Content.HTML} {
				for _, want := range []string{
					"Sam Rivera applied for", "sam@example.com", "+15125550142",
					"Tuesday, December 1, 2026", "2 adults, 1 child", "$5,250", "One cat",
					"We do not smoke.", i.ID,
				} {
					if !strings.Contains(strings.ReplaceAll(text, "&#43;", "+"), want) {
						g.Errorf("does not say %q:\n%s", want, text)
					}
				}
			}
		}
		slices.Sort(told)
		if got := strings.Join(told, " "); got != "dana@example.com partner@example.com" {
			g.Errorf("told %s", got)
		}
		if err := g.Applications.Apply(g.Context(), g.token(i), form()); !fault.Is(err, fault.InvalidTransition) ||
			len(g.emails()) != 3 {
			g.Errorf("again: %v, %d emails", err, len(g.emails()))
		}
	})
}

func TestApplicationNotifiesSubscribedMembers(t *testing.T) {
	onEach(t, func(g *guests) {
		for email, chosen := range map[string]string{
			"partner@example.com": "endpoints",
			"clerk@example.com":   "endpoints,applications",
			"none@example.com":    "",
		} {
			u := developer.User{
				ID:           id.New(id.User, g.now),
				Email:        email,
				PasswordHash: "-",
				Role:         developer.Landlord,
			}
			_, err := accountstore.New(g.db).AddUser(g.Context(), u)
			g.ok(err)
			g.ok(accountstore.New(g.db).SetMember(g.Context(), g.home.AccountID, u.ID, map[bool]access.Role{
				true:  access.Manager,
				false: access.Owner,
			}[email == "clerk@example.com"], clock.At(g.now)))
			g.ok(accountstore.New(g.db).SetNotices(g.Context(), g.home.AccountID, u.ID, chosen))
		}
		i := g.invites(g.asked()).After
		g.ok(g.Applications.Apply(g.Context(), g.token(i), form()))
		var told []string
		for _, l := range g.emails()[1:] {
			told = append(told, l.To)
		}
		slices.Sort(told)
		if got := strings.Join(told, " "); got != "clerk@example.com dana@example.com" {
			g.Errorf("told %s", got)
		}
	})
}

func TestCanceledInvitationAcceptsNoApplication(t *testing.T) {
	onEach(t, func(g *guests) {
		i := g.invites(g.asked()).After
		_, err := portfoliostore.New(g.db).MoveInvitation(
			g.Context(),
			g.home.Live,
			i.ID,
			application.InvitationCancelled,
			clock.At(g.now),
		)
		g.ok(err)
		if err := g.Applications.Apply(g.Context(), g.token(i), form()); !fault.Is(err, fault.InvalidTransition) {
			g.Error(err)
		}
		if _, err := portfoliostore.New(g.db).Application(
			g.Context(),
			g.home.Live,
			i.ID,
		); !fault.Is(
			err,
			fault.NoRecord,
		) {
			g.Error(err)
		}
	})
}

func TestApplicationReportsAllErrorsInFieldOrder(t *testing.T) {
	onEach(t, func(g *guests) {
		i := g.invites(g.asked()).After
		long := strings.Repeat("é", 2001)
		for name, f := range map[string]application.Create{
			"all wrong": {
				FirstName:     long,
				LastName:      "a\x00b",
				Email:         "sam",
				Phone:         "12",
				MoveInDate:    clock.Day(2026, 11, 11),
				Adults:        0,
				Children:      new(-1),
				Pets:          &long,
				MonthlyIncome: -1,
				Notes:         &long,
			},
			"otherwise wrong": {
				FirstName:     "Sam\nBcc: x",
				LastName:      "a\u2028b",
				Email:         "a@b.c\nd@e.f",
				Phone:         "5125550142;1",
				MoveInDate:    clock.Day(2028, 11, 13),
				Adults:        21,
				Children:      new(21),
				Pets:          new("\u202egnp"),
				MonthlyIncome: money.Max + 1,
				Notes:         new("\x1b[31m"),
			},
		} {
			f := fault.From(g.Applications.Apply(g.Context(), g.token(i), f))
			var got []string
			for _, d := range f.Details {
				got = append(got, d.Param)
				if d.Code != fault.InvalidField || strings.Contains(d.Message, "\n") || d.Message == "" {
					g.Errorf("%s: %s %q", name, d.Code, d.Message)
				}
			}
			want := "first_name last_name email phone move_in_date adults children pets monthly_income notes"
			if strings.Join(got, " ") != want {
				g.Errorf("%s: %s\n%v", name, strings.Join(got, ", "), f)
			}
		}
		if got := g.reads(i.ID); got.Status != application.InvitationSent || len(g.emails()) != 1 {
			g.Errorf("%+v", got)
		}
	})
}

func TestApplicationAtLimitsIsAccepted(t *testing.T) {
	onEach(t, func(g *guests) {
		for name, change := range map[string]func(*application.Create){
			"today":                func(f *application.Create) { f.MoveInDate = clock.Day(2026, 11, 12) },
			"two years ahead":      func(f *application.Create) { f.MoveInDate = clock.Day(2028, 11, 12) },
			"no income":            func(f *application.Create) { f.MonthlyIncome = 0 },
			"no children":          func(f *application.Create) { f.Children = nil },
			"no pets and no notes": func(f *application.Create) { f.Pets, f.Notes = nil, nil },
			"the longest texts": func(f *application.Create) {
				f.FirstName, f.Notes = strings.Repeat("é", 127), new(strings.Repeat("é", 2000))
			},
		} {
			asked := g.asked()
			asked.Email = strings.ReplaceAll(name, " ", ".") + "@example.com"
			i := g.invites(asked).After
			f := form()
			change(&f)
			if err := g.Applications.Apply(g.Context(), g.token(i), f); err != nil {
				g.Errorf("%s: %v", name, err)
				continue
			}
			a, err := portfoliostore.New(g.db).Application(g.Context(), g.home.Live, i.ID)
			g.ok(err)
			if a.MoveInDate != f.MoveInDate || a.MonthlyIncome != f.MonthlyIncome ||
				a.FirstName != f.FirstName || (a.Pets == nil) != (f.Pets == nil) || a.Children != map[bool]int{
				true:  0,
				false: 1,
			}[f.Children == nil] {
				g.Errorf("%s: %+v", name, a)
			}
		}
	})
}
