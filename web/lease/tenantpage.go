package lease

import (
	"strings"

	"portal/api/fault"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/views/kit"
	"portal/web/page"
)

// pageRoutes are what the landlord does about the page that a tenant opens by a link.
func (p *tenantPages) pageRoutes() []page.Route {
	if p.TenantPortal == nil {
		return nil
	}
	of := page.With(id.Tenant, p.Portfolio.Tenants.Tenant)
	return []page.Route{
		page.Post("/{mode}/tenants/:id/link/send", page.Member, of(p.sendTenantLink(false))),
		page.Post("/{mode}/tenants/:id/link/renew", page.Member, of(p.sendTenantLink(true))),
		page.Post("/{mode}/tenants/:id/link/revoke", page.Member, of(p.revokeTenantLink)),
	}
}

// pagePanels say how the page of a tenant stands.
func (p *tenantPages) pagePanels(v *page.Request, t *portfolio.Tenant) ([]kit.Panel, error) {
	if p.TenantPortal == nil {
		return nil, nil
	}
	state, err := p.TenantPortal.State(v.Ctx(), v.Actor(), t.ID)
	if err != nil {
		return nil, err
	}
	at := v.In("/tenants/" + t.ID + "/link/")
	panel := kit.Panel{ID: "page", Title: "Tenant page", Words: []string{
		"Tenants use their own link to report repairs and see their lease, balance, and payments. " +
			"Amounts and documents need a code that we email them.",
	}}
	send := kit.Action{Name: "Email link", Path: at + "send", How: kit.Posts}
	switch {
	case state.Without != "":
		panel.Status = kit.Status{Tone: kit.Idle, Text: "No page"}
		panel.Words = append(panel.Words, state.Without)
	case state.Link == nil:
		panel.Status = kit.Status{Tone: kit.Idle, Text: "No link yet"}
	default:
		panel.Status = kit.Status{Tone: kit.Done, Text: "Link is live"}
		if sent := state.Link.SentAt; sent != nil {
			became := strings.ToLower(emailStatus(page.OrEmpty(state.Link.EmailStatus)).Text)
			panel.Words = append(panel.Words, "Emailed on "+v.Time(*sent).Text+": "+became+".")
		}
		if state.Until != nil {
			panel.Words = append(panel.Words, "It works until "+page.Date(*state.Until)+", 30 days after the tenancy.")
		}
		send.Name = "Email link again"
		panel.Actions = []kit.Action{
			{Name: "Renew: end earlier links", Path: at + "renew", How: kit.Posts},
			{Name: "Revoke link", Path: at + "revoke", How: kit.Posts},
		}
	}
	switch {
	case state.Without != "":
	case t.Email == nil:
		panel.Words = append(panel.Words, "Add an email address to send the link to.")
	default:
		panel.Actions = append([]kit.Action{send}, panel.Actions...)
	}
	if state.Without == "" && v.Shell.Served("/{mode}/tenants/:tenant/page") {
		panel.Actions = append(
			panel.Actions,
			kit.Action{Name: "View as tenant", Path: v.In("/tenants/" + t.ID + "/page"), Icon: "eye"},
		)
	}
	return []kit.Panel{panel}, nil
}

// sendTenantLink emails a tenant a link to their page.
func (p *tenantPages) sendTenantLink(renew bool) func(*page.Request, *portfolio.Tenant) error {
	return func(v *page.Request, t *portfolio.Tenant) error {
		if err := p.TenantPortal.SendLink(v.Ctx(), v.Actor(), t.ID, renew); err != nil {
			return refusedAt(v, v.In("/tenants/"+t.ID), err, fault.RateLimited)
		}
		said := t.Name + " was emailed a link to their page."
		if renew {
			said += " Earlier links no longer work."
		}
		return v.Done(v.In("/tenants/"+t.ID), said)
	}
}

// revokeTenantLink ends what opens the page of a tenant.
func (p *tenantPages) revokeTenantLink(v *page.Request, t *portfolio.Tenant) error {
	if err := p.TenantPortal.RevokeLink(v.Ctx(), v.Actor(), t.ID); err != nil {
		return err
	}
	return v.Done(v.In("/tenants/"+t.ID), "The link of "+t.Name+" no longer works.")
}
