package accountstore_test

import (
	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/db/dbtest"
)

var people = []promise{
	{"AnEmailAddressBelongsToOneUser", anEmailAddressBelongsToOneUser},
	{"AnAccountIsFoundByItsOwner", anAccountIsFoundByItsOwner},
	{"AnAccountHasOnePortfolioOfEachMode", anAccountHasOnePortfolioOfEachMode},
	{"APlanIsKeptWithWhatWasAgreedBesides", aPlanIsKeptWithWhatWasAgreedBesides},
}

func anEmailAddressBelongsToOneUser(r *fixture) {
	first := developer.User{
		ID:           id.New(id.User, dbtest.Now),
		Email:        "dana@example.com",
		PasswordHash: "$argon2id$1",
		Role:         developer.Landlord,
		CreatedAt:    clock.At(dbtest.Now),
	}
	added, err := r.Accounts.AddUser(r.Context(), first)
	r.OK(err)
	r.Want(added, "the first was not added")
	second := first
	second.ID, second.PasswordHash = id.New(id.User, dbtest.Now), "$argon2id$2"
	added, err = r.Accounts.AddUser(r.Context(), second)
	r.OK(err)
	r.Want(!added, "the second was added")
	got, found, err := r.Accounts.User(r.Context(), first.Email)
	r.OK(err)
	r.Want(found, "nobody is there")
	r.Same(got, first)
	for _, other := range []string{"Dana@example.com", "dana@example.co", "", "%"} {
		_, found, err = r.Accounts.User(r.Context(), other)
		r.OK(err)
		r.Want(!found, "%q is somebody", other)
	}
	second.Email, second.Role = "robin@example.com", "visitor"
	_, err = r.Accounts.AddUser(r.Context(), second)
	r.Refused(err, "a role that is none")
}

func anAccountIsFoundByItsOwner(r *fixture) {
	dana, robin := r.Landlord("dana"), r.Landlord("robin")
	owns := func(userID string, want ...developer.Account) {
		got, err := r.Accounts.AccountsOf(r.Context(), userID)
		r.OK(err)
		r.Same(got, append([]developer.Account{}, want...))
	}
	owns(dana.ID, dana.Account)

	later := clock.At(dbtest.Now) + 1
	r.OK(r.Accounts.SetMember(r.Context(), dana.Account.ID, robin.ID, access.Owner, later))
	owns(robin.ID, robin.Account, dana.Account)
	r.OK(r.Accounts.SetMember(r.Context(), robin.Account.ID, robin.ID, access.Manager, later))
	owns(robin.ID, dana.Account)
	r.OK(r.Accounts.SetMember(r.Context(), dana.Account.ID, robin.ID, access.Manager, later))
	owns(robin.ID)

	r.Refused(r.Accounts.SetMember(r.Context(), "acct_none", dana.ID, access.Owner, later), "a member of no account")
	r.Refused(
		r.Accounts.SetMember(r.Context(), dana.Account.ID, "user_none", access.Owner, later),
		"a member who is nobody",
	)
	r.Refused(r.Accounts.SetMember(r.Context(), dana.Account.ID, dana.ID, "guest", later), "a role that is none")
}

func anAccountHasOnePortfolioOfEachMode(r *fixture) {
	dana, robin := r.Landlord("dana"), r.Landlord("robin")
	all := map[int64]bool{}
	for _, l := range []dbtest.Landlord{dana, robin} {
		for _, want := range []access.Portfolio{l.Live, l.Test} {
			got, err := r.Accounts.PortfolioOf(r.Context(), l.Account.ID, want.Mode)
			r.OK(err)
			r.Same(got, want)
			all[got.ID] = true
		}
	}
	r.Want(len(all) == 4, "%d portfolios", len(all))
	_, err := r.Accounts.AddPortfolio(r.Context(), dana.Account.ID, access.Live)
	r.Refused(err, "a second live portfolio")
	_, err = r.Accounts.AddPortfolio(r.Context(), "acct_none", access.Live)
	r.Refused(err, "a portfolio of no account")
	_, err = r.Accounts.PortfolioOf(r.Context(), "acct_none", access.Live)
	r.Refused(err, "the portfolio of no account")
}

func aPlanIsKeptWithWhatWasAgreedBesides(r *fixture) {
	dana, robin := r.Landlord("dana"), r.Landlord("robin")
	for _, p := range []developer.Plan{
		{
			Tier:      developer.Prime,
			Sustained: new(1),
			Burst:     new(20),
			Units:     new(0),
		},
		{Tier: developer.Starter, Units: new(1 << 40)},
		{Tier: developer.Pro},
	} {
		r.OK(r.Accounts.SetPlan(r.Context(), dana.Account.ID, p))
		got, err := r.Accounts.AccountsOf(r.Context(), dana.ID)
		r.OK(err)
		r.Same(got[0].Plan, p)
		made := developer.Account{
			ID:        id.New(id.Account, dbtest.Now),
			Name:      "A",
			TimeZone:  "UTC",
			Plan:      p,
			CreatedAt: clock.At(dbtest.Now),
		}
		r.OK(r.Accounts.AddAccount(r.Context(), made))
		owner := r.owner(made)
		got, err = r.Accounts.AccountsOf(r.Context(), owner)
		r.OK(err)
		r.Same(got, []developer.Account{made})
	}
	got, err := r.Accounts.AccountsOf(r.Context(), robin.ID)
	r.OK(err)
	r.Same(got, []developer.Account{robin.Account})
	r.Refused(r.Accounts.SetPlan(r.Context(), dana.Account.ID, developer.Plan{Tier: "gold"}), "a plan that is none")
	r.Refused(r.Accounts.SetPlan(r.Context(), dana.Account.ID, developer.Plan{
		Tier:  developer.Pro,
		Burst: new(19),
	}), "a burst below that of a batch")
}

// owner adds a user who owns an account, and is the id.
func (r *fixture) owner(a developer.Account) string {
	r.Helper()
	u := developer.User{
		ID:           id.New(id.User, dbtest.Now),
		Email:        a.ID,
		PasswordHash: "-",
		Role:         developer.Landlord,
		CreatedAt:    clock.At(dbtest.Now),
	}
	_, err := r.Accounts.AddUser(r.Context(), u)
	r.OK(err)
	r.OK(r.Accounts.SetMember(r.Context(), a.ID, u.ID, access.Owner, clock.At(dbtest.Now)))
	return u.ID
}
