package web

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"portal/api/clock"
	"portal/views"
)

// fresh tells whether nobody needs to be asked again.
func (v *visit) fresh() bool { return v.person.Fresh(clock.At(v.shell.Now())) }

// confirmedOrAsked tells whether who asks for a route that needs it has shown lately who
// they are. Otherwise a page leads to the confirmation and back; to a form the confirmation
// is the answer, which holds what was typed and goes on with it.
func (v *visit) confirmedOrAsked() (sure bool, err error) {
	switch r := v.Request(); {
	case !v.route.asksAgain:
		return true, nil
	case r.Method != http.MethodPost, r.Header.Get("Accept") == "application/json": // a script follows where it is led
		if !v.fresh() {
			err = lead{"/confirm"}
		}
		return err == nil, err
	}
	f := v.form()
	held, waits := f.held()
	if v.fresh() {
		if waits {
			v.Request().PostForm = held
		}
		return true, nil
	}
	if !waits {
		return false, v.shell.Confirmation.Ask(v, blank(url.Values{}), hold(f.values))
	}
	if err := v.shell.Confirmation.Prove(v, f); f.refused(err) {
		return false, v.shell.Confirmation.Ask(v, f, f.raw(views.HeldField))
	} else if err != nil {
		return false, err
	}
	v.Request().PostForm = held
	return true, v.permitted() // as it is now
}

// hold is a form as a hidden field of another one. Passwords are never sent back.
func hold(sent url.Values) string {
	kept := url.Values{}
	for name, values := range sent {
		if name != views.TokenField && name != views.HeldField && !strings.Contains(name, "password") {
			kept[name] = values
		}
	}
	return base64.RawURLEncoding.EncodeToString([]byte(kept.Encode()))
}

// held is the form that waits in another one.
func (f *form) held() (sent url.Values, waits bool) {
	text, err := base64.RawURLEncoding.DecodeString(f.raw(views.HeldField))
	if err != nil || len(f.values[views.HeldField]) == 0 {
		return nil, false
	}
	sent, err = url.ParseQuery(string(text))
	return sent, err == nil
}
