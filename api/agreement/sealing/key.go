// Package sealing keeps the key with which executed leases are sealed: the one that the configuration
// names, or one that the service makes and stores for all of its nodes. It tells the staff before the
// certificate ends.
//
// It knows no SQL and no files, and nothing of what is sealed.
package sealing

import (
	"context"
	"crypto"
	"crypto/x509"
	"errors"
	"fmt"
	"time"

	"portal/api/agreement/document/seal"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/secret"
)

// KeyPurpose is what keys are encrypted for.
const KeyPurpose = "key of the seal"

// ahead is how long before the end of a certificate it is replaced, or the staff is told.
const ahead = 30 * 24 * time.Hour

// Key seals executed leases.
type Key struct {
	*seal.Sealer
	selfMade bool
}

// SelfMade reports whether the service has made the key itself, so that nobody vouches for its name.
func (k *Key) SelfMade() bool { return k.selfMade }

// StoredKey is a key that the service has made itself.
type StoredKey struct {
	ID          int64 // from 1; the highest one is used
	CreatedAt   clock.Time
	Certificate []byte // X.509, DER
	PrivateKey  []byte // PKCS #8, DER, encrypted
}

// Store keeps the keys that the service has made itself. None is ever changed or deleted.
type Store interface {
	// LatestKey reads the key with the highest id, or fault.NotFound.
	LatestKey(ctx context.Context) (StoredKey, error)
	// AddKey adds a key, unless another one has its id.
	AddKey(ctx context.Context, k *StoredKey) error
}

// Config is what a key is opened with.
type Config struct {
	Store      Store
	Box        *secret.Box
	Now        clock.Clock
	Configured *seal.Sealer // nil: the service makes its own
	Name       string       // of a certificate that is made
}

// Open is the configured key, or else the latest one that the service has made. Where there is none, or its
// certificate ends within 30 days, one is made; of nodes that open at once all get the same.
func Open(ctx context.Context, c Config) (*Key, error) {
	if c.Configured != nil {
		return &Key{Sealer: c.Configured}, nil
	}
	k, latest, err := c.latest(ctx)
	if err != nil || k != nil && k.Expires().Sub(c.Now()) > ahead {
		return k, err
	}
	if err := c.add(ctx, latest+1); err != nil {
		return nil, fmt.Errorf("make a key of the seal: %w", err)
	}
	k, _, err = c.latest(ctx)
	if err == nil && k == nil {
		err = errors.New("the key of the seal is not there after it was added")
	}
	return k, err
}

// latest reads the latest key, with its id; nil and 0 where there is none.
func (c *Config) latest(ctx context.Context) (*Key, int64, error) {
	stored, err := c.Store.LatestKey(ctx)
	if fault.Is(err, fault.NoRecord) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("read the key of the seal: %w", err)
	}
	k, err := c.open(&stored)
	if err != nil {
		return nil, 0, fmt.Errorf("open the key of the seal %d: %w", stored.ID, err)
	}
	return k, stored.ID, nil
}

// open decrypts a key.
func (c *Config) open(stored *StoredKey) (*Key, error) {
	der, err := c.Box.Open(KeyPurpose, stored.PrivateKey)
	if err != nil {
		return nil, fmt.Errorf("%w; add the key that it was encrypted with to PORTAL_SECRET_KEY, "+
			"or set PORTAL_SEAL_CERT and PORTAL_SEAL_KEY", err)
	}
	private, err := x509.ParsePKCS8PrivateKey([]byte(der))
	if err != nil {
		return nil, err
	}
	signer, is := private.(crypto.Signer)
	if !is {
		return nil, fmt.Errorf("a %T does not sign", private)
	}
	certificate, err := x509.ParseCertificate(stored.Certificate)
	if err != nil {
		return nil, err
	}
	sealer, err := seal.New(signer, certificate)
	return &Key{Sealer: sealer, selfMade: true}, err
}

// add makes a key and stores it, unless another node was first.
func (c *Config) add(ctx context.Context, id int64) error {
	now := c.Now()
	private, certificate, err := seal.SelfMade(c.Name, now)
	if err != nil {
		return err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return err
	}
	return c.Store.AddKey(ctx, &StoredKey{
		ID:          id,
		CreatedAt:   clock.At(now),
		Certificate: certificate.Raw,
		PrivateKey:  c.Box.Seal(KeyPurpose, string(der)),
	})
}
