// Package amendment changes leases that are active as all their parties agree: a new rent from a day, other people or
// pets in the home, or a clause. The landlord signs first, and every tenant and guarantor after that, each by their
// typed name. What they sign is kept with the lease as a sealed PDF, and changes the record on its day. Nothing is sent
// by itself.
//
// It knows no HTTP and no SQL.
package amendment

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"portal/api/agreement"
	"portal/api/agreement/document/pdf"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease"
	"portal/api/portfolio/lease/terms"
	"portal/api/texts"
)

// Status is how far an amendment is.
type Status string

// The statuses of an amendment. The first three are open: a lease has one such amendment at most.
const (
	Draft     Status = "draft"
	Sent      Status = "sent"      // the landlord has signed it, and the parties are to
	Signed    Status = "signed"    // by all, for a day to come
	InEffect  Status = "in_effect" // the record of the lease has changed
	Declined  Status = "declined"  // by a party
	Withdrawn Status = "withdrawn" // by the landlord, before all had signed
	Void      Status = "void"      // the lease ended, or became another one, before the day
)

// SchemaName is the name of the schema.
func (Status) SchemaName() string { return "LeaseAmendmentStatus" }

// Values are all statuses.
func (Status) Values() []string {
	return []string{
		string(
			Draft,
		),
		string(Sent),
		string(Signed),
		string(InEffect),
		string(Declined),
		string(Withdrawn),
		string(Void),
	}
}

// OpenStatuses are those of amendments that may still change their lease.
func OpenStatuses() []Status { return []Status{Draft, Sent, Signed} }

// Open reports whether an amendment may still change its lease.
func (s Status) Open() bool { return slices.Contains(OpenStatuses(), s) }

// Amendment is a change of an active lease.
type Amendment struct {
	portfolio.Record `object:"lease_amendment" prefix:"amd"`
	// The lease that it changes.
	LeaseID string `json:"lease_id"`
	// The user who made it; null where that is not known.
	CreatedBy *string `json:"created_by"`
	// How far it is.
	Status Status `json:"status"`
	// The first day on which it holds.
	EffectiveOn clock.Date `json:"effective_on"`
	// What it changes.
	Changes *Changes `json:"changes"`
	// What the parties sign. That of a draft is as it would be sent now; null where a draft cannot be sent.
	Content *Content `json:"content"`
	// Who has signed it, the landlord first.
	Signatures []Signature `json:"signatures"`
	// Why it was declined, withdrawn or void; null for another status, and where nobody has said so.
	Reason *string `json:"reason"`
	// When the landlord signed it.
	SentAt *clock.Time `json:"sent_at"`
	// When the last party signed it.
	SignedAt *clock.Time `json:"signed_at"`
	// When it changed the lease, or was declined, withdrawn or void.
	ClosedAt *clock.Time `json:"closed_at"`
	// SHA-256 of the signed document, in hex; null until all have signed.
	DocumentSHA256 *string `json:"document_sha256"`
}

// Changes are what an amendment changes: one of them at least.
type Changes struct {
	// The new monthly rent, in dollars; null where it stays.
	MonthlyRent *money.Cents `json:"monthly_rent"`
	// Names of people who live in the home from then on, too.
	Occupants []string `json:"occupants"`
	// Animals that may live in the home from then on, too.
	Pets []terms.Pet `json:"pets"`
	// What else is agreed on; null for nothing.
	Clause *string `json:"clause"`
}

// Content is what the parties sign, as the records had it when the amendment was sent.
type Content struct {
	Landlord    string      `json:"landlord"`
	Address     string      `json:"address"` // of the landlord
	Signer      string      `json:"signer"`
	Title       string      `json:"title,omitempty"` // of the signer
	Home        string      `json:"home"`
	StartDate   clock.Date  `json:"start_date"` // of the lease
	EndDate     *clock.Date `json:"end_date"`
	Parties     []Party     `json:"parties"`
	EffectiveOn clock.Date  `json:"effective_on"`
	Before      Values      `json:"before"`
	After       Values      `json:"after"`
	Clause      string      `json:"clause,omitempty"`
}

// Party is a tenant or guarantor of the lease.
type Party struct {
	TenantID string              `json:"tenant_id"`
	Role     portfolio.PartyRole `json:"role"`
	Name     string              `json:"name"` // as it is typed to sign
}

// Values are what an amendment can change of the record of a lease.
type Values struct {
	MonthlyRent money.Cents `json:"monthly_rent"`
	Occupants   []string    `json:"occupants"`
	Pets        []terms.Pet `json:"pets"`
}

