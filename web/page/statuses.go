package page

import (
	"portal/api/portfolio"
	"portal/views/kit"
)

// LeaseStatus is the status of a lease as pages show it.
func LeaseStatus(s portfolio.LeaseStatus) kit.Status {
	tones := map[portfolio.LeaseStatus]kit.Tone{
		portfolio.LeaseActive:           kit.Done,
		portfolio.LeaseSigned:           kit.Done,
		portfolio.LeasePendingSignature: kit.Waiting,
		portfolio.LeaseDeclined:         kit.Failed,
	}
	tone, known := tones[s]
	if !known {
		tone = kit.Idle
	}
	text := Label(s)
	switch s {
	case portfolio.LeasePendingSignature:
		text = "Out for signature"
	case portfolio.LeaseVoided:
		text = "Void"
	}
	return kit.Status{Tone: tone, Text: text}
}

// ChargeStatus is the status of a row of the ledger as pages show it.
func ChargeStatus(p *portfolio.Payment) kit.Status {
	if p.Overdue {
		if p.Status == portfolio.PaymentFailed {
			return kit.Status{Tone: kit.Failed, Text: "Payment failed"}
		}
		return kit.Status{Tone: kit.Failed, Text: Counted(p.DaysOverdue, "day") + " late"}
	}
	tones := map[portfolio.PaymentStatus]kit.Tone{
		portfolio.PaymentSucceeded: kit.Done,
		portfolio.PaymentFailed:    kit.Failed,
		portfolio.PaymentVoid:      kit.Idle,
		portfolio.PaymentRefunded:  kit.Idle,
		portfolio.PaymentScheduled: kit.Idle,
	}
	tone, known := tones[p.Status]
	if !known {
		tone = kit.Waiting
	}
	text := Label(p.Status)
	switch p.Status {
	case portfolio.PaymentSucceeded:
		text = "Paid"
	case portfolio.PaymentPartiallyPaid:
		tone, text = kit.Warned, "Partly paid"
	}
	return kit.Status{Tone: tone, Text: text}
}

// UnitStanding is the status of a unit in the words of who looks for one.
func UnitStanding(s portfolio.UnitStatus) kit.Status {
	switch s {
	case portfolio.UnitVacant:
		return kit.Status{Tone: kit.Done, Text: "Vacant"}
	case portfolio.UnitOffMarket:
		return kit.Status{Tone: kit.Idle, Text: "Off the market"}
	case portfolio.UnitNotice:
		return kit.Status{Tone: kit.Waiting, Text: "Notice given"}
	case portfolio.UnitOccupied:
	}
	return kit.Status{Tone: kit.Idle, Text: "Occupied"}
}

// TenantStatus is the status of a tenant as pages show it.
func TenantStatus(s portfolio.TenantStatus) kit.Status {
	switch s {
	case portfolio.TenantCurrent:
		return kit.Status{Tone: kit.Done, Text: "Current"}
	case portfolio.TenantNotice:
		return kit.Status{Tone: kit.Warned, Text: "Notice given"}
	case portfolio.TenantFuture:
		return kit.Status{Tone: kit.Waiting, Text: "Future"}
	case portfolio.TenantProspect:
		return kit.Status{Tone: kit.Waiting, Text: "Prospect"}
	case portfolio.TenantPast:
	}
	return kit.Status{Tone: kit.Idle, Text: "Past"}
}

// TicketStatus is the status of a ticket as pages show it.
func TicketStatus(s portfolio.TicketStatus) kit.Status {
	tones := map[portfolio.TicketStatus]kit.Tone{
		portfolio.TicketCompleted: kit.Done,
		portfolio.TicketCancelled: kit.Idle,
		portfolio.TicketOnHold:    kit.Idle,
	}
	tone, known := tones[s]
	if !known {
		tone = kit.Waiting
	}
	return kit.Status{Tone: tone, Text: Label(s)}
}
