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
	if p.Account != nil {
		all = append(all, p.accountRoutes()...)
	}
	if p.Design {
		all = append(all, p.designRoutes()...)
	}
	return all
}
