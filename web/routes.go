package web

import "portal/web/page"

// routes are all pages: method, address, for whom, and what answers.
func (p *Pages) routes() []page.Route {
	all := []page.Route{
		// For everybody.
		page.Get("/", page.Guest, p.home),
		page.Get("/static/*", page.Public, p.File),

		// For who has a link from an e-mail.
		page.Get("/apply/:token", page.LinkHolder, p.apply),
		page.Post("/apply/:token", page.LinkHolder, p.sendApplication),
		page.Get("/mail/unsubscribe/:token", page.LinkHolder, p.unsubscribe),
		page.Post("/mail/unsubscribe/:token", page.LinkHolder, p.stopInvitations),

		// The way to the API: apply, wait, create a key.
		page.Get("/overview", page.SignedIn, p.overview),
		page.Get("/access", page.Member, p.access),
		page.Post("/access", page.Owner, p.applyForAccess).Once(),
		page.Get("/access/:id/withdraw", page.Owner, p.askWithdraw),
		page.Post("/access/:id/withdraw", page.Owner, p.withdraw),
		page.Get("/keys", page.Member, p.keys),
		page.Post("/keys", page.Owner, p.addKey).Confirmed().Once(),
		page.Get("/keys/new", page.Owner, p.newKey).Confirmed(),
		page.Get("/keys/:id", page.Member, p.key),
		page.Get("/keys/:id/revoke", page.Owner, p.askRevoke),
		page.Post("/keys/:id/revoke", page.Owner, p.revokeKey),
		page.Get("/keys/:id/roll", page.Owner, p.askRoll).Confirmed(),
		page.Post("/keys/:id/roll", page.Owner, p.rollKey).Confirmed().Once(),

		// For the staff.
		page.Get("/staff/requests", page.Staff, p.queue),
		page.Get("/staff/requests/:id", page.Staff, p.reviewCase),
		page.Get("/staff/accounts", page.Staff, p.findAccounts),
		page.Get("/staff/accounts/:id", page.Staff, p.holding),
		page.Post("/staff/accounts/:id", page.Staff, p.setPlan),
		page.Get("/staff/look-up", page.Staff, p.lookUp),
		page.Get("/staff/jobs", page.Staff, p.jobs),
		page.Get("/staff/jobs/:id", page.Staff, p.job),
		page.Get("/staff/jobs/:id/retry", page.Staff, p.askRetry),
		page.Post("/staff/jobs/:id/retry", page.Staff, p.retryJob),
	}
	if p.Account != nil {
		all = append(all, p.accountRoutes()...)
	}
	all = append(all, p.webhookRoutes()...)
	all = append(all, p.placeRoutes()...)
	all = append(all, page.Get("/{mode}/activity", page.Member, p.activity), page.Get("/{mode}/activity/:id", page.Member, p.call))
	all = append(all, page.Get("/{mode}/logs", page.Member, p.logs), page.Get("/{mode}/logs/:id", page.Member, p.logged))
	all = append(all, p.applicationRoutes()...)
	all = append(all, p.importRoutes()...)
	all = append(all, p.demoRoutes()...)
	all = append(all, page.Get("/usage", page.Member, p.usage))
	all = append(all, page.Get("/{mode}/mail", page.Member, p.mails), page.Get("/{mode}/mail/:id", page.Member, p.mail), page.Get("/{mode}/mail/:id/look", page.Member, p.look))
	all = append(all, p.decisionRoutes()...)
	all = append(all, p.recordRoutes()...)
	all = append(all, p.docRoutes()...)
	if p.Design {
		all = append(all, p.designRoutes()...)
	}
	return all
}
