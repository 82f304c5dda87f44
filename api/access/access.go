// Package access tells which caller asks and what it may do: keys with scopes, members
// with roles, and the one portfolio that each of them sees.
//
// It is pure: it reads no store, no clock and no request.
package access

import (
	"context"
	"slices"
	"strings"
	"time"

	"portal/api/fault"
)

// Mode parts a demo portfolio from the real one.
type Mode string

// The modes of a key and of every record.
const (
	Test Mode = "test"
	Live Mode = "live"
)

// Values are all modes.
func (Mode) Values() []string { return []string{string(Test), string(Live)} }

// Role is what a member of an account is.
type Role string

// The roles of a member.
const (
	Owner   Role = "owner"
	Manager Role = "manager"
)

// SchemaName is the name of the OpenAPI component.
func (Role) SchemaName() string { return "MemberRole" }

// Values are all roles.
func (Role) Values() []string { return []string{string(Owner), string(Manager)} }

// Scope is a permission of a key. Each one holds those before it.
type Scope string

// The scopes (docs/site/authentication.md), the weakest first.
const (
	Read     Scope = "read"
	Write    Scope = "write"
	Payments Scope = "payments"
)

// Values are all scopes, the weakest first.
func (Scope) Values() []string { return []string{string(Read), string(Write), string(Payments)} }

// Scopes are a key's permissions, with all that they imply.
type Scopes []Scope

// ScopesOf reads names and adds what they imply: write holds read, payments
// holds write. No name at all is read.
func ScopesOf(names ...string) (Scopes, error) {
	rank := 0
	all := Read.Values()
	for _, name := range names {
		i := slices.Index(all, name)
		if i < 0 {
			return nil, fault.New(fault.InvalidField, "%q is not a scope; the scopes are %s.",
				name, strings.Join(all, ", ")).At("scopes")
		}
		rank = max(rank, i)
	}
	scopes := make(Scopes, 0, len(all))
	for _, name := range all[:rank+1] {
		scopes = append(scopes, Scope(name))
	}
	return scopes, nil
}

// Has reports whether a scope is among them.
func (s Scopes) Has(want Scope) bool { return slices.Contains(s, want) }

// String joins the scopes with commas, as they are stored.
func (s Scopes) String() string {
	names := make([]string, len(s))
	for i, scope := range s {
		names[i] = string(scope)
	}
	return strings.Join(names, ",")
}

// Portfolio is the one that an actor sees. Its number never leaves the service.
type Portfolio struct {
	ID   int64
	Mode Mode
	// Ahead is how many days the test clock of a demo portfolio is ahead of the real day. A live one has none: 0.
	Ahead int
}

// Actor is the user or key that asks, with everything a rule needs to decide.
type Actor struct {
	Portfolio Portfolio
	AccountID string
	KeyID     string
	TenantID  string // of the tenant who asks on their own page, "" for everybody else
	Scopes    Scopes
	Role      Role           // of the key's creator, "" when no longer a member
	Zone      *time.Location // decides what "today" is
	Units     *int           // the plan's ceiling of units, nil where none holds
}

// Need refuses an actor without a scope.
func (a Actor) Need(scope Scope) error {
	if a.Scopes.Has(scope) {
		return nil
	}
	return fault.New(
		fault.ScopeRequired,
		"This needs a key with the scope %s; this key has %s. Create a key with that scope in the dashboard.",
		scope,
		strings.ReplaceAll(a.Scopes.String(), ",", ", "),
	)
}

type contextKey struct{}

// With puts an actor into a context.
func With(ctx context.Context, a *Actor) context.Context {
	return context.WithValue(ctx, contextKey{}, a)
}

// From is the actor of a context; without one it is nobody, who may do nothing.
func From(ctx context.Context) Actor {
	if a, ok := ctx.Value(contextKey{}).(*Actor); ok {
		return *a
	}
	return Actor{}
}
