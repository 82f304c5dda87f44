// Package terms holds what the parties of a lease agree on beside its dates, rent and deposit:
// fees, occupants, pets, vehicles, utilities, clauses, and what the landlord answers about disclosures and lead paint.
//
// It knows nothing of the law: package law holds the terms against it.
package terms

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"portal/api/clock"
	"portal/api/money"
)

// Terms are the terms of a lease that its document says and that lists do not show.
type Terms struct {
	// What the document is: standard or own; null for a lease that was not generated here.
	Document *Document `json:"document" example:"standard"`
	// Whether the late fee is owed once for each late payment, or for each day.
	LateFeeFrequency Frequency `json:"late_fee_frequency" example:"once"`
	// Fee in dollars for a payment that the bank returns; null for none.
	ReturnedPaymentFee *money.Cents `json:"returned_payment_fee"`
	// Names of people who live in the home and do not sign.
	Occupants []string `json:"occupants" by:"tenant"`
	// Others who own the home and sign as landlords, before the landlord.
	CoOwners []CoOwner `json:"co_owners"`
	// Animals that may live in the home.
	Pets []Pet `json:"pets"`
	// Vehicles of the tenants.
	Vehicles []Vehicle `json:"vehicles"`
	// Who pays for which utility.
	Utilities []Utility `json:"utilities"`
	// The landlord's own words about some subjects.
	Clauses Clauses `json:"clauses"`
	// Charges in addition to rent and deposit.
	Fees    []Fee    `json:"fees"`
	Answers []Answer `json:"-"`
	// What is stated about lead-based paint; null for nothing yet.
	LeadPaint *LeadPaint `json:"lead_paint"`
	// HeldDeposit is the deposit of the lease that this one renews, which the landlord holds already, 0 for none; nil
	// for a lease that renews none, and where an earlier release has not noted it.
	HeldDeposit *money.Cents `json:"-"`
	// TenantsAgreedOn is when the tenants agreed on paper to end the lease before it starts, nil where they did not.
	TenantsAgreedOn *clock.Date `json:"-"`
	// Template is what the lease was generated with, nil where it was generated without.
	Template *Template `json:"-"`
}

// Document is where the text of a lease comes from.
type Document string

// The documents of a lease.
const (
	Standard Document = "standard" // composed from its terms and the rules of the state
	Own      Document = "own"      // a PDF of the landlord's behind a first page
)

// SchemaName is the name of the OpenAPI component.
func (Document) SchemaName() string { return "LeaseDocument" }

// Values are all documents.
func (Document) Values() []string { return []string{string(Standard), string(Own)} }

// Own reports whether the text of the lease is a PDF of the landlord's.
func (t *Terms) Own() bool { return t.Document != nil && *t.Document == Own }

// Template is a version of a template of leases.
type Template struct {
	ID      string `json:"id"`
	Version int64  `json:"version"`
}

// Frequency is how often a late fee is owed.
type Frequency string

// The frequencies of a late fee.
const (
	Once  Frequency = "once"
	Daily Frequency = "daily"
)

// SchemaName is the name of the OpenAPI component.
func (Frequency) SchemaName() string { return "LateFeeFrequency" }

// Values are all frequencies.
func (Frequency) Values() []string { return []string{"once", "daily"} }

// FeeFrequency is how often a fee is owed.
type FeeFrequency string

// The frequencies of a fee.
const (
	OneTime FeeFrequency = "once"
	Monthly FeeFrequency = "monthly"
)

// SchemaName is the name of the OpenAPI component.
func (FeeFrequency) SchemaName() string { return "LeaseFeeFrequency" }

// Values are all frequencies.
func (FeeFrequency) Values() []string { return []string{"once", "monthly"} }

// Fee is a charge that the lease names beside rent and deposit. One that is owed once is due before
// the tenants move in.
type Fee struct {
	// What the fee is for, as the tenant reads it.
	Name string `json:"name" minlen:"1" maxlen:"60" example:"Parking"`
	// Amount in dollars, more than 0.
	Amount money.Cents `json:"amount" min:"1" example:"50.00"`
	// Whether it is owed once, before moving in, or each month with the rent.
	Frequency FeeFrequency `json:"frequency" example:"monthly"`
	// Whether the tenant gets it back.
	Refundable bool `json:"refundable" default:"false"`
}

