package ticket

import (
	"time"

	"portal/api/clock"
	"portal/api/portfolio"
	"portal/views/kit"
	"portal/web/page"
)

func ticketText(titleHint string) []kit.Field {
	return []kit.Field{
		{
			Name: "description", Label: "What is wrong", Lines: 6,
			Hint: "In the reporter’s own words. Safety problems are recognized in it.",
		},
		{Name: "title", Label: "Title", Hint: titleHint},
	}
}

func ticketUrgency(none string) []kit.Field {
	return []kit.Field{
		{Name: "priority", Label: "Priority", Choices: page.Choices(portfolio.Priority("").Values(), "", none)},
		{
			Name: "category", Label: "Category", Beside: true,
			Choices: page.Choices(portfolio.Category("").Values(), "", none),
		},
	}
}

func vendorFields() []kit.Field {
	return []kit.Field{
		{Name: "vendor.name", Label: "Name", Optional: true},
		{Name: "vendor.trade", Label: "Trade", Beside: true, Optional: true},
		{Name: "vendor.phone", Label: "Phone", Kind: "tel", Optional: true, Complete: "off"},
		{Name: "vendor.email", Label: "Email", Beside: true, Optional: true},
	}
}

func ticketPlan(t *portfolio.Ticket, zone *time.Location) []kit.Field {
	return []kit.Field{
		{Name: "scheduled_start", Label: "Scheduled start", Value: minuteOr(t.ScheduledStart, zone)},
		{Name: "scheduled_end", Label: "Planned until", Beside: true, Value: minuteOr(t.ScheduledEnd, zone)},
		{Name: "due_date", Label: "Due"},
		{Name: "estimated_cost", Label: "Estimate", Hint: "In dollars, like the other amounts."},
		{Name: "cost_limit", Label: "Approval limit", Beside: true},
	}
}

func entryFields() []kit.Field {
	return []kit.Field{
		{Name: "entry_permission", Label: "Permission to enter", Choices: page.Named(entries, "")},
		{
			Name: "entry_notes", Label: "Before entering", Lines: 3,
			Hint: "For example a dog, or where the key is.",
		},
	}
}

func minuteOr(t *clock.Time, zone *time.Location) string {
	if t == nil {
		return ""
	}
	return t.Std().In(zone).Format(page.Minutes)
}
