package account

import (
	"net/http"
	"time"

	"portal/api/change"
	views "portal/views/account"
	"portal/views/kit"
	"portal/web/page"
)

// exportTime is how long taking the data along may take, more than any other answer.
const exportTime = 10 * time.Minute

// exportData sends all data of the account as a file. It changes nothing, so a link does.
func (p *settingsPages) exportData(v *page.Request) error {
	if v.Request().Method == http.MethodHead {
		return nil
	}
	if err := v.Session.Commit(); err != nil {
		return err
	}
	return p.Account.Closing.Export(v.Ctx(), v.Person, &download{
		Request: v,
		kind:    "application/zip",
		name:    "portal-" + p.Now().UTC().Format("2006-01-02") + ".zip",
	}, v.From())
}

// download is an answer that becomes a file with its first byte. Until then it may be a
// page that says why there is none.
type download struct {
	*page.Request
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
		_ = http.NewResponseController(w).SetWriteDeadline(
			d.Shell.Now().Add(exportTime),
		) // without it large ones are cut off
	}
	return w.Write(b)
}

func (p *settingsPages) closeAccount(v *page.Request) error {
	name := v.Person.Account.Name
	return page.Question{
		Title:  "Close " + name + "?",
		Window: "Close account",
		Words: []string{
			"API keys and webhooks stop right away, and everyone is signed out. This can’t be undone.",
			"Personal data is erased after 30 days. We keep the ledger and signed leases for 7 years for legal " +
				"reasons. Download your data first if you want to keep it.",
		},
		Form: kit.Form{
			Action:   "/settings/close",
			Submit:   "Close account",
			Danger:   true,
			Failed:   "The account isn’t closed",
			Username: v.Person.Email,
			Groups:   []kit.FieldGroup{{Fields: []kit.Field{currentPassword()}}},
		},
		Back: "/settings",
		Do: func(f *page.Form, _ change.Target) error {
			if err := p.Account.Closing.Close(v.Ctx(), v.Person, f.Raw("password"), v.From()); err != nil {
				return err
			}
			return p.closed(v, name)
		},
	}.Serve(v)
}

// closed leads to another account of the reader's, where there is one.
func (p *settingsPages) closed(v *page.Request, name string) error {
	left, err := p.Account.Members.Accounts(v.Ctx(), v.Person)
	if err != nil {
		return err
	}
	if len(left) == 0 {
		if err := v.Session.Leave(); err != nil {
			return err
		}
		return v.Show(views.WordsPage(views.Words{
			Frame: v.Frame(name + " is closed"),
			Words: []string{"You’re signed out. Personal data is erased after 30 days."},
			Links: []kit.Link{{Name: "Go to the home page", Path: "/"}},
		}))
	}
	if err := p.goOn(v); err != nil {
		return err
	}
	return v.Done("/overview", name+" is closed.")
}
