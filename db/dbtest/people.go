package dbtest

import (
	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
)

var people = []promise{
	{"AnEmailAddressBelongsToOneUser", anEmailAddressBelongsToOneUser},
	{"AnAccountIsFoundByItsOwner", anAccountIsFoundByItsOwner},
	{"AnAccountHasOnePortfolioOfEachMode", anAccountHasOnePortfolioOfEachMode},
	{"APlanIsKeptWithWhatWasAgreedBesides", aPlanIsKeptWithWhatWasAgreedBesides},
}

func anEmailAddressBelongsToOneUser(r *rig) {
	first := developer.User{ID: id.New(id.User, noon), Email: "dana@example.com", PasswordHash: "$argon2id$1", Role: developer.Landlord, CreatedAt: clock.At(noon)}
	added, err := r.AddUser(r.Context(), first)
	r.ok(err)
	r.want(added, "the first was not added")
	second := first
	second.ID, second.PasswordHash = id.New(id.User, noon), "$argon2id$2"
	added, err = r.AddUser(r.Context(), second)
	r.ok(err)
	r.want(!added, "the second was added")
	got, found, err := r.User(r.Context(), first.Email)
	r.ok(err)
	r.want(found, "nobody is there")
	r.same(got, first)
	for _, other := range []string{"Dana@example.com", "dana@example.co", "", "%"} {
		_, found, err = r.User(r.Context(), other)
		r.ok(err)
		r.want(!found, "%q is somebody", other)
	}
	second.Email, second.Role = "robin@example.com", "visitor"
	_, err = r.AddUser(r.Context(), second)
	r.refused(err, "a role that is none")
}

func anAccountIsFoundByItsOwner(r *rig) {
	dana, robin := r.landlord("dana"), r.landlord("robin")
	got, found, err := r.AccountOf(r.Context(), dana.ID)
	r.ok(err)
	r.want(found, "no account")
	r.same(got, dana.account)

	later := clock.At(noon) + 1
	r.ok(r.SetMember(r.Context(), dana.account.ID, robin.ID, access.Owner, later))
	got, _, err = r.AccountOf(r.Context(), robin.ID)
	r.ok(err)
	r.want(got.ID == robin.account.ID, "the older account is %s", got.Name)
	r.ok(r.SetMember(r.Context(), robin.account.ID, robin.ID, access.Manager, later))
	got, _, err = r.AccountOf(r.Context(), robin.ID)
	r.ok(err)
	r.want(got.ID == dana.account.ID, "a manager owns %s", got.Name)
	r.ok(r.SetMember(r.Context(), dana.account.ID, robin.ID, access.Manager, later))
	_, found, err = r.AccountOf(r.Context(), robin.ID)
	r.ok(err)
	r.want(!found, "a manager of all owns an account")

	r.refused(r.SetMember(r.Context(), "acct_none", dana.ID, access.Owner, later), "a member of no account")
	r.refused(r.SetMember(r.Context(), dana.account.ID, "user_none", access.Owner, later), "a member who is nobody")
	r.refused(r.SetMember(r.Context(), dana.account.ID, dana.ID, "guest", later), "a role that is none")
}

func anAccountHasOnePortfolioOfEachMode(r *rig) {
	dana, robin := r.landlord("dana"), r.landlord("robin")
	all := map[int64]bool{}
	for _, l := range []landlord{dana, robin} {
		for _, want := range []access.Portfolio{l.live, l.test} {
			got, err := r.PortfolioOf(r.Context(), l.account.ID, want.Mode)
			r.ok(err)
			r.same(got, want)
			all[got.ID] = true
		}
	}
	r.want(len(all) == 4, "%d portfolios", len(all))
	_, err := r.AddPortfolio(r.Context(), dana.account.ID, access.Live)
	r.refused(err, "a second live portfolio")
	_, err = r.AddPortfolio(r.Context(), "acct_none", access.Live)
	r.refused(err, "a portfolio of no account")
	_, err = r.PortfolioOf(r.Context(), "acct_none", access.Live)
	r.refused(err, "the portfolio of no account")
}

func aPlanIsKeptWithWhatWasAgreedBesides(r *rig) {
	dana, robin := r.landlord("dana"), r.landlord("robin")
	for _, p := range []developer.Plan{
		{Tier: developer.Prime, Sustained: new(1), Burst: new(20), Units: new(0)},
		{Tier: developer.Starter, Units: new(1 << 40)},
		{Tier: developer.Pro},
	} {
		r.ok(r.SetPlan(r.Context(), dana.account.ID, p))
		got, _, err := r.AccountOf(r.Context(), dana.ID)
		r.ok(err)
		r.same(got.Plan, p)
		made := developer.Account{ID: id.New(id.Account, noon), Name: "A", TimeZone: "UTC", Plan: p, CreatedAt: clock.At(noon)}
		r.ok(r.AddAccount(r.Context(), made))
		owner := r.owner(made)
		got, _, err = r.AccountOf(r.Context(), owner)
		r.ok(err)
		r.same(got, made)
	}
	got, _, err := r.AccountOf(r.Context(), robin.ID)
	r.ok(err)
	r.same(got, robin.account)
	r.refused(r.SetPlan(r.Context(), dana.account.ID, developer.Plan{Tier: "gold"}), "a plan that is none")
	r.refused(r.SetPlan(r.Context(), dana.account.ID, developer.Plan{Tier: developer.Pro, Burst: new(19)}), "a burst below that of a batch")
}

// owner adds a user who owns an account, and is the id.
func (r *rig) owner(a developer.Account) string {
	r.Helper()
	u := developer.User{ID: id.New(id.User, noon), Email: a.ID, PasswordHash: "-", Role: developer.Landlord, CreatedAt: clock.At(noon)}
	_, err := r.AddUser(r.Context(), u)
	r.ok(err)
	r.ok(r.SetMember(r.Context(), a.ID, u.ID, access.Owner, clock.At(noon)))
	return u.ID
}
