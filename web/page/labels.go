package page

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"time"

	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/law"
	"portal/views/kit"
)

// Label is a name of the wire as people write it: money_order is "Money order".
func Label[S ~string](name S) string {
	if s := odd[string(name)]; s != "" {
		return s
	}
	s := Lowercase(name)
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// odd are names of the wire that people write otherwise.
var odd = map[string]string{
	"co_tenant":      "Co-tenant",
	"ach":            "ACH",
	"hvac":           "HVAC",
	"locks_security": "Locks and security",
	"mold_moisture":  "Mold and moisture",
}

// Lowercase is a name of the wire within a sentence.
func Lowercase[S ~string](name S) string {
	if name == "cancelled" { // the wire has the other spelling
		return "canceled"
	}
	return strings.ReplaceAll(string(name), "_", " ")
}

// or is a value in words, "" where there is none.
func or[T any](value *T, words func(T) string) string {
	if value == nil {
		return ""
	}
	return words(*value)
}

// LabelOr is a name of the wire, or "" where there is none.
func LabelOr[S ~string](name *S) string { return or(name, Label) }

// Date is a day as people write it.
func Date(d clock.Date) string { return d.Std().Format("Jan 2, 2006") }

// DateOr is a day as people write it, "" for none.
func DateOr(d *clock.Date) string { return or(d, Date) }

// DollarsOr is an amount in words, or "" where there is none.
func DollarsOr(c *money.Cents) string { return or(c, money.Cents.Dollars) }

// Choices are values to choose from, the first of them none where it has a name.
func Choices(values []string, chosen, none string) []kit.Choice {
	var all []kit.Choice
	if none != "" {
		all = append(all, kit.Choice{Label: none})
	}
	for _, v := range values {
		all = append(all, kit.Choice{Value: v, Label: Label(v), Chosen: v == chosen})
	}
	return all
}

// Moment is a day with a time in a zone, nil where nothing was typed. A day alone stands for its end.
func (f *Form) Moment(name string, zone *time.Location) *clock.Time {
	return Parsed(f, name, "Enter a date and a time.", func(s string) (clock.Time, error) {
		if day, err := time.ParseInLocation(time.DateOnly, s, zone); err == nil {
			s = day.AddDate(0, 0, 1).Format(Minutes)
		}
		t, err := time.ParseInLocation(Minutes, s, zone)
		if err == nil && (t.Year() < 1971 || t.Year() > 9998) {
			err = fault.Of(fault.InvalidField)
		}
		return clock.At(t), err
	})
}

// Minutes is how a browser writes a day with a time.
const Minutes = "2006-01-02T15:04"

// Version is which one of a record the form was made of, nil where it does not say. What is
// no number is a version that no record has.
func (f *Form) Version() *int64 {
	s := f.Text("version")
	if s == "" {
		return nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		n = -1
	}
	return &n
}

// inWords rewrites what a rule says of a field for somebody who fills in a form: its name stands above, and
// names of the wire are words.
func inWords(name, what string) string { return sentence(strings.TrimPrefix(what, name+" ")) }

// coded are names of the wire within a sentence.
var coded = regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b`)

func sentence(s string) string {
	s = coded.ReplaceAllStringFunc(s, func(name string) string { return strings.ReplaceAll(name, "_", " ") })
	switch {
	case s == "":
		return ""
	case strings.HasPrefix(s, "is "):
		return "This " + s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// Warning is what a warning says, as a page says it.
func Warning(w change.Warning) string { return sentence(w.Message) }

// UnitName is a unit within an address: a number, or a name of its own.
func UnitName(number string) string {
	if len(number) < 5 {
		return "Unit " + number
	}
	return number
}

// Called is the name of an id, or the id.
func Called(names map[string]string, id string) string { return cmp.Or(names[id], id) }

// PathTo is the page of a record in the mode of this one, "" where there is none.
func (v *Request) PathTo(kind string, id *string) string {
	if id == nil || *id == "" || !v.Shell.Served("/{mode}/"+kind+"/:id") {
		return ""
	}
	return v.In("/" + kind + "/" + *id)
}

// recordPages are the pages of records by the prefix of their ids.
var recordPages = map[string]string{
	id.Property: "properties",
	id.Unit:     "units",
	id.Tenant:   "tenants",
	id.Lease:    "leases",
	id.Ticket:   "tickets",
	id.Payment:  "ledger",
}

// PathOf is the page of the record of an id, "" where there is none.
func (v *Request) PathOf(record string) string {
	prefix, _, _ := strings.Cut(record, "_")
	return v.PathTo(recordPages[prefix], &record)
}

// Ordinal is a day of the month in a sentence: 1st, 22nd.
func Ordinal(n int) string {
	suffix := "th"
	if n%100/10 != 1 && n%10 >= 1 && n%10 <= 3 {
		suffix = []string{"st", "nd", "rd"}[n%10-1]
	}
	return strconv.Itoa(n) + suffix
}

// StateCodes are the codes of the states and DC, in the order of the alphabet.
func StateCodes() (codes []string) {
	for _, r := range law.All() {
		codes = append(codes, string(r.State))
	}
	return codes
}

// StateChoices are all states to choose from, the first of them none.
func StateChoices(none string) []kit.Choice {
	all := []kit.Choice{{Label: none}}
	for _, r := range law.All() {
		code := string(r.State)
		all = append(all, kit.Choice{Value: code, Label: code + " " + r.Name})
	}
	return all
}

// LeaseStatuses are the statuses of a lease as pages show them.
var LeaseStatuses = map[portfolio.LeaseStatus]kit.Status{
	portfolio.LeaseDraft:            {Tone: kit.Idle, Text: "Draft"},
	portfolio.LeasePendingSignature: {Tone: kit.Waiting, Text: "Out for signature"},
	portfolio.LeaseSigned:           {Tone: kit.Done, Text: "Signed"},
	portfolio.LeaseActive:           {Tone: kit.Done, Text: "Active"},
	portfolio.LeaseExpired:          {Tone: kit.Idle, Text: "Expired"},
	portfolio.LeaseRenewed:          {Tone: kit.Idle, Text: "Renewed"},
	portfolio.LeaseTerminated:       {Tone: kit.Idle, Text: "Terminated"},
	portfolio.LeaseDeclined:         {Tone: kit.Failed, Text: "Declined"},
	portfolio.LeaseVoided:           {Tone: kit.Idle, Text: "Void"},
}

// creditStatus is how much of a credit has paid other charges.
func creditStatus(p *portfolio.Payment) kit.Status {
	switch {
	case p.BalanceDue == 0:
		return kit.Status{Tone: kit.Idle, Text: "Credit used"}
	case p.AmountPaid != 0:
		return kit.Status{Tone: kit.Done, Text: "Credit, partly used"}
	}
	return kit.Status{Tone: kit.Done, Text: "Credit"}
}

// ChargeStatus is the status of a row of the ledger as pages show it.
func ChargeStatus(p *portfolio.Payment) kit.Status {
	switch {
	case p.SettlesDeposit() && p.Method != nil:
		return kit.Status{Tone: kit.Done, Text: "Returned"}
	case p.SettlesDeposit():
		return kit.Status{Tone: kit.Idle, Text: "Settled"}
	case p.Forgiven():
		return kit.Status{Tone: kit.Idle, Text: "Forgiven"}
	case p.Amount < 0 && p.Status != portfolio.PaymentVoid:
		return creditStatus(p)
	}
	if p.Overdue {
		if p.Status == portfolio.PaymentFailed {
			return kit.Status{Tone: kit.Failed, Text: "Payment failed"}
		}
		return kit.Status{Tone: kit.Failed, Text: Counted(p.DaysOverdue, "day") + " late"}
	}
	if s, known := paymentStatuses[p.Status]; known {
		return s
	}
	return kit.Status{Tone: kit.Waiting, Text: Label(p.Status)}
}

// paymentStatuses are those that nobody waits for.
var paymentStatuses = map[portfolio.PaymentStatus]kit.Status{
	portfolio.PaymentSucceeded:     {Tone: kit.Done, Text: "Paid"},
	portfolio.PaymentPartiallyPaid: {Tone: kit.Warned, Text: "Partly paid"},
	portfolio.PaymentFailed:        {Tone: kit.Failed, Text: "Failed"},
	portfolio.PaymentVoid:          {Tone: kit.Idle, Text: "Void"},
	portfolio.PaymentRefunded:      {Tone: kit.Idle, Text: "Refunded"},
	portfolio.PaymentScheduled:     {Tone: kit.Idle, Text: "Scheduled"},
}

// PropertyStatuses are the statuses of a property as pages show them.
var PropertyStatuses = map[portfolio.PropertyStatus]kit.Status{
	portfolio.PropertyArchived: {Tone: kit.Idle, Text: "Archived"},
	portfolio.PropertyActive:   {Tone: kit.Done, Text: "Active"},
}

// UnitStandings are the statuses of a unit in the words of who looks for one.
var UnitStandings = map[portfolio.UnitStatus]kit.Status{
	portfolio.UnitVacant:    {Tone: kit.Done, Text: "Vacant"},
	portfolio.UnitOffMarket: {Tone: kit.Idle, Text: "Off the market"},
	portfolio.UnitNotice:    {Tone: kit.Waiting, Text: "Notice given"},
	portfolio.UnitOccupied:  {Tone: kit.Idle, Text: "Occupied"},
}

// TenantStatuses are the statuses of a tenant as pages show them.
var TenantStatuses = map[portfolio.TenantStatus]kit.Status{
	portfolio.TenantCurrent:  {Tone: kit.Done, Text: "Current"},
	portfolio.TenantNotice:   {Tone: kit.Warned, Text: "Notice given"},
	portfolio.TenantFuture:   {Tone: kit.Waiting, Text: "Future"},
	portfolio.TenantProspect: {Tone: kit.Waiting, Text: "Prospect"},
	portfolio.TenantPast:     {Tone: kit.Idle, Text: "Past"},
}

// TicketStatuses are the statuses of a ticket as pages show them.
var TicketStatuses = map[portfolio.TicketStatus]kit.Status{
	portfolio.TicketOpen:       {Tone: kit.Waiting, Text: "Open"},
	portfolio.TicketInProgress: {Tone: kit.Waiting, Text: "In progress"},
	portfolio.TicketScheduled:  {Tone: kit.Waiting, Text: "Scheduled"},
	portfolio.TicketOnHold:     {Tone: kit.Idle, Text: "On hold"},
	portfolio.TicketCompleted:  {Tone: kit.Done, Text: "Completed"},
	portfolio.TicketCancelled:  {Tone: kit.Idle, Text: "Canceled"},
}
