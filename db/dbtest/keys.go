package dbtest

import (
	"crypto/sha256"
	"errors"
	"math/rand/v2"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/developer"
	"portal/api/id"
)

var keys = []promise{
	{"AKeyIsReadAsItWasWritten", aKeyIsReadAsItWasWritten},
	{"ACallerIsWhoTheKeyBelongsToNow", aCallerIsWhoTheKeyBelongsToNow},
	{"AKeyIsRevokedOnce", aKeyIsRevokedOnce},
}

// key adds a key of a landlord.
func (r *rig) key(l landlord, in access.Portfolio, nulls float64, scopes ...string) developer.Key {
	r.Helper()
	var k developer.Key
	(&filler{rand.New(rand.NewPCG(12, rand.Uint64())), nulls}).fill(&k)
	k.ID, k.Mode, k.Plaintext, k.RevokedAt, k.LastUsedAt, k.Creator = id.New(id.Key, noon), in.Mode, nil, nil, nil, ""
	hash := sha256.Sum256([]byte(k.ID))
	k.Hash = hash[:]
	var err error
	k.Scopes, err = access.ScopesOf(scopes...)
	r.ok(err)
	r.ok(r.AddKey(r.Context(), l.account.ID, l.ID, in, k))
	return k
}

func aKeyIsReadAsItWasWritten(r *rig) {
	l, other := r.landlord("dana"), r.landlord("robin")
	all := []developer.Key{r.key(l, l.live, 0, "payments"), r.key(l, l.test, 1), r.key(l, l.live, 0.5, "write")}
	r.key(other, other.live, 0)
	for i := range all {
		c, found, err := r.Caller(r.Context(), all[i].Hash)
		r.ok(err)
		r.want(found, "no caller")
		all[i].Hash = nil // it is asked for, and never read
		r.same(c.Key, all[i])
		all[i].Creator = l.Email
		k, found, err := r.Key(r.Context(), l.account.ID, all[i].ID)
		r.ok(err)
		r.want(found, "no key")
		r.same(k, all[i])
	}
	got, err := r.Keys(r.Context(), l.account.ID)
	r.ok(err)
	r.same(pointers(got), sorted(pointers(all)))
	got, err = r.Keys(r.Context(), "acct_none")
	r.ok(err)
	r.want(got != nil && len(got) == 0, "keys of nobody")

	again := r.key(l, l.live, 0)
	taken := again.ID
	again.ID = id.New(id.Key, noon)
	r.refused(r.AddKey(r.Context(), l.account.ID, l.ID, l.live, again), "a hash that is taken")
	again.ID, again.Hash = taken, []byte("another")
	r.refused(r.AddKey(r.Context(), l.account.ID, l.ID, l.live, again), "an id that is taken")
}

func aCallerIsWhoTheKeyBelongsToNow(r *rig) {
	l, helper := r.landlord("dana"), r.landlord("robin")
	for _, hash := range [][]byte{nil, {}, []byte("unknown"), make([]byte, 32)} {
		_, found, err := r.Caller(r.Context(), hash)
		r.ok(err)
		r.want(!found, "%x is somebody", hash)
	}
	helper.account = l.account // makes a key of somebody else's account, without being a member
	k := r.key(helper, l.test, 0, "write")
	hash := k.Hash
	k.Hash = nil
	want := developer.Caller{Key: k, AccountID: l.account.ID, Account: "dana", TimeZone: "America/Chicago", Plan: l.account.Plan, Portfolio: l.test}
	check := func() {
		r.Helper()
		got, found, err := r.Caller(r.Context(), hash)
		r.ok(err)
		r.want(found, "no caller")
		r.same(got, want)
	}
	check()
	for _, role := range []access.Role{access.Manager, access.Owner, access.Manager} {
		r.ok(r.SetMember(r.Context(), l.account.ID, helper.ID, role, clock.At(noon)))
		want.Role = role
		check()
	}
	want.Plan = developer.Plan{Tier: developer.Prime, Sustained: new(7), Burst: new(70), Units: new(700)}
	r.ok(r.SetPlan(r.Context(), l.account.ID, want.Plan))
	check()
	want.Key.RevokedAt = new(clock.At(noon))
	_, err := r.RevokeKey(r.Context(), k.ID, *want.Key.RevokedAt)
	r.ok(err)
	check()
}

func aKeyIsRevokedOnce(r *rig) {
	l, other := r.landlord("dana"), r.landlord("robin")
	first, second, foreign := r.key(l, l.live, 1), r.key(l, l.test, 1), r.key(other, other.live, 1)
	revoked := func() (all [3]clock.Time) {
		r.Helper()
		for i, k := range []developer.Key{first, second, foreign} {
			c, _, err := r.Caller(r.Context(), k.Hash)
			r.ok(err)
			if c.Key.RevokedAt != nil {
				all[i] = *c.Key.RevokedAt
			}
		}
		return all
	}
	for _, at := range []clock.Time{5, 6} {
		whose, err := r.RevokeKey(r.Context(), first.ID, at)
		r.ok(err)
		r.same(whose, l.account.ID)
	}
	whose, err := r.RevokeKey(r.Context(), "key_none", 5)
	r.ok(err)
	r.same(whose, "")
	r.same(revoked(), [3]clock.Time{5, 0, 0})
	r.ok(errors.Join(r.RevokeKeys(r.Context(), l.account.ID, 7), r.RevokeKeys(r.Context(), l.account.ID, 8)))
	r.same(revoked(), [3]clock.Time{5, 7, 0})
}
