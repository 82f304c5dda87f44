package ticket

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/event"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/money"
	"portal/api/portfolio"
	"portal/api/triage"
)

// Create is a request for maintenance to be opened.
type Create struct {
	// The unit. Without one the ticket is about the property itself.
	UnitID *string `json:"unit_id" format:"ref" prefix:"unit" example:"unit_01KA5R2M7Q8D4E6F9G1H3J5K7M"`
	// The property; needed without unit_id, and with it the unit's property.
	PropertyID *string `json:"property_id" format:"ref" prefix:"prop"`
	// What is wrong, in the words of the person who reports it.
	Description string `json:"description" format:"text" minlen:"1" maxlen:"10000" example:"The kitchen tap drips all night."`
	// One line; derived from the description when absent.
	Title *string `json:"title" minlen:"1" maxlen:"127"`
	// How urgent it is. If you leave it out, triage sets it.
	Priority *portfolio.Priority `json:"priority"`
	// The trade that is needed. If you leave it out, triage sets it.
	Category *portfolio.Category `json:"category"`
	// The tenant who is concerned; must live there.
	TenantID *string `json:"tenant_id" format:"ref" prefix:"ten"`
	// Who does the work; a plain string is the name.
	Vendor *portfolio.Vendor `json:"vendor"`
	// Whether the unit may be entered.
	EntryPermission portfolio.EntryPermission `json:"entry_permission" default:"unknown"`
	// What to know before entering.
	EntryNotes *string `json:"entry_notes" format:"text" maxlen:"1000"`
	// When the work is planned to start.
	ScheduledStart *clock.Time `json:"scheduled_start"`
	// When the work is planned to end.
	ScheduledEnd *clock.Time `json:"scheduled_end"`
	// Day by which the work should be done.
	DueDate *clock.Date `json:"due_date"`
	// Estimate in dollars.
	EstimatedCost *money.Cents `json:"estimated_cost"`
	// What may be spent without asking, in dollars.
	CostLimit *money.Cents `json:"cost_limit"`
}

// SchemaName is the name of the OpenAPI component.
func (Create) SchemaName() string { return "MaintenanceTicketCreate" }

// Check finds what no tag says: no place at all, or an end before its start.
func (c Create) Check(clock.Date) []fault.Detail {
	var all []fault.Detail
	if c.UnitID == nil && c.PropertyID == nil {
		all = append(all, portfolio.FieldFault(
			"unit_id",
			fault.MissingField,
			"or property_id is required: say where the work is.",
		))
	}
	return append(all, checkSchedule(c.ScheduledStart, c.ScheduledEnd)...)
}

func checkSchedule(start, end *clock.Time) []fault.Detail {
	if start == nil || end == nil || *end >= *start {
		return nil
	}
	return []fault.Detail{portfolio.FieldFault("scheduled_end", fault.DateOrder, "must not be before scheduled_start.")}
}

// CreateTicket opens a ticket and triages its text. A priority or category that the
// caller gives is kept.
func (s *Tickets) CreateTicket(
	ctx context.Context, by access.Actor, from portfolio.TicketSource, c Create,
) (*change.Result[portfolio.Ticket], error) {
	t, err := s.ticketOf(by, from, c)
	if err != nil {
		return nil, err
	}
	return portfolio.Write(
		ctx,
		s.Common,
		by,
		func(ctx context.Context) (*change.Result[portfolio.Ticket], error) { return s.open(ctx, by, t, c) },
	)
}

