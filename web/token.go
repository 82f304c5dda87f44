package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"

	"portal/views"
)

const formCookie = "form"

// token is what a form of this reader must send along, which no other site can know.
// It is tied to the session and to the account that is looked at: a form that was
// opened before either changed is refused.
func (v *visit) token() string {
	v.own = true
	return v.tokenOf(v.secretOfForms())
}

func (v *visit) tokenOf(secret string) string {
	of := "form\n" + secret
	if v.person != nil && v.person.Account != nil {
		of += "\n" + v.person.Account.AccountID
	}
	sum := sha256.Sum256([]byte(of))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// secretOfForms is the session's token, or for who is not signed in that of a cookie
// which it makes.
func (v *visit) secretOfForms() string {
	if secret := v.knownSecret(); secret != "" {
		return secret
	}
	made := v.shell.biscuit(formCookie, random(), 0)
	v.SetCookie(made)
	v.Request().AddCookie(made) // for the next form of the page
	return made.Value
}

func (v *visit) knownSecret() string {
	if v.person != nil {
		return v.shell.sessions.Token(v.ctx())
	}
	if c, err := v.Cookie(v.shell.cookie(formCookie)); err == nil && len(c.Value) == len(random()) {
		return c.Value
	}
	return ""
}

// genuine refuses a form that is not one of ours, opened by this reader.
func (v *visit) genuine() error {
	secret, sent := v.knownSecret(), v.Request().PostForm.Get(views.TokenField)
	if secret == "" || subtle.ConstantTimeCompare([]byte(sent), []byte(v.tokenOf(secret))) != 1 && !v.earlier(sent) {
		return refusal{http.StatusForbidden, "This form is out of date",
			"You have signed in, signed out or changed the account since the page was opened. Nothing was changed. Go back, load the page again and send the form once more."}
	}
	return nil
}

// earlierKey is where a session keeps the token that its forms had before its reader
// confirmed who they are.
const earlierKey = "earlier_token"

// earlier tells whether a form was opened before the reader confirmed who they are.
func (v *visit) earlier(sent string) bool {
	kept := v.kept(earlierKey)
	return kept != "" && subtle.ConstantTimeCompare([]byte(sent), []byte(kept)) == 1
}

// renewKeepingForms is renew, after which forms that were opened before are still taken.
func (v *visit) renewKeepingForms() (token string, err error) {
	earlier := v.tokenOf(v.knownSecret())
	token, err = v.renew()
	v.keep(earlierKey, earlier)
	return token, err
}
