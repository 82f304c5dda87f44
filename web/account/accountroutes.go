package account

import "portal/web/page"

// Routes are the pages on which people sign in and look after themselves and
// their team.
func (p *Section) Routes() []page.Route {
	return append([]page.Route{
		page.Get("/sign-in", page.Guest, p.signIn),
		page.Post("/sign-in", page.Guest, p.enter),
		page.Post("/sign-in/passkey/start", page.Guest, p.startPasskey),
		page.Post("/sign-in/passkey", page.Guest, p.enterByPasskey),
		page.Get("/sign-in/second", page.Guest, waiting(p.second)),
		page.Post("/sign-in/second", page.Guest, waiting(p.enterByCode)),
		page.Post("/sign-in/second/passkey/start", page.Guest, waiting(p.startProof)),
		page.Post("/sign-in/second/passkey", page.Guest, waiting(p.enterBySecondPasskey)),
		page.Post("/sign-out", page.Guest, p.signOut),
		page.Get("/sign-up", page.Guest, p.signUp),
		page.Post("/sign-up", page.Guest, p.beginSignUp),
		page.Get("/sign-up/sent", page.Guest, p.signUpSent),
		page.Get("/reset", page.Guest, p.reset),
		page.Post("/reset", page.Guest, p.askReset),
		page.Get("/reset/sent", page.Guest, p.resetSent),
		page.Get("/confirm", page.SignedIn, p.confirm),
		page.Post("/confirm", page.SignedIn, p.confirmed),
		page.Post("/confirm/passkey/start", page.SignedIn, p.startProof),
		page.Post("/confirm/passkey", page.SignedIn, p.confirmed),

		// For who has a link from an e-mail, signed in or not.
		page.Get("/verify/:token", page.Guest, p.verify).Unlisted(),
		page.Post("/verify/:token", page.Guest, p.finishSignUp).Unlisted(),
		page.Get("/reset/:token", page.Guest, p.resetting).Unlisted(),
		page.Post("/reset/:token", page.Guest, p.setPassword).Unlisted(),
		page.Get("/email/:token", page.Guest, p.newAddress().ask).Unlisted(),
		page.Post("/email/:token", page.Guest, p.newAddress().answer).Unlisted(),
		page.Get("/email/undo/:token", page.Guest, p.oldAddress().ask).Unlisted(),
		page.Post("/email/undo/:token", page.Guest, p.oldAddress().answer).Unlisted(),
		page.Get("/join/:token", page.Guest, p.join).Unlisted(),
		page.Post("/join/:token", page.Guest, p.accept).Unlisted(),

		page.Get("/accounts", page.SignedIn, p.accounts),
		page.Post("/accounts", page.SignedIn, p.switchAccount),
		page.Get("/team", page.Member, p.team),
		page.Get("/team/invite", page.Owner, p.invite).Confirmed(),
		page.Post("/team/invite", page.Owner, p.sendInvitation).Confirmed().Once(),
		page.Get("/team/invitations/:id/withdraw", page.Owner, p.askWithdrawInvitation),
		page.Post("/team/invitations/:id/withdraw", page.Owner, p.withdrawInvitation),
		page.Get("/team/members/:id", page.Owner, p.role).Confirmed(),
		page.Post("/team/members/:id", page.Owner, p.setRole).Confirmed(),
		page.Get("/team/members/:id/remove", page.Owner, p.askRemoveMember),
		page.Post("/team/members/:id/remove", page.Owner, p.removeMember),
		page.Get("/team/leave", page.Member, p.askLeave),
		page.Post("/team/leave", page.Member, p.leaveTeam),
	}, p.settingsRoutes()...)
}

func (p *Section) settingsRoutes() []page.Route {
	return []page.Route{
		page.Get("/settings", page.SignedIn, p.settings),
		page.Post("/settings", page.Owner, p.saveSettings),
		page.Get("/settings/mail", page.Member, p.notices),
		page.Post("/settings/mail", page.Member, p.chooseNotices),
		page.Get("/settings/export", page.Owner, p.takeAlong).Confirmed(),
		page.Get("/settings/close", page.Owner, p.askClose).Confirmed(),
		page.Post("/settings/close", page.Owner, p.closeAccount).Confirmed(),
		page.Get("/settings/password", page.SignedIn, p.password),
		page.Post("/settings/password", page.SignedIn, p.changePassword),
		page.Get("/settings/email", page.SignedIn, p.email).Confirmed(),
		page.Post("/settings/email", page.SignedIn, p.askEmail).Confirmed(),
		page.Get("/settings/security", page.SignedIn, p.security),
		page.Get("/settings/security/app", page.SignedIn, p.app).Confirmed(),
		page.Post("/settings/security/app", page.SignedIn, p.addApp).Confirmed(),
		page.Get("/settings/security/app/remove", page.SignedIn, p.askRemoveApp).Confirmed(),
		page.Post("/settings/security/app/remove", page.SignedIn, p.removeApp).Confirmed(),
		page.Get("/settings/security/codes", page.SignedIn, p.askCodes).Confirmed(),
		page.Post("/settings/security/codes", page.SignedIn, p.newCodes).Confirmed().Once(),
		page.Get("/settings/security/passkeys/new", page.SignedIn, p.newPasskey).Confirmed(),
		page.Post("/settings/security/ceremony", page.SignedIn, p.startNewPasskey).Confirmed(),
		page.Post("/settings/security/passkeys", page.SignedIn, p.addPasskey).Confirmed(),
		page.Get("/settings/security/passkeys/:id", page.SignedIn, p.passkey),
		page.Post("/settings/security/passkeys/:id", page.SignedIn, p.renamePasskey),
		page.Get("/settings/security/passkeys/:id/remove", page.SignedIn, p.askRemovePasskey).Confirmed(),
		page.Post("/settings/security/passkeys/:id/remove", page.SignedIn, p.removePasskey).Confirmed(),
		page.Get("/settings/sessions", page.SignedIn, p.sessionsOf),
		page.Get("/settings/sessions/others", page.SignedIn, p.askEndOthers),
		page.Post("/settings/sessions/others", page.SignedIn, p.endOthers),
		page.Post("/settings/sessions/:id/end", page.SignedIn, p.endSession),
	}
}
