package web

// routes are all pages: method, address, for whom, and what answers.
func (p *Pages) routes() []route {
	all := []route{
		// For everybody.
		get("/", guest, p.home),
		get("/docs/errors", guest, p.errors),
		get("/docs/errors.md", public, p.errorsMarkdown),
		get("/static/*", public, p.file),

		// For who has a link from an e-mail.
		get("/apply/:token", bearer, p.apply),
		post("/apply/:token", bearer, p.sendApplication),
		get("/mail/unsubscribe/:token", bearer, p.unsubscribe),
		post("/mail/unsubscribe/:token", bearer, p.stopInvitations),
	}
	all = append(all, p.webhookRoutes()...)
	all = append(all, get("/{mode}/activity", member, p.activity), get("/{mode}/activity/:id", member, p.call))
	all = append(all, get("/{mode}/logs", member, p.logs), get("/{mode}/logs/:id", member, p.logged))
	if p.Design {
		all = append(all, p.designRoutes()...)
	}
	return all
}
