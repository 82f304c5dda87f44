package dbtest

import (
	"crypto/sha256"
	"math/rand/v2"

	"portal/api/access"
	"portal/api/developer"
	"portal/api/id"
)

// Key adds a key of a landlord.
func (r *Fixture) Key(l Landlord, in access.Portfolio, nulls float64, scopes ...string) developer.Key {
	r.Helper()
	var k developer.Key
	(&Filler{rand.New(rand.NewPCG(12, rand.Uint64())), nulls}).Fill(&k)
	k.ID, k.Mode, k.Plaintext, k.RevokedAt, k.LastUsedAt, k.Creator = id.New(id.Key, Now), in.Mode, nil, nil, nil, ""
	hash := sha256.Sum256([]byte(k.ID))
	k.Hash = hash[:]
	var err error
	k.Scopes, err = access.ScopesOf(scopes...)
	r.OK(err)
	r.OK(r.Developer.AddKey(r.Context(), l.Account.ID, l.ID, in, k))
	return k
}
