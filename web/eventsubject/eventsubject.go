// Package eventsubject says what an event is about.
package eventsubject

import (
	"encoding/json"

	"portal/api/event"
	"portal/api/money"
	"portal/api/webhook"
	"portal/web/page"
)

// eventObject is what a page says of the record that an event is about.
type eventObject struct {
	Data struct {
		Object struct {
			ID            string       `json:"id"`
			Object        string       `json:"object"`
			Number        string       `json:"number"`
			Title         string       `json:"title"`
			Description   string       `json:"description"`
			Amount        *money.Cents `json:"amount"`
			RentalAddress string       `json:"rental_address"`
			URL           string       `json:"url"`
		} `json:"object"`
	} `json:"data"`
}

// Of is what an event is about in a few words, and the address of its page, each "" where
// that is not known.
func Of(v *page.Request, e *webhook.Event) (words, path string) {
	var o eventObject
	if e.Body == nil || json.Unmarshal(e.Body, &o) != nil {
		return "", ""
	}
	x := &o.Data.Object
	switch e.Type {
	case webhook.Kind(event.LeaseSigned):
		return x.RentalAddress, v.PathTo("leases", &x.ID)
	case webhook.Kind(event.PaymentSucceeded):
		if x.Amount != nil {
			words = x.Amount.Dollars() + " · "
		}
		return words + x.Description, v.PathTo("ledger", &x.ID)
	case webhook.Kind(event.MaintenanceCreated):
		return x.Number + " " + x.Title, v.PathTo("tickets", &x.ID)
	}
	return x.URL, ""
}
