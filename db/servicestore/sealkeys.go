package servicestore

import (
	"cmp"
	"context"

	"portal/api/agreement/sealing"
	"portal/api/fault"
	"portal/db"
	"portal/db/mailstore"
)

// SealKeys keeps the keys that executed leases are sealed with, where the service made them.
type SealKeys struct{ db *db.DB }

// NewSealKeys is the store over a database.
func NewSealKeys(d *db.DB) SealKeys { return SealKeys{d} }

// People knows the staff.
type People struct{ db *db.DB }

// ForSealNotices is what the notices of a certificate's end need of a database.
func ForSealNotices(d *db.DB) sealing.NoticeStore {
	return struct {
		People
		mailstore.Store
	}{People{d}, mailstore.New(d)}
}

// LatestKey reads the key with the highest id, or fault.NotFound.
func (s SealKeys) LatestKey(ctx context.Context) (k sealing.StoredKey, err error) {
	found, err := s.db.One(ctx, `SELECT id, created_at, certificate, private_key
		FROM seal_keys
		ORDER BY id DESC
		LIMIT 1`, nil, &k.ID, &k.CreatedAt, &k.Certificate, &k.PrivateKey)
	if err != nil || !found {
		return sealing.StoredKey{}, cmp.Or(err, error(fault.NotFound("key of the seal")))
	}
	return k, nil
}

// AddKey adds a key, unless another one has its id. It waits for a transaction that adds that one.
func (s SealKeys) AddKey(ctx context.Context, k *sealing.StoredKey) error {
	_, err := s.db.Exec(ctx, `INSERT INTO seal_keys (id, created_at, certificate, private_key)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT (id) DO NOTHING`, k.ID, int64(k.CreatedAt), k.Certificate, k.PrivateKey)
	return err
}

// Staff are all people of the staff, in the order of their ids.
func (s People) Staff(ctx context.Context) (all []sealing.Person, err error) {
	err = s.db.Each(ctx, `SELECT id, email
		FROM users
		WHERE role = 'staff'
		ORDER BY id`, nil, func(scan db.Scan) error {
		var p sealing.Person
		err := scan(&p.ID, &p.Email)
		all = append(all, p)
		return err
	})
	return all, err
}
