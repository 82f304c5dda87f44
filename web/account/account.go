package account

import (
	"net/http"
	"net/url"

	"portal/api/account"
	"portal/api/fault"
	"portal/static"
	"portal/views/kit"
	"portal/web/page"
)

// entered reports whether somebody is wholly signed in.
func entered(v *page.Request) bool { return v.Person != nil && !v.Person.Pending }

// onward is where the reader wanted to go.
func onward(v *page.Request) string { return page.Next(v.Form().Text("next"), "/overview") }

// begin signs somebody in by what they have shown, under a new token, and leads on: to
// the second factor where it is still to be shown.
func (p *Section) begin(v *page.Request, proof *account.Proof, to string) error {
	token, err := v.Session.Renew()
	if err != nil {
		return err
	}
	begun, err := p.Account.Sessions.Begin(v.Ctx(), proof, token, v.From())
	if err != nil {
		return err
	}
	if begun.Pending {
		return v.SeeOther("/sign-in/second?next=" + url.QueryEscape(to))
	}
	v.Remember(begun.Device)
	return v.SeeOther(to)
}

// goOn lets the session go on under a new token, for what its reader may do has changed.
func (p *Section) goOn(v *page.Request) error {
	v.Session.Take(page.EarlierKey)
	token, err := v.Session.Renew()
	if err != nil {
		return err
	}
	return p.Account.Sessions.Continue(v.Ctx(), v.Person, token)
}

// nextField carries where the reader wanted to go.
func nextField() kit.Field { return kit.Field{Name: "next", Kind: "hidden"} }

// emailField asks for an email address.
func emailField(label, complete string) kit.Field {
	return kit.Field{Name: "email", Label: label, Kind: "email", Mode: "email", Complete: complete}
}

// fixedEmail shows the address with which somebody signs in from now on, also to their password manager.
func fixedEmail(address string) kit.Field {
	f := emailField("Email address", "username")
	f.Value, f.Mode, f.Fixed = address, "", true
	return f
}

// currentPassword asks for the password of the reader.
func currentPassword() kit.Field {
	return kit.Field{Name: "password", Label: "Password", Kind: "password", Complete: "current-password"}
}

// deadLink is the answer for the link of an email that does nothing any more.
func deadLink(v *page.Request, err error) error {
	if !fault.Is(err, fault.NoRecord) {
		return err
	}
	return v.ShowAs(http.StatusNotFound, kit.RefusedPage(kit.Refused{
		Frame:  v.Frame("This link doesn’t work"),
		Status: http.StatusNotFound,
		Words:  fault.From(err).Message + " If you copied the link, make sure you copied all of it.",
	}))
}

// scripted is a frame whose page asks for passkeys.
func scripted(v *page.Request, title string) kit.Frame {
	f := v.Frame(title)
	f.Scripts = append(f.Scripts, static.URL("passkey.js"))
	return f
}
