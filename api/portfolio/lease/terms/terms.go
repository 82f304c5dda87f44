// Package terms holds what the parties of a lease agree on beside its dates, rent and deposit:
// fees, occupants, clauses, and what the landlord answers about disclosures and lead paint.
//
// It knows nothing of the law: package law holds the terms against it.
package terms

import (
	"encoding/json"
	"reflect"
	"strings"

	"portal/api/clock"
	"portal/api/money"
)

// Terms are the terms of a lease that its document says and that lists do not show.
type Terms struct {
	// Whether the late fee is owed once for each late payment, or for each day.
	LateFeeFrequency Frequency `json:"late_fee_frequency" example:"once"`
	// Fee in dollars for a payment that the bank returns; null for none.
	ReturnedPaymentFee *money.Cents `json:"returned_payment_fee"`
	// Names of people who live in the home and do not sign.
	Occupants []string `json:"occupants" by:"tenant"`
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

// Clauses are what a landlord writes about some subjects; nil leaves the document's own words.
type Clauses struct {
	// Pets, in place of the document's own words.
	Pets *string `json:"pets" format:"text" maxlen:"2000" example:"One cat is allowed."`
	// Smoking, in place of the document's own words.
	Smoking *string `json:"smoking" format:"text" maxlen:"2000"`
	// Parking, in place of the document's own words.
	Parking *string `json:"parking" format:"text" maxlen:"2000"`
	// Utilities, in place of the document's own words.
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
	// When the tenants got the pamphlet about lead on paper, today or earlier; null while not noted.
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
}

// none is what Encode writes for a lease of which nothing is agreed on.
const none = "{}"

// Encode is the terms as JSON, as the database keeps them.
func (t *Terms) Encode() string {
	if reflect.DeepEqual(*t, Terms{}) {
		return none
	}
	text, err := json.Marshal(stored{*t, t.Answers, t.HeldDeposit, t.TenantsAgreedOn})
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
	from.Terms.TenantsAgreedOn = from.AgreedOn
	return from.Terms, err
}

// Tidy writes the same terms in one way, so that they can be compared: what is not there is nil, and a
// late fee that is owed once has no frequency.
func (t *Terms) Tidy() {
	if t.LateFeeFrequency == Once {
		t.LateFeeFrequency = ""
	}
	if len(t.Occupants) == 0 {
		t.Occupants = nil
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