// SchemaName is the name of the OpenAPI component.
func (Fee) SchemaName() string { return "LeaseFee" }

// Clauses are what a landlord writes about some subjects, in place of the document's own words; nil leaves those.
type Clauses struct {
	// About pets.
	Pets *string `json:"pets" format:"text" maxlen:"2000" example:"One cat is allowed."`
	// About smoking.
	Smoking *string `json:"smoking" format:"text" maxlen:"2000"`
	// About parking.
	Parking *string `json:"parking" format:"text" maxlen:"2000"`
	// About utilities.
	Utilities *string `json:"utilities" format:"text" maxlen:"2000"`
}

// SchemaName is the name of the OpenAPI component.
func (Clauses) SchemaName() string { return "LeaseClauses" }

// Answer is what the landlord says about a disclosure of the state.
type Answer struct {
	// Code of the disclosure, as GET /lease_rules/{state} has it.
	Code string `json:"code" minlen:"1" maxlen:"60" example:"mold"`
	// Whether it applies to the home; false only for a conditional one.
	Applies bool `json:"applies"`
	// What the tenants are told, where it applies.
	Text *string `json:"text" format:"text" maxlen:"1000"`
}

// SchemaName is the name of the OpenAPI component.
func (Answer) SchemaName() string { return "LeaseDisclosureAnswer" }

// CoOwner is who owns the home with the landlord, and signs as a landlord.
type CoOwner struct {
	// Full name.
	Name string `json:"name" minlen:"1" maxlen:"127" example:"Jordan Ellis"`
	// Where the link to sign goes.
	Email string `json:"email" format:"email" maxlen:"254" example:"jordan.ellis@example.com"`
	// Title in the signature.
	Title *string `json:"title" maxlen:"60" example:"Owner"`
}

// SchemaName is the name of the OpenAPI component.
func (CoOwner) SchemaName() string { return "LeaseCoOwner" }

// CoOwnerNames are the names of the co-owners.
func (t *Terms) CoOwnerNames() []string {
	return words(t.CoOwners, func(o *CoOwner) string { return o.Name })
}

// Pet is an animal that may live in the home.
type Pet struct {
	// The kind of animal.
	Kind string `json:"kind" minlen:"1" maxlen:"40" example:"Cat"`
	// Its name.
	Name *string `json:"name" maxlen:"60" example:"Miso"`
	// Weight in pounds.
	WeightPounds *int `json:"weight_pounds" min:"1" max:"2000" example:"9"`
}

// SchemaName is the name of the OpenAPI component.
func (Pet) SchemaName() string { return "LeasePet" }

// String is the pet in words: Cat Miso (9 lb).
func (p *Pet) String() string {
	text := p.Kind
	if p.Name != nil {
		text += " " + *p.Name
	}
	if p.WeightPounds != nil {
		text += fmt.Sprintf(" (%d lb)", *p.WeightPounds)
	}
	return text
}

// Vehicle is a vehicle of the tenants.
type Vehicle struct {
	// Who made it.
	Make string `json:"make" minlen:"1" maxlen:"40" example:"Toyota"`
	// The model.
	Model *string `json:"model" maxlen:"40" example:"Corolla"`
	// Its license plate.
	Plate *string `json:"plate" maxlen:"20" example:"TX ABC 1234"`
}

// SchemaName is the name of the OpenAPI component.
func (Vehicle) SchemaName() string { return "LeaseVehicle" }

// String is the vehicle in words: Toyota Corolla (TX ABC 1234).
func (v *Vehicle) String() string {
	text := v.Make
	if v.Model != nil {
		text += " " + *v.Model
	}
	if v.Plate != nil {
		text += " (" + *v.Plate + ")"
	}
	return text
}

