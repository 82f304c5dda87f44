package docs

import (
	"context"
	"regexp"
	"strings"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/webhook"
	"portal/web/page"
)

// exampleID is an id of the examples.
var exampleID = regexp.MustCompile(`\b(?:prop|unit|ten|lea|tpl|tkt|pay|we|evt|del)_01KA5R2M7Q8D4E6F9G1H3J5K7M\b`)

// ownExamples finds records of the reader's demo portfolio for the ids that a text names.
// What there is none of stays as it is.
func (p *Section) ownExamples(v *page.Request, text string) (*strings.Replacer, error) {
	var pairs []string
	seen := map[string]bool{}
	for _, id := range exampleID.FindAllString(text, -1) {
		if seen[id] {
			continue
		}
		seen[id] = true
		prefix, _, _ := strings.Cut(id, "_")
		own, err := p.exampleRecord(v.Ctx(), v.Person.Actor(access.Test), prefix)
		if err != nil {
			return nil, err
		}
		if own != "" {
			pairs = append(pairs, id, own)
		}
	}
	return strings.NewReplacer(pairs...), nil
}

var firstOne = list.Query{Limit: 1}

// exampleRecord is the id of the first record of a kind, "" where there is none.
func (p *Section) exampleRecord(ctx context.Context, by access.Actor, prefix string) (string, error) {
	switch prefix {
	case "prop":
		all, err := p.Examples.Properties.Properties(ctx, by, portfolio.PropertyFilter{Query: firstOne})
		return firstOf(all, err, func(r *portfolio.Property) string { return r.ID })
	case "unit":
		return p.unit(ctx, by)
	case "ten":
		all, err := p.Examples.Tenants.Tenants(ctx, by, portfolio.TenantFilter{
			Query:  firstOne,
			Status: portfolio.TenantCurrent,
		})
		return firstOf(all, err, func(r *portfolio.Tenant) string { return r.ID })
	case "lea":
		all, err := p.Examples.Leases.Leases(
			ctx,
			by,
			portfolio.LeaseFilter{Query: firstOne, Status: portfolio.LeaseActive},
		)
		return firstOf(all, err, func(r *portfolio.Lease) string { return r.ID })
	case "tpl":
		if p.Templates == nil {
			return "", nil
		}
		all, err := p.Templates.Templates(ctx, by, agreement.TemplateFilter{Query: firstOne})
		return firstOf(all, err, func(r *agreement.LeaseTemplate) string { return r.ID })
	case "tkt":
		all, err := p.Examples.Tickets.Tickets(
			ctx,
			by,
			portfolio.TicketFilter{Query: firstOne, Status: portfolio.TicketOpen},
		)
		return firstOf(all, err, func(r *portfolio.Ticket) string { return r.ID })
	case "pay":
		all, err := p.Examples.Ledger.Payments(ctx, by, portfolio.PaymentFilter{Query: firstOne})
		return firstOf(all, err, func(r *portfolio.Payment) string { return r.ID })
	}
	if p.Webhook == nil {
		return "", nil
	}
	return p.exampleWebhookRecord(ctx, by, prefix)
}

func firstOf[T any](all *list.Page[T], err error, id func(*T) string) (string, error) {
	if err != nil || len(all.Data) == 0 {
		return "", err
	}
	return id(&all.Data[0]), nil
}

func (p *Section) unit(ctx context.Context, by access.Actor) (string, error) {
	of, err := p.exampleRecord(ctx, by, "prop")
	if err != nil || of == "" {
		return "", err
	}
	all, err := p.Examples.Properties.Property(ctx, by, of)
	if err != nil || len(all.Units) == 0 {
		return "", err
	}
	return all.Units[0].ID, nil
}

// exampleWebhookRecord is the newest event or delivery, or an endpoint: one that is enabled
// where there is one, as others refuse tests and redeliveries.
func (p *Section) exampleWebhookRecord(ctx context.Context, by access.Actor, prefix string) (own string, err error) {
	switch prefix {
	case "evt":
		all, err := p.Webhook.Events(ctx, by, webhook.EventFilter{Limit: 1})
		return firstOf(&list.Page[webhook.Event]{Data: all}, err, func(e *webhook.Event) string { return e.ID })
	case "del":
		all, err := p.Webhook.Deliveries(ctx, by, webhook.DeliveryFilter{Limit: 1})
		return firstOf(&list.Page[webhook.Delivery]{Data: all}, err, func(d *webhook.Delivery) string { return d.ID })
	}
	all, err := p.Webhook.Endpoints(ctx, by, list.Query{Limit: list.Max})
	if err != nil || len(all.Data) == 0 {
		return "", err
	}
	for _, e := range all.Data {
		if e.Status == webhook.Enabled {
			return e.ID, nil
		}
	}
	return all.Data[0].ID, nil
}
