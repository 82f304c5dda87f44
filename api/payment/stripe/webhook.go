package stripe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v84/webhook"

	"portal/api/id"
)

// tolerance is how much older or newer than now an event may be.
const tolerance = webhook.DefaultTolerance

// Event is something that has happened at Stripe. It only names what it is about: what has become of that is read from
// the API.
type Event struct {
	ID            string
	Type          string // such as checkout.session.completed
	Account       string // of the landlord, "" for the service's own
	AttemptID     string // the names are "" where the object has none
	AutopayID     string
	PaymentIntent string
	PayoutID      string
}

// The reasons for which an event is not read.
var (
	ErrSignature = errors.New("the event has no valid signature")
	ErrTime      = errors.New("the event is not of this moment")
)

// ReadEvent verifies an event with each of some secrets, and reads what it is about. It takes an event of any version
// of the API, and of any type.
//
// Errors: ErrSignature, ErrTime, and others for a body that is no event.
func ReadEvent(payload []byte, header string, secrets []string, now time.Time) (Event, error) {
	err := ErrSignature
	for _, secret := range secrets {
		if secret != "" && webhook.ValidatePayloadIgnoringTolerance(payload, header, secret) == nil {
			err = nil
		}
	}
	if err != nil {
		return Event{}, err
	}
	if off := now.Sub(signedAt(header)); off > tolerance || off < -tolerance {
		return Event{}, ErrTime
	}
	var e struct {
		ID, Type, Account, Object string
		Data                      struct{ Object named }
	}
	if err := json.Unmarshal(payload, &e); err != nil {
		return Event{}, fmt.Errorf("read an event of Stripe: %w", err)
	}
	if e.Object != "event" || e.ID == "" {
		return Event{}, errors.New("read an event of Stripe: it is none")
	}
	about := e.Data.Object.event()
	about.ID, about.Type, about.Account = e.ID, e.Type, e.Account
	return about, nil
}

// signedAt is the time in a header whose signature is valid, which covers it. The last one counts, as it does for the
// signature.
func signedAt(header string) (at time.Time) {
	for part := range strings.SplitSeq(header, ",") {
		if t, is := strings.CutPrefix(part, "t="); is {
			if n, err := strconv.ParseInt(t, 10, 64); err == nil {
				at = time.Unix(n, 0)
			}
		}
	}
	return at
}

// named is what names of an object are read.
type named struct {
	ID                string            `json:"id"`
	Object            string            `json:"object"`
	Mode              string            `json:"mode"`
	ClientReferenceID string            `json:"client_reference_id"`
	PaymentIntent     reference         `json:"payment_intent"`
	Metadata          map[string]string `json:"metadata"`
}

func (n *named) event() Event {
	e := Event{
		AttemptID: n.Metadata[attemptKey], AutopayID: n.Metadata[autopayKey], PaymentIntent: string(n.PaymentIntent),
	}
	switch n.Object {
	case "payment_intent":
		e.PaymentIntent = n.ID
	case "payout":
		e.PayoutID = n.ID
	case "checkout.session":
		switch {
		case n.Mode == "setup" && e.AutopayID == "":
			e.AutopayID = n.ClientReferenceID
		case n.Mode == "payment" && e.AttemptID == "":
			e.AttemptID = n.ClientReferenceID
		}
	}
	if !id.Valid(id.Attempt, e.AttemptID) {
		e.AttemptID = "" // a landlord can write what they like at Stripe
	}
	return e
}

// reference is the name of another object, which comes as it is or whole.
type reference string

// UnmarshalJSON is json.Unmarshaler's.
func (r *reference) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte("{")) {
		var whole struct{ ID string }
		err := json.Unmarshal(b, &whole)
		*r = reference(whole.ID)
		return err
	}
	var s *string
	err := json.Unmarshal(b, &s)
	if s != nil {
		*r = reference(*s)
	}
	return err
}