// Utility is a service of the home, and who pays for it.
type Utility struct {
	// What it is.
	Name string `json:"name" minlen:"1" maxlen:"40" example:"Water"`
	// Who pays for it.
	PaidBy Payer `json:"paid_by" example:"landlord"`
}

// SchemaName is the name of the OpenAPI component.
func (Utility) SchemaName() string { return "LeaseUtility" }

// Payer is who pays for a utility.
type Payer string

// The payers of a utility.
const (
	Landlord Payer = "landlord"
	Tenant   Payer = "tenant"
)

// SchemaName is the name of the OpenAPI component.
func (Payer) SchemaName() string { return "UtilityPayer" }

// Values are all payers.
func (Payer) Values() []string { return []string{string(Landlord), string(Tenant)} }

// PaidBy are the names of the utilities that somebody pays for.
func (t *Terms) PaidBy(payer Payer) (names []string) {
	for _, u := range t.Utilities {
		if u.PaidBy == payer {
			names = append(names, u.Name)
		}
	}
	return names
}

// AnimalNames are the pets in words.
func (t *Terms) AnimalNames() []string { return words(t.Pets, (*Pet).String) }

// VehicleNames are the vehicles in words.
func (t *Terms) VehicleNames() []string { return words(t.Vehicles, (*Vehicle).String) }

func words[T any](all []T, of func(*T) string) (texts []string) {
	for i := range all {
		texts = append(texts, of(&all[i]))
	}
	return texts
}

// AnswerTo finds the answer about a disclosure, nil where none was given.
func (t *Terms) AnswerTo(code string) *Answer {
	for i := range t.Answers {
		if t.Answers[i].Code == code {
			return &t.Answers[i]
		}
	}
	return nil
}

// LeadPaint is what the landlord states about lead-based paint (40 CFR 745.113).
type LeadPaint struct {
	// Whether the landlord knows of lead-based paint or its hazards in the home.
	Hazards LeadHazards `json:"hazards"`
	// What is known, and how; required if hazards are known.
	Details *string `json:"details" format:"text" maxlen:"2000"`
	// Whether the tenants were given records and reports about it.
	Records LeadRecords `json:"records"`
	// When the tenants got the pamphlet on paper, today or earlier; null while not noted.
	PamphletGivenOn *clock.Date `json:"pamphlet_given_on" example:"2026-11-01"`
}

// SchemaName is the name of the OpenAPI component.
func (LeadPaint) SchemaName() string { return "LeaseLeadPaint" }

// LeadHazards says whether lead-based paint is known in a home.
type LeadHazards string

// What is known of lead-based paint.
const (
	NoHazards    LeadHazards = "none"
	KnownHazards LeadHazards = "known"
)

// SchemaName is the name of the OpenAPI component.
func (LeadHazards) SchemaName() string { return "LeadPaintHazards" }

// Values are all answers.
func (LeadHazards) Values() []string { return []string{"none", "known"} }

// LeadRecords says whether there are records about lead-based paint.
type LeadRecords string

// What there is of records.
const (
	NoRecords       LeadRecords = "none"
	RecordsProvided LeadRecords = "provided"
)

// SchemaName is the name of the OpenAPI component.
func (LeadRecords) SchemaName() string { return "LeadPaintRecords" }

// Values are all answers.
func (LeadRecords) Values() []string { return []string{"none", "provided"} }

// stored is terms as the database keeps them.
type stored struct {
	Terms
	Answers     []Answer     `json:"disclosures,omitempty"`
	HeldDeposit *money.Cents `json:"held_deposit,omitempty"`
	AgreedOn    *clock.Date  `json:"tenants_agreed_on,omitempty"`
	Template    *Template    `json:"template,omitempty"`
}

// none is what Encode writes for a lease of which nothing is agreed on.
const none = "{}"

// Encode is the terms as JSON, as the database keeps them.
func (t *Terms) Encode() string {
	if reflect.DeepEqual(*t, Terms{}) {
		return none
	}
	text, err := json.Marshal(stored{*t, t.Answers, t.HeldDeposit, t.TenantsAgreedOn, t.Template})
	if err != nil {
		panic(err) // texts and amounts alone
	}
	return string(text)
}

