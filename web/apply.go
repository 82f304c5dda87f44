package web

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"portal/api/fault"
	"portal/api/portfolio"
	"portal/views"
)

// formSize is the most that an application may have, many times what its fields hold.
const formSize = 64 << 10

// apply shows what the link of an invitation opens. Only a reader's GET opens it; a
// HEAD looks whether it is there.
func (p Pages) apply(c echo.Context) error {
	look := p.Guests.ApplyPage
	if c.Request().Method == http.MethodHead {
		look = p.Guests.Lead
	}
	lead, err := look(c.Request().Context(), c.Param("token"))
	if err != nil {
		return noLink(c, err)
	}
	if lead.Invitation.Status == portfolio.InvitationApplied && c.QueryParams().Has("sent") {
		return notice(c, http.StatusOK, lead.Landlord.Name, "Thank you, your application is sent",
			lead.Landlord.Name+" has it now and will be in touch with you about "+lead.Street()+".",
			"You need not do anything else, and can close this page.")
	}
	return p.showLead(c, http.StatusOK, lead, typed(lead), nil)
}

// showLead shows the form with what was typed, or why there is none.
func (p Pages) showLead(c echo.Context, status int, l *portfolio.Lead, f portfolio.ApplicationForm, wrong map[string]string) error {
	landlord := l.Landlord.Name
	switch l.Invitation.Status {
	case portfolio.InvitationApplied:
		return notice(c, max(status, http.StatusOK), landlord, "Your application was sent already",
			landlord+" has it. An application can be sent once; to change something in it, write to "+landlord+".")
	case portfolio.InvitationExpired:
		return notice(c, http.StatusGone, landlord, "This link has expired",
			"It was good until "+l.LastDay().Words()+". Ask "+landlord+" for a new one if you still want to apply for "+l.Street()+".")
	case portfolio.InvitationCancelled:
		return notice(c, http.StatusGone, landlord, "This invitation was withdrawn",
			landlord+" takes no application for "+l.Street()+" with this link any more.")
	}
	return draw(c, status, views.ApplyPage(p.applyView(l, f, wrong)))
}

// sendApplication takes the form. What is wrong with it is shown beside the fields; a
// second one finds that the first was sent.
func (p Pages) sendApplication(c echo.Context) error {
	token := c.Param("token")
	if status := readForm(c); status != http.StatusOK {
		return noForm(c, status)
	}
	f := formOf(c.Request().PostForm)
	err := p.Guests.Apply(c.Request().Context(), token, f)
	if err == nil {
		return c.Redirect(http.StatusSeeOther, "/apply/"+url.PathEscape(token)+"?sent")
	}
	said := fault.From(err)
	if said.Code != fault.InvalidTransition && len(said.Details) == 0 {
		return p.notTaken(c, token, f, err)
	}
	lead, err := p.Guests.Lead(c.Request().Context(), token)
	if err != nil {
		return noLink(c, err)
	}
	wrong := map[string]string{}
	for _, d := range said.Details {
		wrong[d.Param] = d.Message
	}
	status := http.StatusBadRequest
	if said.Code == fault.InvalidTransition {
		status = http.StatusConflict
	}
	return p.showLead(c, status, lead, f, wrong)
}

// notTaken shows the form as it was typed, where it is not its fault that nothing was
// sent. The error is returned, too, for the log.
func (p Pages) notTaken(c echo.Context, token string, f portfolio.ApplicationForm, failed error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request().Context()), 5*time.Second) // that of the request may be over
	defer cancel()
	lead, err := p.Guests.Lead(ctx, token)
	if err != nil {
		return noLink(c, err)
	}
	view := p.applyView(lead, f, nil)
	view.Trouble = "What you typed is still here. Send it again in a moment."
	return errors.Join(failed, draw(c, fault.From(failed).Code.Entry().Status, views.ApplyPage(view)))
}

// readForm reads a form of bounded size into the request, and tells the status of one
// that it does not take.
func readForm(c echo.Context) int {
	r := c.Request()
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != echo.MIMEApplicationForm {
		return http.StatusUnsupportedMediaType
	}
	r.Body = http.MaxBytesReader(c.Response(), r.Body, formSize)
	err := r.ParseForm()
	tooLarge := (*http.MaxBytesError)(nil)
	switch {
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	case err != nil:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

func noForm(c echo.Context, status int) error {
	switch status {
	case http.StatusUnsupportedMediaType:
		return notice(c, status, "", "This is not the form of the page", "Open the link again and send the form that it shows.")
	case http.StatusRequestEntityTooLarge:
		return notice(c, status, "", "That is too much text",
			fmt.Sprintf("A form may have %d KB in all. Go back, shorten what you wrote and send it again.", formSize>>10))
	}
	return notice(c, status, "", "The form could not be read", "Go back and send it again.")
}

// unsubscribe asks first: mail programs follow links to look what is behind them.
func (p Pages) unsubscribe(c echo.Context) error {
	landlord, stopped, err := p.Guests.Unsubscribing(c.Request().Context(), c.Param("token"))
	if err != nil {
		return noLink(c, err)
	}
	if stopped {
		return p.unsubscribed(c, landlord)
	}
	title := "Get no more invitations from " + landlord + "?"
	return draw(c, http.StatusOK, views.NoticePage(views.Notice{
		Letterhead: letterhead(title, landlord), Title: title, Button: "Stop invitations",
		Words: []string{"Your address will get no more e-mail that invites you to apply. An application that you have sent is not touched."},
	}))
}

// stopInvitations is posted by the page, and by mail programs whose reader presses
// their own button (RFC 8058). What the body says is no matter.
func (p Pages) stopInvitations(c echo.Context) error {
	if err := p.Guests.Unsubscribe(c.Request().Context(), c.Param("token")); err != nil {
		return noLink(c, err)
	}
	landlord, _, err := p.Guests.Unsubscribing(c.Request().Context(), c.Param("token"))
	if err != nil {
		return noLink(c, err)
	}
	return p.unsubscribed(c, landlord)
}

func (p Pages) unsubscribed(c echo.Context, landlord string) error {
	return notice(c, http.StatusOK, landlord, "You get no more invitations from "+landlord,
		"If you change your mind, tell "+landlord+": they can still hand you a link themselves.")
}
