package resident

import (
	"portal/views/kit"
	"portal/web/page"
)

// tenantMailRoutes are the pages on which a tenant stops and starts emails about tickets.
func (p *Section) tenantMailRoutes() []page.Route {
	if p.Tenants == nil {
		return nil
	}
	return []page.Route{
		page.Get("/tenant/:token/mail/stop", page.LinkHolder, p.tenant(tenantMail)),
		page.Post("/tenant/:token/mail/stop", page.LinkHolder, p.tenant(tenantStopMail)),
		page.Post("/tenant/:token/mail/start", page.LinkHolder, p.tenant(tenantStartMail)),
	}
}

// tenantMail asks first: mail programs follow links to look what is behind them.
func tenantMail(t *tenantRequest) error {
	if t.Link.MailStoppedAt != nil {
		return t.mailStopped()
	}
	title := t.say("Stop emails about your tickets?", "¿No recibir más correos sobre sus solicitudes?")
	if t.QueryParam("started") != "" {
		title = t.say("You get emails about your tickets again", "Recibe de nuevo correos sobre sus solicitudes")
	}
	return t.mailNotice(title, kit.GuestNotice{
		Words: []string{t.say(
			"We email you at most once an hour when "+t.Landlord.Name+" does something about one of your tickets. "+
				"If you stop these emails, your page still shows it all.",
			"Le enviamos como máximo un correo por hora cuando "+t.Landlord.Name+
				" hace algo sobre una de sus solicitudes. Si los detiene, su página lo sigue mostrando todo.",
		)},
		Button: t.say("Stop emails", "Detener los correos"),
		Action: t.at("/mail/stop") + langQuery(t.Request),
	})
}

// tenantStopMail is posted by the page, and by mail programs whose reader presses their own button (RFC 8058). What
// the body says is no matter.
func tenantStopMail(t *tenantRequest) error {
	if err := t.section.Tenants.StopMail(t.Ctx(), t.Param("token")); err != nil {
		return t.NoLink(err)
	}
	return t.mailStopped()
}

// tenantStartMail has emails leave again.
func tenantStartMail(t *tenantRequest) error {
	if err := t.section.Tenants.StartMail(t.Ctx(), t.Param("token")); err != nil {
		return t.NoLink(err)
	}
	return t.SeeOther(t.at("/mail/stop") + langQuery(t.Request) + "&started=1")
}

// mailStopped says that there are no more emails, and offers them again.
func (t *tenantRequest) mailStopped() error {
	title := t.say("You get no more emails about your tickets", "Ya no recibe correos sobre sus solicitudes")
	return t.mailNotice(title, kit.GuestNotice{
		Words: []string{t.say(
			"Your page still shows what happens to them.",
			"Su página sigue mostrando lo que pasa con ellas.",
		)},
		Button: t.say("Get emails again", "Recibir correos de nuevo"),
		Action: t.at("/mail/start") + langQuery(t.Request),
	})
}

// mailNotice shows a page about emails in the frame of the tenant's pages.
func (t *tenantRequest) mailNotice(title string, n kit.GuestNotice) error {
	n.GuestHeader, n.Title = t.frame(title, "/mail").GuestHeader, title
	return t.Show(kit.NoticePage(n))
}
