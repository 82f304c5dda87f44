package web

import (
	"context"
	"io"
	"net/http"
	"time"

	"portal/api/account"
	"portal/views"
)

// endings let people take their data along and go.
type endings interface {
	Export(ctx context.Context, v *account.Visitor, w io.Writer, from account.Client) error
	Close(ctx context.Context, v *account.Visitor, plain string, from account.Client) error
}

// exportTime is how long taking the data along may take, more than any other answer.
const exportTime = 10 * time.Minute

// takeAlong sends all data of the account as a file. It changes nothing, so a link does.
func (p *Pages) takeAlong(v *visit) error {
	if v.Request().Method == http.MethodHead {
		return nil
	}
	if err := v.commit(); err != nil {
		return err
	}
	return p.Account.Export(v.ctx(), v.person, &download{visit: v, kind: "application/zip", name: "portal-" + p.Now().UTC().Format("2006-01-02") + ".zip"}, v.from())
}

// download is an answer that becomes a file with its first byte. Until then it may be a
// page that says why there is none.
type download struct {
	*visit
	kind, name string
	begun      bool
}

// Write is io.Writer.
func (d *download) Write(b []byte) (int, error) {
	w := d.Response()
	if !d.begun {
		d.begun = true
		w.Header().Set("Content-Type", d.kind)
		w.Header().Set("Content-Disposition", `attachment; filename="`+d.name+`"`)
		_ = http.NewResponseController(w).SetWriteDeadline(d.shell.Now().Add(exportTime)) // without it large ones are cut off
	}
	return w.Write(b)
}

func (p *Pages) askClose(v *visit) error { return p.closeForm(v, v.form()) }

// closeAccount leads to another account of the reader's, where there is one.
func (p *Pages) closeAccount(v *visit) error {
	f, name := v.form(), v.person.Account.Name
	err := p.Account.Close(v.ctx(), v.person, f.raw("password"), v.from())
	if f.refused(err) {
		return p.closeForm(v, f)
	}
	if err != nil {
		return err
	}
	left, err := p.Account.Accounts(v.ctx(), v.person)
	if err != nil {
		return err
	}
	if len(left) == 0 {
		return p.farewell(v, name)
	}
	if err := p.goOn(v); err != nil {
		return err
	}
	return v.done("/overview", name+" is closed.")
}

func (p *Pages) farewell(v *visit, name string) error {
	if err := v.leave(); err != nil {
		return err
	}
	return v.show(views.WordsPage(views.Words{Frame: v.frame(name + " is closed"), Words: []string{
		"You are signed out. Your data about people is erased after 30 days.", "Thank you for having been here."}, Links: []views.Link{{Name: "To the front page", Path: "/"}}}))
}

func (p *Pages) closeForm(v *visit, f *form) error {
	name := v.person.Account.Name
	return v.showAs(f.status, views.ConfirmPage(views.Confirm{Frame: v.frame("Close the account"), Title: "Close " + name + "?",
		Words: []string{"All keys stop at once, webhooks are not sent any more, and the team is signed out. This cannot be undone.",
			"Data about people is erased after 30 days. The ledger and signed leases are kept for 7 years, as the law may ask for them. Download your data first if you want to keep it."},
		Form: f.fill(views.Form{Action: "/settings/close", Submit: "Close the account", Danger: true, Cancel: "/settings", Failed: "The account is not closed",
			Groups: []views.FieldGroup{{Fields: []views.Field{{Name: "password", Label: "Password", Kind: "password", Complete: "current-password"}}}}})}))
}
