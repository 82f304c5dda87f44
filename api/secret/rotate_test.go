package secret

import (
	"bytes"
	"context"
	"errors"
	"testing"
)

// cells are sealed values in memory, two a portion.
type cells struct {
	values map[int]Sealed
	writes int
	broken int              // after so many writes; 0 never
	beside func(writes int) // what others do before a write
}

func (c *cells) SealedColumns() []string { return []string{"t.c"} }

func (c *cells) SealedValues(_ context.Context, _ string, after []any) (values []Value, err error) {
	from := 0
	if after != nil {
		from = after[0].(int) + 1
	}
	for i := from; i < len(c.values) && len(values) < 2; i++ {
		values = append(values, Value{[]any{i}, c.values[i]})
	}
	return values, nil
}

func (c *cells) ReplaceSealed(_ context.Context, _ string, values []Replacement) (n int, err error) {
	c.writes++
	if c.writes == c.broken {
		return 0, errors.New("killed")
	}
	if c.beside != nil {
		c.beside(c.writes)
	}
	for _, v := range values {
		at := v.Row[0].(int)
		if bytes.Equal(c.values[at].Bytes, v.Bytes) {
			c.values[at] = Sealed{v.Purpose, v.Anew}
			n++
		}
	}
	return n, nil
}

func rotating(t *testing.T) (old, both, fresh *Box, c *cells) {
	t.Helper()
	old, fresh = box(t, 1), box(t, 2)
	both, err := NewBox(bytes.Repeat([]byte{2}, KeySize), bytes.Repeat([]byte{1}, KeySize))
	if err != nil {
		t.Fatal(err)
	}
	c = &cells{values: map[int]Sealed{}}
	for i := range 9 {
		c.values[i] = Sealed{"p", old.Seal("p", "text")}
	}
	return old, both, fresh, c
}

func (c *cells) allOpen(t *testing.T, with *Box) {
	t.Helper()
	for i, v := range c.values {
		if got, err := with.Open(v.Purpose, v.Bytes); err != nil || got != "text" {
			t.Errorf("value %d opens as %q: %v", i, got, err)
		}
	}
}

func TestInterruptedRotationResumes(t *testing.T) {
	t.Parallel()
	_, both, fresh, c := rotating(t)
	c.broken = 3
	if _, err := both.Rotate(t.Context(), c); err == nil {
		t.Fatal("it was not interrupted")
	}
	all, err := both.Rotate(t.Context(), c)
	if err != nil || all[0] != (Rotated{"t.c", 9, 5, 0}) {
		t.Errorf("%+v, %v", all, err)
	}
	c.allOpen(t, fresh)
	if again, err := both.Rotate(t.Context(), c); err != nil || again[0] != (Rotated{"t.c", 9, 0, 0}) {
		t.Errorf("the second time: %+v, %v", again, err)
	}
}

func TestRotationCoversConcurrentWrites(t *testing.T) {
	t.Parallel()
	old, both, fresh, c := rotating(t)
	c.beside = func(writes int) {
		if writes < 4 {
			c.values[0] = Sealed{"p", old.Seal("p", "text")} // behind it
			c.values[len(c.values)] = Sealed{"p", both.Seal("p", "text")}
		}
	}
	if _, err := both.Rotate(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	c.allOpen(t, fresh)
	_, both, _, c = rotating(t)
	c.beside = func(int) { c.values[0] = Sealed{"p", old.Seal("p", "text")} }
	if _, err := both.Rotate(t.Context(), c); !errors.Is(err, ErrStillSealed) {
		t.Errorf("a server that has not the new key first: %v", err)
	}
}

func TestRotationSkipsUndecryptableValues(t *testing.T) {
	t.Parallel()
	_, both, _, c := rotating(t)
	lost := Sealed{"p", box(t, 3).Seal("p", "text")}
	c.values[4] = lost
	all, err := both.Rotate(t.Context(), c)
	if err != nil || all[0] != (Rotated{"t.c", 9, 8, 1}) || !bytes.Equal(c.values[4].Bytes, lost.Bytes) {
		t.Errorf("%+v, %v", all, err)
	}
}
