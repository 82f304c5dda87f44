package resident

import (
	"portal/api/fault"
	"portal/api/id"
	"portal/web/page"
)

// previewRoutes show members of the account the page of a tenant as the tenant sees it. None of them does anything.
func (p *Section) previewRoutes() []page.Route {
	if p.Tenants == nil {
		return nil
	}
	return []page.Route{
		page.Get("/{mode}/tenants/:tenant/page", page.Member, p.preview(tenantHome)),
		page.Get("/{mode}/tenants/:tenant/page/payments", page.Member, p.preview(tenantPayments)),
		page.Get("/{mode}/tenants/:tenant/page/lease", page.Member, p.preview(tenantLease)),
		page.Get("/{mode}/tenants/:tenant/page/lease/:id/lease.pdf", page.Member, p.preview(tenantPDF)),
		page.Get("/{mode}/tenants/:tenant/page/tickets", page.Member, p.preview(tenantTickets)),
		page.Get("/{mode}/tenants/:tenant/page/tickets/:id", page.Member, p.preview(tenantTicket)),
		page.Get("/{mode}/tenants/:tenant/page/tickets/:id/photos/:photo", page.Member, p.preview(tenantPhoto)),
		page.Get(
			"/{mode}/tenants/:tenant/page/tickets/:id/photos/:photo/thumbnail",
			page.Member,
			p.preview(tenantThumbnail),
		),
	}
}

// preview opens the page of a tenant for a member of the account.
func (p *Section) preview(show func(*tenantRequest) error) page.Handler {
	return func(v *page.Request) error {
		tenantID := v.Param("tenant")
		if !id.Valid(id.Tenant, tenantID) {
			return fault.NotFound("tenant")
		}
		visit, err := p.Tenants.Preview(v.Ctx(), v.Actor(), tenantID)
		if fault.Is(err, fault.InvalidTransition) {
			return v.RefuseAt(v.In("/tenants/"+tenantID), fault.From(err).Message)
		}
		if err != nil {
			return err
		}
		t := p.visited(v, visit, v.In("/tenants/"+tenantID+"/page"))
		t.unlocked, t.preview = true, true
		return show(t)
	}
}
