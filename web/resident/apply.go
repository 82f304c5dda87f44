package resident

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"portal/api/fault"
	"portal/api/portfolio/lease/application"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

// Guests is what people with a link and no account can do.
type Guests interface {
	Lead(ctx context.Context, token string) (*application.Lead, error)
	ApplyPage(ctx context.Context, token string) (*application.Lead, error)
	Apply(ctx context.Context, token string, c application.Create) error
}

// apply shows what the link of an invitation opens. Only a reader's GET opens it; a
// HEAD looks whether it is there.
func (p *Section) apply(v *page.Request) error {
	look := p.Guests.ApplyPage
	if v.Request().Method == http.MethodHead {
		look = p.Guests.Lead
	}
	lead, err := look(v.Request().Context(), v.Param("token"))
	if err != nil {
		return v.NoLink(err)
	}
	if lead.Invitation.Status == application.InvitationApplied && v.QueryParams().Has("sent") {
		return v.Notice(http.StatusOK, lead.Landlord.Name, "Application sent",
			lead.Landlord.Name+" has it now and will contact you about "+lead.Street()+".",
			"You can close this page.")
	}
	return p.showLead(v, lead, page.Blank(known(lead)))
}

// showLead shows the form with what was typed, or why there is none.
func (p *Section) showLead(v *page.Request, l *application.Lead, f *page.Form) error {
	landlord := l.Landlord.Name
	switch l.Invitation.Status {
	case application.InvitationApplied:
		return v.Notice(f.Status, landlord, "You already sent this application",
			landlord+" has it. To change something in it, contact "+landlord+".")
	case application.InvitationExpired:
		return v.Notice(http.StatusGone, landlord, "This link has expired",
			"It worked until "+l.LastDay().Words()+". Ask "+landlord+
				" for a new one if you still want to apply for "+l.Street()+".")
	case application.InvitationCancelled:
		return v.Notice(http.StatusGone, landlord, "This invitation was withdrawn",
			landlord+" no longer accepts an application for "+l.Street()+" with this link.")
	}
	return v.ShowAs(f.Status, views.ApplyPage(p.applyView(l, f)))
}

// sendApplication takes the form. What is wrong with it is shown beside the fields; a
// second one finds that the first was sent.
func (p *Section) sendApplication(v *page.Request) error {
	token := v.Param("token")
	if status := v.ReadForm(); status != http.StatusOK {
		return page.Unread(status, page.FormSize)
	}
	f := v.Form()
	lead, err := p.Guests.Lead(v.Request().Context(), token)
	if err != nil {
		return p.notTaken(v, token, f, err)
	}
	if lead.Invitation.Status == application.InvitationApplied {
		f.Status = http.StatusConflict
		return p.showLead(v, lead, f)
	}
	c := applicationCreate.BindOn(
		lead.Today,
		v.Zone(),
		f,
		"first_name",
		"last_name",
		"email",
		"phone",
		"move_in_date",
		"adults",
		"children",
		"pets",
		"monthly_income",
		"notes",
	)
	if f.Rejected() {
		return p.showLead(v, lead, f)
	}
	err = p.Guests.Apply(v.Request().Context(), token, c)
	switch {
	case err == nil:
		return v.SeeOther("/apply/" + url.PathEscape(token) + "?sent")
	case !f.Refused(err):
		return p.notTaken(v, token, f, err)
	}
	if lead, err = p.Guests.Lead(v.Request().Context(), token); err != nil { // as it is by now
		return v.NoLink(err)
	}
	return p.showLead(v, lead, f)
}

// notTaken shows the form as it was typed, where it is not its fault that nothing was
// sent. The error is returned, too, for the log.
func (p *Section) notTaken(v *page.Request, token string, f *page.Form, failed error) error {
	// The request's own context may have ended.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(v.Request().Context()), 5*time.Second)
	defer cancel()
	lead, err := p.Guests.Lead(ctx, token)
	if err != nil {
		return v.NoLink(err)
	}
	view := p.applyView(lead, f)
	view.Trouble = "What you typed is still here. Send it again in a moment."
	return errors.Join(failed, v.ShowAs(fault.From(failed).Code.Entry().Status, views.ApplyPage(view)))
}

// unsubscribe asks first: mail programs follow links to look what is behind them.
func (p *Section) unsubscribe(v *page.Request) error {
	landlord, stopped, err := p.Emails.Unsubscribing(v.Request().Context(), v.Param("token"))
	if err != nil {
		return v.NoLink(err)
	}
	if stopped {
		return p.unsubscribed(v, landlord)
	}
	title := "Stop invitations from " + landlord + "?"
	return v.ShowAs(http.StatusOK, kit.NoticePage(kit.GuestNotice{
		GuestHeader: page.GuestHeader(title, landlord),
		Title:       title,
		Button:      "Stop invitations",
		Words: []string{
			"You won’t get any more invitations to apply. Applications you sent aren’t affected.",
		},
	}))
}

// stopInvitations is posted by the page, and by mail programs whose reader presses
// their own button (RFC 8058). What the body says is no matter.
func (p *Section) stopInvitations(v *page.Request) error {
	if err := p.Emails.Unsubscribe(v.Request().Context(), v.Param("token")); err != nil {
		return v.NoLink(err)
	}
	landlord, _, err := p.Emails.Unsubscribing(v.Request().Context(), v.Param("token"))
	if err != nil {
		return v.NoLink(err)
	}
	return p.unsubscribed(v, landlord)
}

func (p *Section) unsubscribed(v *page.Request, landlord string) error {
	return v.Notice(http.StatusOK, landlord, "You won’t get any more invitations from "+landlord,
		"If you change your mind, tell "+landlord+": they can still hand you a link themselves.")
}
