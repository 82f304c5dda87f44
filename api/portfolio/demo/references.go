package demo

import (
	"fmt"

	"portal/api/portfolio"
)

// reference is what the landlord or the processor notes of a payment, nil for cash.
func (b *ledger) reference(d *ledgerEntry, method portfolio.PaymentMethod) *string {
	n := roll(90_000_000, "reference", d.ID)
	switch method {
	case "check":
		months := int(d.DueDate-b.today) / 30 // a tenant's checks count up
		return new(fmt.Sprintf("check %d", 1000+roll(800, d.LeaseID)+months))
	case "money_order":
		return new(fmt.Sprintf("money order 22-%08d", n))
	case "bank_transfer":
		return new(fmt.Sprintf("wire %06d", n/100))
	case "other":
		return new("county rental assistance")
	case "cash":
		return nil
	}
	return new(fmt.Sprintf("demo_%s_%08d", method, n))
}
