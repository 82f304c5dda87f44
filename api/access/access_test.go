package access

import (
	"context"
	"slices"
	"testing"

	"portal/api/fault"
)

func TestScopeIncludesLowerScopes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, "read"},
		{[]string{"read"}, "read"},
		{[]string{"write"}, "read,write"},
		{[]string{"payments"}, "read,write,payments"},
		{[]string{"payments", "read"}, "read,write,payments"},
		{[]string{"write", "write", "read"}, "read,write"},
	} {
		got, err := ScopesOf(c.names...)
		if err != nil || got.String() != c.want {
			t.Errorf("%q are %s, want %s: %v", c.names, got, c.want, err)
		}
	}
}

func TestInvalidScopesAreRefused(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{{""}, {"Read"}, {"read", "admin"}, {"read,write"}, {" read"}} {
		got, err := ScopesOf(names...)
		if got != nil || !fault.Is(err, fault.InvalidField) || fault.From(err).Param != "scopes" {
			t.Errorf("%q are %s: %v", names, got, err)
		}
	}
}

func TestActorCanDoWhatItsScopesAllow(t *testing.T) {
	t.Parallel()
	for _, name := range Read.Values() {
		scopes, err := ScopesOf(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range Read.Values() {
			may := slices.Index(Read.Values(), want) <= slices.Index(Read.Values(), name)
			if err := (Actor{
				Scopes: scopes,
			}).Need(Scope(want)); (err == nil) != may || err != nil && !fault.Is(err, fault.ScopeRequired) {
				t.Errorf("a key with %s needs %s: %v", name, want, err)
			}
		}
	}
}

func TestAnonymousActorHasNoAccess(t *testing.T) {
	t.Parallel()
	nobody := From(context.Background())
	if err := nobody.Need(Read); !fault.Is(err, fault.ScopeRequired) {
		t.Errorf("nobody may read: %v", err)
	}
	if nobody.Portfolio.ID != 0 {
		t.Error("nobody has a portfolio")
	}
	ctx := With(context.Background(), &Actor{KeyID: "key_1"})
	if From(ctx).KeyID != "key_1" ||
		From(context.WithValue(ctx, "k", 1)).KeyID != "key_1" { //nolint:revive,staticcheck // any key will do
		t.Error("the actor is lost")
	}
}
