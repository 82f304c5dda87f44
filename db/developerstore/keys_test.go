package developerstore_test

import (
	"errors"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
	"portal/db/dbtest"
)

var keys = []promise{
	{"AKeyIsReadAsItWasWritten", aKeyIsReadAsItWasWritten},
	{"ACallerIsWhoTheKeyBelongsToNow", aCallerIsWhoTheKeyBelongsToNow},
	{"AKeyIsRevokedOnce", aKeyIsRevokedOnce},
}

func aKeyIsReadAsItWasWritten(r *fixture) {
	l, other := r.Landlord("dana"), r.Landlord("robin")
	all := []developer.Key{r.Key(l, l.Live, 0, "payments"), r.Key(l, l.Test, 1), r.Key(l, l.Live, 0.5, "write")}
	r.Key(other, other.Live, 0)
	for i := range all {
		c, found, err := r.Developer.Caller(r.Context(), all[i].Hash)
		r.OK(err)
		r.Want(found, "no caller")
		all[i].Hash = nil // it is asked for, and never read
		r.Same(c.Key, all[i])
		all[i].Creator = l.Email
		k, found, err := r.Developer.Key(r.Context(), l.Account.ID, all[i].ID)
		r.OK(err)
		r.Want(found, "no key")
		r.Same(k, all[i])
	}
	got, err := r.Developer.Keys(r.Context(), l.Account.ID)
	r.OK(err)
	r.Same(dbtest.Pointers(got), dbtest.Sorted(dbtest.Pointers(all)))
	got, err = r.Developer.Keys(r.Context(), "acct_none")
	r.OK(err)
	r.Want(got != nil && len(got) == 0, "keys of nobody")

	again := r.Key(l, l.Live, 0)
	taken := again.ID
	again.ID = id.New(id.Key, dbtest.Now)
	r.Refused(r.Developer.AddKey(r.Context(), l.Account.ID, l.ID, l.Live, again), "a hash that is taken")
	again.ID, again.Hash = taken, []byte("another")
	r.Refused(r.Developer.AddKey(r.Context(), l.Account.ID, l.ID, l.Live, again), "an id that is taken")
}

func aCallerIsWhoTheKeyBelongsToNow(r *fixture) {
	l, helper := r.Landlord("dana"), r.Landlord("robin")
	for _, hash := range [][]byte{nil, {}, []byte("unknown"), make([]byte, 32)} {
		_, found, err := r.Developer.Caller(r.Context(), hash)
		r.OK(err)
		r.Want(!found, "%x is somebody", hash)
	}
	helper.Account = l.Account // makes a key of somebody else's account, without being a member
	k := r.Key(helper, l.Test, 0, "write")
	hash := k.Hash
	k.Hash = nil
	want := developer.Caller{
		Key:       k,
		AccountID: l.Account.ID,
		Account:   "dana",
		TimeZone:  "America/Chicago",
		Plan:      l.Account.Plan,
		Portfolio: l.Test,
	}
	check := func() {
		r.Helper()
		got, found, err := r.Developer.Caller(r.Context(), hash)
		r.OK(err)
		r.Want(found, "no caller")
		r.Same(got, want)
	}
	check()
	for _, role := range []access.Role{access.Manager, access.Owner, access.Manager} {
		r.OK(r.Accounts.SetMember(r.Context(), l.Account.ID, helper.ID, role, clock.At(dbtest.Now)))
		want.Role = role
		check()
	}
	want.Plan = developer.Plan{
		Tier:      developer.Prime,
		Sustained: new(7),
		Burst:     new(70),
		Units:     new(700),
	}
	r.OK(r.Accounts.SetPlan(r.Context(), l.Account.ID, want.Plan))
	check()
	want.Key.RevokedAt = new(clock.At(dbtest.Now))
	_, err := r.Developer.RevokeKey(r.Context(), k.ID, *want.Key.RevokedAt)
	r.OK(err)
	check()
}

func aKeyIsRevokedOnce(r *fixture) {
	l, other := r.Landlord("dana"), r.Landlord("robin")
	first, second, foreign := r.Key(l, l.Live, 1), r.Key(l, l.Test, 1), r.Key(other, other.Live, 1)
	revoked := func() (all [3]clock.Time) {
		r.Helper()
		for i, k := range []developer.Key{first, second, foreign} {
			c, _, err := r.Developer.Caller(r.Context(), k.Hash)
			r.OK(err)
			if c.Key.RevokedAt != nil {
				all[i] = *c.Key.RevokedAt
			}
		}
		return all
	}
	for _, at := range []clock.Time{5, 6} {
		whose, err := r.Developer.RevokeKey(r.Context(), first.ID, at)
		r.OK(err)
		r.Same(whose, l.Account.ID)
	}
	whose, err := r.Developer.RevokeKey(r.Context(), "key_none", 5)
	r.OK(err)
	r.Same(whose, "")
	r.Same(revoked(), [3]clock.Time{5, 0, 0})
	r.OK(
		errors.Join(
			r.Developer.RevokeKeys(r.Context(), l.Account.ID, 7),
			r.Developer.RevokeKeys(r.Context(), l.Account.ID, 8),
		),
	)
	r.Same(revoked(), [3]clock.Time{5, 7, 0})
}
