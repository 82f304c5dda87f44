package secret

import (
	"context"
	"errors"
	"fmt"
)

// mostPasses bounds how often all values are looked through: values that a server writes
// meanwhile are found by the next pass.
const mostPasses = 5

// ErrStillSealed says that values with an earlier key keep appearing.
var ErrStillSealed = errors.New(
	"a running server still encrypts with another key: put the new key first on every node, restart them and " +
		"rotate again",
)

// Value is a sealed value of a column, and the key of its row.
type Value struct {
	Row []any
	Sealed
}

// Replacement is a value with the bytes that take the place of its own.
type Replacement struct {
	Value
	Anew []byte
}

// RotateStore reads and replaces what is stored sealed.
type RotateStore interface {
	// SealedColumns are the names of all columns that hold sealed values.
	SealedColumns() []string
	// SealedValues reads a bounded number of values of a column, in the order of their
	// rows, behind a row; nil is before the first.
	SealedValues(ctx context.Context, column string, after []any) ([]Value, error)
	// ReplaceSealed replaces values in one transaction, but for those that have changed
	// since they were read, and tells how many it has replaced.
	ReplaceSealed(ctx context.Context, column string, values []Replacement) (int, error)
}

// Rotated is what a rotation found in a column and did there.
type Rotated struct {
	Column     string `json:"column"`
	Values     int    `json:"values"`     // that are stored sealed
	Encrypted  int    `json:"encrypted"`  // anew
	Unreadable int    `json:"unreadable"` // that none of the keys opens; they stay as they are
}

// Rotate encrypts all values anew that the first key has not sealed. Each portion of them
// is one transaction, and what is done is recognized, so that a rotation that was
// interrupted goes on where it was when it is begun again. It works beside servers that
// have the same keys.
func (b *Box) Rotate(ctx context.Context, store RotateStore) ([]Rotated, error) {
	all := make([]Rotated, len(store.SealedColumns()))
	for range mostPasses {
		found := 0
		for i, column := range store.SealedColumns() {
			r, old, err := b.rotate(ctx, store, column)
			if err != nil {
				return nil, fmt.Errorf("rotate %s: %w", column, err)
			}
			r.Encrypted += all[i].Encrypted
			all[i], found = r, found+old
		}
		if found == 0 {
			return all, nil
		}
	}
	return all, ErrStillSealed
}

// rotate looks through a column once. old is how many values an earlier key had sealed;
// one that somebody else changed meanwhile is for the next pass.
func (b *Box) rotate(ctx context.Context, store RotateStore, column string) (r Rotated, old int, err error) {
	r.Column = column
	var after []any
	for {
		values, err := store.SealedValues(ctx, column, after)
		if err != nil || len(values) == 0 {
			return r, old, err
		}
		after = values[len(values)-1].Row
		var anew []Replacement
		for _, v := range values {
			r.Values++
			sealed, changed, err := b.Reseal(v.Purpose, v.Bytes)
			switch {
			case err != nil:
				r.Unreadable++
			case changed:
				anew = append(anew, Replacement{v, sealed})
			}
		}
		if len(anew) == 0 {
			continue
		}
		n, err := store.ReplaceSealed(ctx, column, anew)
		if err != nil {
			return r, old, err
		}
		r.Encrypted, old = r.Encrypted+n, old+len(anew)
	}
}