// Decode reads what Encode has written.
func Decode(text string) (Terms, error) {
	if text == none {
		return Terms{}, nil
	}
	var from stored
	err := json.Unmarshal([]byte(text), &from)
	from.Terms.Answers, from.Terms.HeldDeposit = from.Answers, from.HeldDeposit
	from.Terms.TenantsAgreedOn, from.Terms.Template = from.AgreedOn, from.Template
	return from.Terms, err
}

// Tidy writes the same terms in one way, so that they can be compared: what is not there is nil, a late fee that is
// owed once has no frequency, and a standard document no name.
func (t *Terms) Tidy() {
	if !t.Own() {
		t.Document = nil
	}
	if t.LateFeeFrequency == Once {
		t.LateFeeFrequency = ""
	}
	if len(t.Occupants) == 0 {
		t.Occupants = nil
	}
	if len(t.CoOwners) == 0 {
		t.CoOwners = nil
	}
	if len(t.Pets) == 0 {
		t.Pets = nil
	}
	if len(t.Vehicles) == 0 {
		t.Vehicles = nil
	}
	if len(t.Utilities) == 0 {
		t.Utilities = nil
	}
	if len(t.Fees) == 0 {
		t.Fees = nil
	}
	if len(t.Answers) == 0 {
		t.Answers = nil
	}
}

// Changed names the first field that differs, "" where none does. The frequency of the late fee is not
// among them.
func (t *Terms) Changed(o *Terms) string {
	for _, f := range []struct {
		name string
		a, b any
	}{
		{"returned_payment_fee", t.ReturnedPaymentFee, o.ReturnedPaymentFee}, {"occupants", t.Occupants, o.Occupants},
		{"co_owners", t.CoOwners, o.CoOwners},
		{"pets", t.Pets, o.Pets}, {"vehicles", t.Vehicles, o.Vehicles}, {"utilities", t.Utilities, o.Utilities},
		{"clauses", t.Clauses, o.Clauses}, {"fees", t.Fees, o.Fees}, {"disclosures", t.Answers, o.Answers},
		{"lead_paint", t.LeadPaint, o.LeadPaint},
	} {
		if !reflect.DeepEqual(f.a, f.b) {
			return f.name
		}
	}
	return ""
}

// Line is a term in words.
type Line struct{ Name, Text string }

// Lines are the terms in words, but for clauses, answers and the late fee.
func (t *Terms) Lines() (all []Line) {
	for _, f := range t.Fees {
		all = append(all, Line{f.Name, f.words()})
	}
	if t.ReturnedPaymentFee != nil {
		all = append(all, Line{"Returned payment fee", t.ReturnedPaymentFee.Words()})
	}
	if len(t.Occupants) > 0 {
		all = append(all, Line{"Also live there", strings.Join(t.Occupants, ", ")})
	}
	for _, list := range []struct {
		name  string
		items []string
	}{
		{"Pets", t.AnimalNames()}, {"Vehicles", t.VehicleNames()},
		{"Utilities that the landlord pays", t.PaidBy(Landlord)}, {"Utilities that the tenants pay", t.PaidBy(Tenant)},
	} {
		if len(list.items) > 0 {
			all = append(all, Line{list.name, strings.Join(list.items, ", ")})
		}
	}
	if t.LeadPaint != nil {
		all = append(all, Line{"Lead-based paint", t.LeadPaint.words()})
		if on := t.LeadPaint.PamphletGivenOn; on != nil {
			all = append(all, Line{"Lead pamphlet", "Handed over on paper on " + on.Std().Format("January 2, 2006")})
		}
	}
	return all
}

func (f Fee) words() string {
	text := f.Amount.Words() + " once"
	if f.Frequency == Monthly {
		text = f.Amount.Words() + " each month"
	}
	if f.Refundable {
		text += ", refundable"
	}
	return text
}

func (l *LeadPaint) words() string {
	if l.Hazards == NoHazards || l.Details == nil {
		return "None known"
	}
	return "Known: " + *l.Details
}
