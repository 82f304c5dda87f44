package page

import (
	"net/http"

	"portal/views/kit"
)

// Other is something else that a form can do, by a second button. After it the form is shown again with all that was
// typed.
type Other struct {
	Button string // "" for none
	Groups []kit.FieldGroup
	Words  []string // above the form
	// Do does it and returns what to say above the form. What is wrong with a field is said in the form. It is nil
	// where the form is only shown again, with other groups.
	Do func(f *Form) (said string, err error)
}

// otherName is in the query of the address that the second button posts to.
const otherName = "other"

// orElse does what the button says that a form was sent by: the second one, or the first one, which do is about. It
// reports whether the request is answered.
func (o Other) orElse(v *Request, f *Form, do func() (done bool, err error)) (done bool, err error) {
	switch {
	case v.Request().Method != http.MethodPost:
		return false, nil
	case v.Request().URL.Query().Has(otherName):
		return false, o.serve(v, f)
	}
	return do()
}

// button is the second button of the form at the request's address.
func (o Other) button(v *Request) kit.Link {
	if o.Button == "" {
		return kit.Link{}
	}
	return kit.Link{Name: o.Button, Path: v.Request().URL.Path + "?" + otherName + "=1"}
}

// serve does what the second button says. The form is shown by the caller.
func (o Other) serve(v *Request, f *Form) error {
	if o.Do == nil {
		v.NothingMade()
		return nil
	}
	said, err := o.Do(f)
	switch {
	case f.Rejected() || f.Refused(err):
		return nil
	case err != nil:
		return err
	}
	v.Say(kit.Done, said)
	v.SeenAt(v.Request().URL.Path, said)
	return nil
}
