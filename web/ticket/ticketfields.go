package ticket

import (
	"time"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/views/kit"
	"portal/web/page"
)

func ticketText(t *portfolio.Ticket) []kit.Field {
	return []kit.Field{
		{
			Name:  "description",
			Label: "What is wrong",
			Lines: 6,
			Value: t.Description,
			Hint:  "In the reporter’s own words. Safety problems are recognized in it.",
		},
		{
			Name:     "title",
			Label:    "Title",
			Optional: true,
			Complete: "off",
			Value:    t.Title,
			Hint:     "One line. If empty, it’s the first line of the text.",
		},
	}
}

func ticketUrgency(p portfolio.Priority, c portfolio.Category, none string) []kit.Field {
	return []kit.Field{
		{
			Name:     "priority",
			Label:    "Priority",
			Kind:     "select",
			Optional: none != "",
			Choices:  page.Choices(p.Values(), string(p), none),
		},
		{
			Name:     "category",
			Label:    "Category",
			Beside:   true,
			Kind:     "select",
			Optional: none != "",
			Choices:  page.Choices(c.Values(), string(c), none),
		},
	}
}

func vendorFields(d *portfolio.Vendor) []kit.Field {
	if d == nil {
		d = &portfolio.Vendor{}
	}
	return []kit.Field{
		{Name: "vendor.name", Label: "Name", Optional: true, Complete: "off", Value: d.Name},
		{
			Name:     "vendor.trade",
			Label:    "Trade",
			Beside:   true,
			Optional: true,
			Complete: "off",
			Value:    page.OrEmpty(d.Trade),
		},
		{
			Name:     "vendor.phone",
			Label:    "Phone",
			Kind:     "tel",
			Optional: true,
			Complete: "off",
			Value:    page.OrEmpty(d.Phone),
		},
		{
			Name:     "vendor.email",
			Label:    "Email",
			Beside:   true,
			Kind:     "email",
			Optional: true,
			Complete: "off",
			Value:    page.OrEmpty(d.Email),
		},
	}
}

func ticketPlan(t *portfolio.Ticket, zone *time.Location) []kit.Field {
	return []kit.Field{
		{
			Name:     "scheduled_start",
			Label:    "Scheduled start",
			Kind:     "datetime-local",
			Optional: true,
			Value:    minuteOr(t.ScheduledStart, zone),
		},
		{
			Name:     "scheduled_end",
			Label:    "Planned until",
			Beside:   true,
			Kind:     "datetime-local",
			Optional: true,
			Value:    minuteOr(t.ScheduledEnd, zone),
		},
		{Name: "due_date", Label: "Due", Kind: "date", Optional: true, Value: page.Value(t.DueDate)},
		{
			Name:     "estimated_cost",
			Label:    "Estimate",
			Mode:     "decimal",
			Short:    true,
			Optional: true,
			Complete: "off",
			Value:    page.Value(t.EstimatedCost),
			Hint:     "In dollars, like the other amounts.",
		},
		{
			Name:     "cost_limit",
			Label:    "Approval limit",
			Beside:   true,
			Mode:     "decimal",
			Short:    true,
			Optional: true,
			Complete: "off",
			Value:    page.Value(t.CostLimit),
		},
	}
}

func entryFields(t *portfolio.Ticket) []kit.Field {
	field := kit.Field{Name: "entry_permission", Label: "Permission to enter", Kind: "select"}
	for _, e := range t.EntryPermission.Values() {
		field.Choices = append(field.Choices, kit.Choice{
			Value:  e,
			Label:  entries[portfolio.EntryPermission(e)],
			Chosen: e == string(t.EntryPermission),
		})
	}
	return []kit.Field{
		field,
		{
			Name:     "entry_notes",
			Label:    "Before entering",
			Lines:    3,
			Optional: true,
			Value:    page.OrEmpty(t.EntryNotes),
			Hint:     "For example a dog, or where the key is.",
		},
	}
}

func minuteOr(t *clock.Time, zone *time.Location) string {
	if t == nil {
		return ""
	}
	return t.Std().In(zone).Format(page.Minutes)
}
