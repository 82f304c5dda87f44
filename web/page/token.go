package page

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"

	"portal/api/account"
)

const formCookie = "form"

// formToken is what shows that a form was opened by the reader who sends it.
type formToken struct{ *Request }

// Token is what a form of this reader must send along, which no other site can know.
// It is tied to the session and to the account that is looked at: a form that was
// opened before either changed is refused. Behind a dot it names its reader, sealed, by which
// what was typed is kept where the session is gone.
func (v *Request) Token() string {
	v.own = true
	t := formToken{v}
	token := tokenOf(t.secretOfForms(), v.Person)
	if reader := t.sealedReader(); reader != "" {
		token += "." + reader
	}
	return token
}

func tokenOf(secret string, who *account.Visitor) string {
	of := "form\n" + secret
	if who != nil && who.Account != nil {
		of += "\n" + who.Account.AccountID
	}
	sum := sha256.Sum256([]byte(of))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// secretOfForms is the session's token, or for somebody who is not signed in that of a cookie
// which it makes.
func (v formToken) secretOfForms() string {
	if secret := v.knownSecret(); secret != "" {
		return secret
	}
	made := v.Shell.newCookie(formCookie, random(), 0)
	v.SetCookie(made)
	v.Request.Request().AddCookie(made) // for the next form of the page
	return made.Value
}

func (v formToken) knownSecret() string {
	if v.Person != nil {
		return v.Shell.sessions.Token(v.Ctx())
	}
	if c, err := v.Cookie(v.Shell.cookie(formCookie)); err == nil && len(c.Value) == len(random()) {
		return c.Value
	}
	return ""
}

// made reports whether the form that was sent was opened in a session of somebody, by its token.
func (v formToken) made(secret string, who *account.Visitor) bool {
	sent, _ := v.sent()
	return subtle.ConstantTimeCompare([]byte(sent), []byte(tokenOf(secret, who))) == 1
}

// genuine refuses a form that is not one of ours, opened by this reader.
func (v formToken) genuine() error {
	secret := v.knownSecret()
	if secret == "" || !v.made(secret, v.Person) && !v.earlier() {
		return newRefusal(
			http.StatusForbidden, staleTitle,
			"You signed in, signed out, or switched accounts after you opened it. "+staleWords,
		)
	}
	return nil
}

// EarlierKey is where a session keeps the token that its forms had before its reader
// confirmed who they are.
const EarlierKey = "earlier_token"

// earlier reports whether a form was opened before the reader confirmed who they are.
func (v formToken) earlier() bool {
	kept := v.Session.Kept(EarlierKey)
	sent, _ := v.sent()
	return kept != "" && subtle.ConstantTimeCompare([]byte(sent), []byte(kept)) == 1
}

// RenewKeepingForms is renew, after which forms that were opened before are still taken.
func (s Session) RenewKeepingForms() (token string, err error) {
	t := formToken{s.v}
	earlier := tokenOf(t.knownSecret(), s.v.Person)
	token, err = s.Renew()
	s.Keep(EarlierKey, earlier)
	return token, err
}