// Signature is that of the landlord or of a party.
type Signature struct {
	// The party who signed; null for the landlord.
	TenantID *string `json:"tenant_id"`
	// The member of the account who signed, "" for a party.
	UserID string `json:"user_id,omitempty"`
	// The name as it was typed.
	Name string `json:"name"`
	// When it was.
	SignedAt clock.Time `json:"signed_at"`
	// Where the request came from, and with which browser; "" where neither is known.
	Address string `json:"address"`
	Browser string `json:"browser"`
	// SHA-256 of the content that was signed, in hex: see Amendment.SHA256.
	SHA256 string `json:"sha256"`
}

// SHA256 is that of what is signed, in hex: of the content as JSON, with the ids of the amendment and its lease. It is
// "" for a draft that cannot be sent.
func (a *Amendment) SHA256() string {
	if a.Content == nil {
		return ""
	}
	text, err := json.Marshal(struct {
		ID      string   `json:"id"`
		LeaseID string   `json:"lease_id"`
		Content *Content `json:"content"`
	}{a.ID, a.LeaseID, a.Content})
	if err != nil {
		panic(err) // it holds nothing that JSON cannot
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// SignatureOf is the signature of a party, or of the landlord for "", nil where there is none.
func (a *Amendment) SignatureOf(tenantID string) *Signature {
	for i := range a.Signatures {
		if s := &a.Signatures[i]; s.TenantID == nil && tenantID == "" || s.TenantID != nil && *s.TenantID == tenantID {
			return s
		}
	}
	return nil
}

// Awaited are the parties of an amendment that was sent who have not signed it, in the order of the lease.
func (a *Amendment) Awaited() (all []Party) {
	if a.Status != Sent {
		return nil
	}
	for _, p := range a.Content.Parties {
		if a.SignatureOf(p.TenantID) == nil {
			all = append(all, p)
		}
	}
	return all
}

// party is the party with an id, nil where there is none.
func (c *Content) party(tenantID string) *Party {
	i := slices.IndexFunc(c.Parties, func(p Party) bool { return p.TenantID == tenantID })
	if i < 0 {
		return nil
	}
	return &c.Parties[i]
}

// Input is what an amendment is made of.
type Input struct {
	// The first day on which it holds, today or later; with a new rent, the first day of a month.
	EffectiveOn clock.Date `json:"effective_on"`
	// New monthly rent, in dollars.
	MonthlyRent *money.Cents `json:"monthly_rent" min:"1"`
	// Names of people who are to live in the home, too.
	Occupants []string `json:"occupants" maxlen:"10" itemminlen:"1" itemmaxlen:"127"`
	// Animals that may live in the home, too.
	Pets []terms.Pet `json:"pets" maxlen:"5"`
	// What else is agreed on.
	Clause *string `json:"clause" format:"text" minlen:"1" maxlen:"5000"`
}

// SchemaName is the name of the schema.
func (Input) SchemaName() string { return "LeaseAmendmentInput" }

// changes are what an input changes.
func (in *Input) changes() *Changes {
	c := &Changes{MonthlyRent: in.MonthlyRent, Occupants: []string{}, Pets: append([]terms.Pet{}, in.Pets...)}
	for _, name := range in.Occupants {
		c.Occupants = append(c.Occupants, strings.Join(strings.Fields(name), " "))
	}
	if in.Clause != nil && strings.TrimSpace(*in.Clause) != "" {
		c.Clause = new(strings.TrimSpace(*in.Clause))
	}
	return c
}

// Check finds what no tag says.
func (in Input) Check(today clock.Date) (all []fault.Detail) {
	add := func(field, words string) { all = append(all, fault.Wrong(field, words)) }
	c := in.changes()
	switch {
	case c.MonthlyRent == nil && len(c.Occupants) == 0 && len(c.Pets) == 0 && c.Clause == nil:
		add("monthly_rent", "must be given, or occupants, pets or a clause: an amendment changes something.")
	case c.MonthlyRent != nil && in.EffectiveOn != in.EffectiveOn.FirstOfMonth():
		add("effective_on", "must be the first day of a month for a new rent, as rent is charged by the month.")
	}
	if in.EffectiveOn < today {
		add("effective_on", "must be today or later.")
	}
	said := map[string]string{"occupants": strings.Join(c.Occupants, ""), "pets": ""}
	for i := range c.Pets {
		said["pets"] += c.Pets[i].String()
	}
	if c.Clause != nil {
		said["clause"] = *c.Clause
	}
	for _, field := range []string{"occupants", "pets", "clause"} {
		if runes := pdf.Missing(strings.ReplaceAll(said[field], "\n", " ")); len(runes) > 0 {
			add(field, agreement.CannotShow(runes))
		}
	}
	for _, name := range c.Occupants {
		if name == "" || texts.Unreadable(name, false) {
			add("occupants", "must be names.")
		}
	}
	return all
}

// values are what the record of a lease has of what an amendment can change.
func values(l *portfolio.Lease) Values {
	return Values{
		MonthlyRent: l.MonthlyRent,
		Occupants:   append([]string{}, l.Terms.Occupants...),
		Pets:        append([]terms.Pet{}, l.Terms.Pets...),
	}
}

// onto are the values once something has changed.
func (c *Changes) onto(v Values) Values {
	if c.MonthlyRent != nil {
		v.MonthlyRent = *c.MonthlyRent
	}
	v.Occupants = append(slices.Clip(v.Occupants), c.Occupants...)
	v.Pets = append(slices.Clip(v.Pets), c.Pets...)
	return v
}

// agreed is what the rules of leases are told to change.
func (a *Amendment) agreed(after Values) lease.Agreed {
	return lease.Agreed{
		From:        a.EffectiveOn,
		MonthlyRent: after.MonthlyRent,
		Occupants:   after.Occupants,
		Pets:        after.Pets,
	}
}

// How much a lease names at most, as its update has it.
const mostOccupants, mostPets = 10, 5

// refused is why an amendment cannot be made of what it changes of a lease.
func (a *Amendment) refused(l *portfolio.Lease, today clock.Date) error {
	after := a.Changes.onto(values(l))
	switch last := lastDay(l); {
	case l.Status != portfolio.LeaseActive:
		return fault.New(fault.InvalidTransition, "Only a lease that is active can be amended, and this one is %s.",
			strings.ReplaceAll(string(l.Status), "_", " "))
	case len(l.Terms.CoOwners) > 0:
		return fault.New(fault.InvalidTransition,
			"This lease has co-owners, who sign changes on paper. Agree with them and the tenants on paper.")
	case a.EffectiveOn < max(today, l.StartDate):
		return fault.New(fault.InvalidField, "The day must be today or later.").At("effective_on")
	case last != nil && a.EffectiveOn > *last:
		return fault.New(fault.InvalidField, "The day must be within the lease, which ends on %s.", *last).
			At("effective_on")
	case a.Changes.MonthlyRent != nil && *a.Changes.MonthlyRent == l.MonthlyRent:
		return fault.New(fault.InvalidField, "The rent is %s already.", l.MonthlyRent.Dollars()).At("monthly_rent")
	case len(after.Occupants) > mostOccupants:
		return fault.New(fault.InvalidField, "A lease names at most %d occupants.", mostOccupants).At("occupants")
	case len(after.Pets) > mostPets:
		return fault.New(fault.InvalidField, "A lease names at most %d pets.", mostPets).At("pets")
	}
	return nil
}

// lastDay is the last day of a lease, nil for one that may go on: one that rolls over goes on by the month.
func lastDay(l *portfolio.Lease) *clock.Date {
	if l.LeaseType == portfolio.FixedWithRollover && l.TerminatedOn == nil {
		return nil
	}
	return l.LastDay()
}

// contradiction is what of a lease is not any more as the parties have it before them, "" for nothing. Such an
// amendment is void: nobody has agreed to change what the lease is now.
func (c *Content) contradiction(l *portfolio.Lease) string {
	same := slices.EqualFunc(c.Parties, l.Tenants, func(a Party, b portfolio.Party) bool {
		return a.TenantID == b.ID && a.Role == b.Role
	})
	is := values(l)
	switch last := lastDay(l); {
	case l.Status != portfolio.LeaseActive:
		return fmt.Sprintf("The lease is %s.", strings.ReplaceAll(string(l.Status), "_", " "))
	case last != nil && c.EffectiveOn > *last:
		return fmt.Sprintf("The lease now ends before, on %s.", *last)
	case is.MonthlyRent != c.Before.MonthlyRent:
		return fmt.Sprintf("The rent of the lease is now %s.", is.MonthlyRent.Words())
	case !same, len(l.Terms.CoOwners) > 0:
		return "The lease now has other parties."
	case !slices.Equal(is.Occupants, c.Before.Occupants):
		return "The lease now names other occupants."
	case len(is.Pets)+len(c.Before.Pets) > 0 && !reflect.DeepEqual(is.Pets, c.Before.Pets):
		return "The lease now names other pets."
	}
	return ""
}

// noun is an amendment in a sentence.
const noun = "lease amendment"
