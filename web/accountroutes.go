package web

// accountRoutes are the pages on which people sign in and look after themselves and
// their team.
func (p *Pages) accountRoutes() []route {
	return append([]route{
		get("/sign-in", guest, p.signIn),
		post("/sign-in", guest, p.enter),
		post("/sign-in/passkey/start", guest, p.startPasskey),
		post("/sign-in/passkey", guest, p.enterByPasskey),
		get("/sign-in/second", guest, waiting(p.second)),
		post("/sign-in/second", guest, waiting(p.enterByCode)),
		post("/sign-in/second/passkey/start", guest, waiting(p.startProof)),
		post("/sign-in/second/passkey", guest, waiting(p.enterBySecondPasskey)),
		post("/sign-out", guest, p.signOut),
		get("/sign-up", guest, p.signUp),
		post("/sign-up", guest, p.beginSignUp),
		get("/sign-up/sent", guest, p.signUpSent),
		get("/reset", guest, p.reset),
		post("/reset", guest, p.askReset),
		get("/reset/sent", guest, p.resetSent),
		get("/confirm", person, p.confirm),
		post("/confirm", person, p.confirmed),
		post("/confirm/passkey/start", person, p.startProof),
		post("/confirm/passkey", person, p.confirmedByPasskey),

		// For who has a link from an e-mail, signed in or not.
		get("/verify/:token", guest, p.verify).unlisted(),
		post("/verify/:token", guest, p.finishSignUp).unlisted(),
		get("/reset/:token", guest, p.resetting).unlisted(),
		post("/reset/:token", guest, p.setPassword).unlisted(),
		get("/email/:token", guest, p.newAddress().ask).unlisted(),
		post("/email/:token", guest, p.newAddress().answer).unlisted(),
		get("/email/undo/:token", guest, p.oldAddress().ask).unlisted(),
		post("/email/undo/:token", guest, p.oldAddress().answer).unlisted(),
		get("/join/:token", guest, p.join).unlisted(),
		post("/join/:token", guest, p.accept).unlisted(),

		get("/overview", person, p.overview),
		get("/accounts", person, p.accounts),
		post("/accounts", person, p.switchAccount),
		get("/team", member, p.team),
		get("/team/invite", owner, p.invite),
		post("/team/invite", owner, p.sendInvitation),
		get("/team/invitations/:id/withdraw", owner, p.askWithdraw),
		post("/team/invitations/:id/withdraw", owner, p.withdraw),
		get("/team/members/:id", owner, p.role),
		post("/team/members/:id", owner, p.setRole),
		get("/team/members/:id/remove", owner, p.askRemoveMember),
		post("/team/members/:id/remove", owner, p.removeMember),
		get("/team/leave", member, p.askLeave),
		post("/team/leave", member, p.leaveTeam),
	}, p.settingsRoutes()...)
}

func (p *Pages) settingsRoutes() []route {
	return []route{
		get("/settings", person, p.settings),
		post("/settings", owner, p.saveSettings),
		get("/settings/password", person, p.password),
		post("/settings/password", person, p.changePassword),
		get("/settings/email", person, p.email),
		post("/settings/email", person, p.askEmail),
		get("/settings/security", person, p.security),
		get("/settings/security/app", person, p.app),
		post("/settings/security/app", person, p.addApp),
		get("/settings/security/app/remove", person, p.askRemoveApp),
		post("/settings/security/app/remove", person, p.removeApp),
		get("/settings/security/codes", person, p.askCodes),
		post("/settings/security/codes", person, p.newCodes),
		get("/settings/security/passkeys/new", person, p.newPasskey),
		post("/settings/security/ceremony", person, p.startNewPasskey),
		post("/settings/security/passkeys", person, p.addPasskey),
		get("/settings/security/passkeys/:id", person, p.passkey),
		post("/settings/security/passkeys/:id", person, p.renamePasskey),
		get("/settings/security/passkeys/:id/remove", person, p.askRemovePasskey),
		post("/settings/security/passkeys/:id/remove", person, p.removePasskey),
		get("/settings/sessions", person, p.sessionsOf),
		get("/settings/sessions/others", person, p.askEndOthers),
		post("/settings/sessions/others", person, p.endOthers),
		post("/settings/sessions/:id/end", person, p.endSession),
	}
}
