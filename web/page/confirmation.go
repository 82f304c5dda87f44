package page

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"portal/api/clock"
	"portal/views/kit"
)

// Fresh tells whether nobody needs to be asked again.
func (v *Request) Fresh() bool { return v.Person.Fresh(clock.At(v.Shell.Now())) }

// confirmedOrAsked tells whether who asks for a route that needs it has shown lately who
// they are. Otherwise a page leads to the confirmation and back; to a form the confirmation
// is the answer, which holds what was typed and goes on with it.
func (v *Request) confirmedOrAsked() (sure bool, err error) {
	switch r := v.Request(); {
	case !v.route.AsksAgain:
		return true, nil
	case r.Method != http.MethodPost, r.Header.Get("Accept") == "application/json": // a script follows where it is led
		if !v.Fresh() {
			err = Detour{"/confirm"}
		}
		return err == nil, err
	}
	f := v.Form()
	held, waits := f.held()
	if v.Fresh() {
		if waits {
			v.Request().PostForm = held
		}
		return true, nil
	}
	if !waits {
		return false, v.Shell.Confirmation.Ask(v, Blank(url.Values{}), encodeForm(f.Values))
	}
	if err := v.Shell.Confirmation.Prove(v, f); f.Refused(err) {
		return false, v.Shell.Confirmation.Ask(v, f, f.Raw(kit.HeldField))
	} else if err != nil {
		return false, err
	}
	v.Request().PostForm = held
	return true, v.permitted() // as it is now
}

// encodeForm is a form as a hidden field of another one. Passwords are never sent back.
func encodeForm(sent url.Values) string {
	kept := url.Values{}
	for name, values := range sent {
		if name != kit.TokenField && name != kit.HeldField && !strings.Contains(name, "password") {
			kept[name] = values
		}
	}
	return base64.RawURLEncoding.EncodeToString([]byte(kept.Encode()))
}

// held is the form that waits in another one.
func (f *Form) held() (sent url.Values, waits bool) {
	text, err := base64.RawURLEncoding.DecodeString(f.Raw(kit.HeldField))
	if err != nil || len(f.Values[kit.HeldField]) == 0 {
		return nil, false
	}
	sent, err = url.ParseQuery(string(text))
	return sent, err == nil
}
