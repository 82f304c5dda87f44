package web

// routes are all pages: method, address, for whom, and what answers.
func (p *Pages) routes() []route {
	all := []route{
		// For everybody.
		get("/", guest, p.home),
		get("/static/*", public, p.file),

		// For who has a link from an e-mail.
		get("/apply/:token", bearer, p.apply),
		post("/apply/:token", bearer, p.sendApplication),
		get("/mail/unsubscribe/:token", bearer, p.unsubscribe),
		post("/mail/unsubscribe/:token", bearer, p.stopInvitations),

		// The way to the API: apply, wait, create a key.
		get("/overview", person, p.overview),
		get("/access", member, p.access),
		post("/access", owner, p.applyForAccess).once(),
		get("/access/:id/withdraw", owner, p.askWithdraw),
		post("/access/:id/withdraw", owner, p.withdraw),
		get("/keys", member, p.keys),
		post("/keys", owner, p.addKey).confirmed().once(),
		get("/keys/new", owner, p.newKey).confirmed(),
		get("/keys/:id", member, p.key),
		get("/keys/:id/revoke", owner, p.askRevoke),
		post("/keys/:id/revoke", owner, p.revokeKey),
		get("/keys/:id/roll", owner, p.askRoll).confirmed(),
		post("/keys/:id/roll", owner, p.rollKey).confirmed().once(),

		// For the staff.
		get("/staff/requests", staff, p.queue),
		get("/staff/requests/:id", staff, p.reviewCase),
		get("/staff/accounts", staff, p.findAccounts),
		get("/staff/accounts/:id", staff, p.holding),
		post("/staff/accounts/:id", staff, p.setPlan),
		get("/staff/look-up", staff, p.lookUp),
		get("/staff/jobs", staff, p.jobs),
		get("/staff/jobs/:id", staff, p.job),
		get("/staff/jobs/:id/retry", staff, p.askRetry),
		post("/staff/jobs/:id/retry", staff, p.retryJob),
	}
	if p.Account != nil {
		all = append(all, p.accountRoutes()...)
	}
	all = append(all, p.webhookRoutes()...)
	all = append(all, p.placeRoutes()...)
	all = append(all, get("/{mode}/activity", member, p.activity), get("/{mode}/activity/:id", member, p.call))
	all = append(all, get("/{mode}/logs", member, p.logs), get("/{mode}/logs/:id", member, p.logged))
	all = append(all, p.applicationRoutes()...)
	all = append(all, p.importRoutes()...)
	all = append(all, p.demoRoutes()...)
	all = append(all, get("/usage", member, p.usage))
	all = append(all, get("/{mode}/mail", member, p.mails), get("/{mode}/mail/:id", member, p.mail), get("/{mode}/mail/:id/look", member, p.look))
	all = append(all, p.decisionRoutes()...)
	all = append(all, p.recordRoutes()...)
	all = append(all, p.docRoutes()...)
	if p.Design {
		all = append(all, p.designRoutes()...)
	}
	return all
}
