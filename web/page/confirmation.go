package page

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"portal/api/clock"
	"portal/views/kit"
)

// Fresh reports whether the reader has confirmed lately and need not be asked again.
func (v *Request) Fresh() bool { return v.Person.Fresh(clock.At(v.Shell.Now())) }

// confirmedOrAsked reports whether the route needs no confirmation, or the reader has confirmed
// lately. If not, a GET is redirected to the confirmation and back. A form is answered with the
// confirmation, which keeps what was typed and continues with it.
func (v *Request) confirmedOrAsked() (sure bool, err error) {
	asks, err := v.route.asks(v)
	if err != nil {
		return false, err
	}
	switch r := v.Request(); {
	case !asks:
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

// asks reports whether a request on the route needs a confirmation.
func (r *Route) asks(v *Request) (bool, error) {
	if r.Asks == nil {
		return r.AsksAgain, nil
	}
	return r.Asks(v)
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
