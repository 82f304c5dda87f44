package page

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"portal/api/account"
	"portal/api/clock"
	"portal/api/fault"
	"portal/views/kit"
)

const (
	typedKey  = "typed"   // where a session keeps what was typed
	typedLife = time.Hour // for how long
)

// sessionOver is said above a form that is shown again after its reader has signed in.
const sessionOver = "Your session ended before this was saved. Check it and save again."

// typed is a form that was sent after its reader's session had ended. It waits, sealed for them,
// in the session in which they sign in. Nothing of it is done before they send it again.
type typed struct {
	AccountID string // which the reader looked at, "" for none
	Action    string // address of the form
	At        clock.Time
	Values    url.Values
	Picking   bool // the reader picks something on another page for the form, and their session goes on
}

func typedPurpose(userID string) string { return "text of a form, user " + userID }

// keepTyped keeps the text of a form whose reader is not signed in any more. A form that does not show
// whose it is, by the session that ended or by the reader that its token names, is not kept.
func keepTyped(v *Request) error {
	script := v.Request().Header.Get("Accept") == "application/json"
	if !v.loaded || v.Shell.Box == nil || v.route.Method != http.MethodPost || v.route.files || script {
		return nil
	}
	if v.ReadForm() != http.StatusOK {
		return nil
	}
	who, found, err := readerOfForm(v)
	if err != nil || !found {
		return err
	}
	if admitted, err := v.Shell.People.AdmitTyped(v.Ctx(), who.UserID, who.AccountID, v.From()); err != nil ||
		!admitted {
		return err
	}
	f := v.Form()
	sent := f.Values
	if held, waits := f.held(); waits {
		sent = held
	}
	return typed{Action: v.Request().URL.Path, Values: withoutSecrets(sent)}.keep(v, who)
}

// keep seals what somebody typed into the session.
func (t typed) keep(v *Request, who formReader) error {
	t.AccountID, t.At = who.AccountID, clock.At(v.Shell.Now())
	text, err := json.Marshal(t)
	if err != nil {
		return err
	}
	sealed := v.Shell.Box.Seal(typedPurpose(who.UserID), string(text))
	v.Session.Keep(typedKey, base64.RawStdEncoding.EncodeToString(sealed))
	return nil
}

// KeepTyped keeps what was typed into the form of an address, except for a field that the reader is about to pick on
// another page. The form is filled with it when it is shown again.
func (v *Request) KeepTyped(action, picks string) error {
	if v.Shell.Box == nil {
		return nil
	}
	values := withoutSecrets(v.Form().Values)
	values.Del("do")
	values.Del(picks)
	who := formReader{v.Person.UserID, v.Person.CurrentAccount()}
	return typed{Action: action, Values: values, Picking: true}.keep(v, who)
}

// readerOfForm is who was shown the form that was sent: whose session has ended, if the form was opened
// in it, otherwise the reader that its token names. The browser may have dropped the session's cookie.
func readerOfForm(v *Request) (who formReader, found bool, err error) {
	t := formToken{v}
	token, ended, err := former(v)
	if err != nil {
		return who, false, err
	}
	if ended != nil && t.made(token, ended) {
		return formReader{ended.UserID, ended.CurrentAccount()}, true, nil
	}
	_, sealed := t.sent()
	who, found = openFormReader(v.Shell, sealed)
	return who, found, nil
}

// former is the visitor whose ended session the request names, and its token; nil if there is none.
func former(v *Request) (token string, who *account.Visitor, err error) {
	c, err := v.Cookie(v.Shell.sessions.Cookie.Name)
	if err != nil {
		return "", nil, nil //nolint:nilerr // there is no cookie
	}
	who, err = v.Shell.People.Former(v.Ctx(), c.Value)
	if fault.Is(err, fault.NoRecord) {
		return "", nil, nil
	}
	return c.Value, who, err
}

// withoutSecrets is a form without passwords, codes and passkey responses, and without the hidden
// fields that each form gets anew.
func withoutSecrets(sent url.Values) url.Values {
	kept := url.Values{}
	for name, values := range sent {
		switch {
		case name == kit.TokenField, name == kit.OnceField, name == kit.HeldField:
		case strings.Contains(name, "password"), name == "code", name == "response":
		default:
			kept[name] = values
		}
	}
	return kept
}

// typedBefore returns what the reader typed into the form of an address before their session
// ended, or before they went to pick something for it, nil if there is nothing. It returns it once. Text of another
// user, or too old, is deleted.
func (v *Request) typedBefore(action string) *typed {
	kept := v.Session.Kept(typedKey)
	if kept == "" || v.Shell.Box == nil || v.Person == nil || v.Person.Pending {
		return nil
	}
	t, ok := openTyped(v, kept)
	if !ok {
		v.Session.Take(typedKey)
		return nil
	}
	if action == "" {
		action = v.Request().URL.Path
	}
	if t.Action != action || t.AccountID != v.Person.CurrentAccount() {
		return nil
	}
	v.Session.Take(typedKey)
	return &t
}

func openTyped(v *Request, kept string) (t typed, ok bool) {
	sealed, err := base64.RawStdEncoding.DecodeString(kept)
	if err != nil {
		return t, false
	}
	text, err := v.Shell.Box.Open(typedPurpose(v.Person.UserID), sealed)
	if err != nil || json.Unmarshal([]byte(text), &t) != nil {
		return t, false
	}
	return t, v.Shell.Now().Before(t.At.Std().Add(typedLife))
}