// SubmitTicket is CreateTicket for the tenant who asks, who must live there, with photos that wait for it. It raises
// maintenance.created, and the landlord is told.
func (s *Tickets) SubmitTicket(
	ctx context.Context, by access.Actor, c Create, photos []string,
) (*change.Result[portfolio.Ticket], error) {
	if by.TenantID == "" {
		return nil, fault.New(fault.MissingField, "tenant_id is required: it says who writes.").At("tenant_id")
	}
	c.TenantID = &by.TenantID
	t, err := s.ticketOf(by, portfolio.FromTenant, c)
	if err != nil {
		return nil, err
	}
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[portfolio.Ticket], error) {
		var err error
		t.TenantWroteAt = &t.CreatedAt
		if t.Photos, err = s.waiting(ctx, by, photos, portfolio.MostPhotos); err != nil {
			return nil, err
		}
		m, err := s.open(ctx, by, t, c)
		if err != nil {
			return nil, err
		}
		if len(photos) > 0 {
			if err := s.store.AttachPhotos(ctx, by.Portfolio, by.TenantID, t.ID, photos); err != nil {
				return nil, err
			}
		}
		if err := s.Raise(ctx, by, event.MaintenanceCreated, m.After); err != nil {
			return nil, err
		}
		return m, s.tell(ctx, by, m.After, portfolio.ReadByLandlord)
	})
}

// ticketOf is a new ticket with what triage makes of it, but not yet where it is.
func (s *Tickets) ticketOf(by access.Actor, from portfolio.TicketSource, c Create) (portfolio.Ticket, error) {
	if err := fault.Invalid(c.Check(s.Today(by))); err != nil {
		return portfolio.Ticket{}, err
	}
	t := portfolio.Ticket{
		Record:          s.NewRecord(by, id.Ticket, "maintenance_ticket"),
		Title:           titleOf(c.Title, c.Description),
		Description:     c.Description,
		Status:          portfolio.TicketOpen,
		Vendor:          c.Vendor,
		Source:          from,
		EntryPermission: cmp.Or(c.EntryPermission, "unknown"),
		EntryNotes:      c.EntryNotes,
		ScheduledStart:  c.ScheduledStart,
		ScheduledEnd:    c.ScheduledEnd,
		DueDate:         c.DueDate,
		EstimatedCost:   c.EstimatedCost,
		CostLimit:       c.CostLimit,
		Currency:        portfolio.Currency,
		Photos:          portfolio.Photos{},
	}
	if c.Priority != nil {
		t.Priority, t.Set.Priority = *c.Priority, true
	}
	if c.Category != nil {
		t.Category, t.Set.Category = *c.Category, true
	}
	s.triage(&t, clock.At(s.Now(by.Portfolio)))
	return t, nil
}

// open writes a ticket where it belongs.
func (s *Tickets) open(
	ctx context.Context, by access.Actor, t portfolio.Ticket, c Create,
) (*change.Result[portfolio.Ticket], error) {
	if err := s.locate(ctx, by, &t, c); err != nil {
		return nil, err
	}
	if err := s.store.AddTicket(ctx, by.Portfolio, &t); err != nil {
		return nil, err
	}
	m := &change.Result[portfolio.Ticket]{After: &t}
	warnUrgent(m)
	return m, s.askAgain(ctx, by.Portfolio, &t)
}

// titleOf is the title that was given, or the first line of the description, cut at
// a word.
func titleOf(given *string, description string) string {
	if given != nil {
		return *given
	}
	line, _, _ := strings.Cut(strings.TrimSpace(description), "\n")
	line = strings.Join(strings.Fields(line), " ")
	if utf8.RuneCountInString(line) <= titleLength {
		return line
	}
	line = string([]rune(line)[:titleLength-1])
	if i := strings.LastIndexByte(line, ' '); i > titleLength/2 {
		line = line[:i]
	}
	return line + "…"
}

const titleLength = 127

// triage judges the text of a ticket, and takes from that its priority and category
// unless somebody has set them.
func (s *Tickets) triage(t *portfolio.Ticket, now clock.Time) {
	v := s.Triage.Triage(textOf(t))
	t.Triage = &portfolio.Triage{
		Category:     portfolio.Category(v.Category),
		Priority:     portfolio.Priority(v.Priority),
		Confidence:   v.Confidence,
		NeedsReview:  v.NeedsReview,
		SafetyFlags:  v.SafetyFlags,
		Reasons:      reasonsOf(v.Reasons),
		Source:       v.Source,
		ModelVersion: v.ModelVersion,
		TriagedAt:    now,
	}
	follow(t)
}

