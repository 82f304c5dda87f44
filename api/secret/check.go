package secret

import (
	"context"
	"errors"
	"fmt"
)

// CheckPurpose is what the check value is sealed for, and checkText what it holds.
const (
	CheckPurpose = "check"
	checkText    = "This is the key of this database."
)

// ErrForeignKey says that none of the keys is the one of this database.
var ErrForeignKey = errors.New("the secrets of this database were encrypted with another key")

// Sealed is a value that is stored sealed, with what it was sealed for.
type Sealed struct {
	Purpose string
	Bytes   []byte
}

// CheckStore keeps the check value of a database.
type CheckStore interface {
	// SecretCheck reads the check value, if there is one; a database from before there
	// were any has none.
	SecretCheck(ctx context.Context) (sealed []byte, found bool, err error)
	// AddSecretCheck writes the check value unless there is one.
	AddSecretCheck(ctx context.Context, sealed []byte) error
	// SealedSamples reads some values of each kind that is stored sealed.
	SealedSamples(ctx context.Context) ([]Sealed, error)
}

// Verify is ErrForeignKey where the check value does not open. Where there is none yet,
// one of the samples has to open; without any, every key is right.
func (b *Box) Verify(ctx context.Context, store CheckStore) error {
	sealed, found, err := store.SecretCheck(ctx)
	if err != nil {
		return fmt.Errorf("read the check value: %w", err)
	}
	if found {
		return b.opens([]Sealed{{CheckPurpose, sealed}})
	}
	samples, err := store.SealedSamples(ctx)
	if err != nil {
		return fmt.Errorf("read what is sealed: %w", err)
	}
	return b.opens(samples)
}

// opens is ErrForeignKey where there are values and none of them opens.
func (b *Box) opens(values []Sealed) error {
	for _, v := range values {
		if _, err := b.Open(v.Purpose, v.Bytes); err == nil {
			return nil
		}
	}
	if len(values) == 0 {
		return nil
	}
	return ErrForeignKey
}

// Establish gives a database its check value where it has none, if Verify finds the key
// right. Of nodes that start together with different keys one wins, and the others find
// theirs foreign.
func (b *Box) Establish(ctx context.Context, store CheckStore) error {
	if err := b.Verify(ctx, store); err != nil {
		return err
	}
	if err := store.AddSecretCheck(ctx, b.Seal(CheckPurpose, checkText)); err != nil {
		return fmt.Errorf("write the check value: %w", err)
	}
	return b.Verify(ctx, store)
}