// follow takes from triage what nobody has set.
func follow(t *portfolio.Ticket) {
	if !t.Set.Priority {
		t.Priority = t.Triage.Priority
	}
	if !t.Set.Category {
		t.Category = t.Triage.Category
	}
}

// textOf is what triage reads: the title too, where it says more.
func textOf(t *portfolio.Ticket) string {
	title := strings.TrimSuffix(t.Title, "…")
	if !strings.HasPrefix(strings.Join(strings.Fields(t.Description), " "), title) {
		return t.Title + ".\n" + t.Description
	}
	return t.Description
}

func reasonsOf(all []triage.Reason) []portfolio.TriageReason {
	reasons := make([]portfolio.TriageReason, len(all))
	for i, r := range all {
		reasons[i] = portfolio.TriageReason(r)
	}
	return reasons
}

// above reports whether a priority is more urgent than another.
func above(p portfolio.Priority, q portfolio.Priority) bool {
	all := p.Values()
	return slices.Index(all, string(p)) > slices.Index(all, string(q))
}

// warnUrgent tells a caller who asked for less than what triage sees.
func warnUrgent(m *change.Result[portfolio.Ticket]) {
	t := m.After
	if t.Triage == nil || !above(t.Triage.Priority, t.Priority) {
		return
	}
	why := ""
	if len(t.Triage.SafetyFlags) > 0 {
		why = " (" + strings.Join(t.Triage.SafetyFlags, ", ") + ")"
	}
	m.Warn("priority_below_triage",
		fmt.Sprintf("The priority stays %s as asked, but triage reads the text as %s%s.", t.Priority,
			t.Triage.Priority, why))
}

// locate fills where a ticket is, and whom it concerns: unit and property must agree,
// and the tenant must live there.
func (s *Tickets) locate(ctx context.Context, by access.Actor, t *portfolio.Ticket, c Create) error {
	if c.UnitID != nil {
		u, err := portfolio.Find(ctx, by.Portfolio, id.Unit, *c.UnitID, "unit", s.store.Unit)
		if err != nil {
			return err
		}
		t.PropertyID, t.UnitID, t.LeaseID = u.PropertyID, &u.ID, u.CurrentLeaseID
	}
	if c.PropertyID != nil {
		p, err := portfolio.Find(ctx, by.Portfolio, id.Property, *c.PropertyID, "property", s.store.Property)
		if err != nil {
			return err
		}
		if t.PropertyID != "" && t.PropertyID != p.ID {
			return fault.New(fault.InvalidField,
				"unit_id and property_id must agree; the unit belongs to the property %s.",
				t.PropertyID).At("property_id")
		}
		t.PropertyID = p.ID
	}
	if c.TenantID == nil {
		return nil
	}
	return s.concern(ctx, by, t, *c.TenantID)
}

// concern names the tenant of a ticket, and the lease by which the tenant lives there.
func (s *Tickets) concern(ctx context.Context, by access.Actor, t *portfolio.Ticket, tenantID string) error {
	tenant, err := portfolio.Find(ctx, by.Portfolio, id.Tenant, tenantID, "tenant", s.store.Tenant)
	if err != nil {
		return err
	}
	leases, err := s.store.Leases(
		ctx,
		by.Portfolio,
		portfolio.LeaseFilter{Query: portfolio.AllLeases, TenantID: tenant.ID},
	)
	if err != nil {
		return err
	}
	for i := range leases {
		l := &leases[i]
		if l.Status == portfolio.LeaseActive && l.PropertyID == t.PropertyID &&
			(t.UnitID == nil || *t.UnitID == l.UnitID) {
			t.TenantID, t.LeaseID = &tenant.ID, &l.ID
			return nil
		}
	}
	return fault.New(
		fault.InvalidField,
		"tenant_id names a tenant who does not live there: no active lease of theirs is in that place.",
	).At("tenant_id")
}
