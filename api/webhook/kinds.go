package webhook

import (
	"cmp"

	"portal/api/event"
)

// endpointTest is the type of the event that is sent on request, to one endpoint and whatever it chose.
type endpointTest struct{}

func (endpointTest) Type() string { return event.EndpointTest }

var testKind = event.About[Endpoint, endpointTest](event.Kind{
	Summary:     "A test event",
	Description: "A test event that you sent to one endpoint, whatever types it chose.",
	Object:      "the endpoint",
	Icon:        "zap",
}, func(e *Endpoint) {
	e.DisabledAt, e.PreviousSecretExpiresAt = nil, nil
}, func(e *Endpoint) (id, words string) { return e.ID, e.URL })

// Kinds are all kinds of events: those of the catalogue, and the test of an endpoint.
func Kinds() []event.Kind { return append(event.All(), testKind) }

func kindOf(name Kind) (k event.Kind, known bool) {
	if string(name) == testKind.Type {
		return testKind, true
	}
	return event.Of(string(name))
}

// Icon is the sign of an event.
func (e *Event) Icon() string {
	k, _ := kindOf(e.Type)
	return cmp.Or(k.Icon, testKind.Icon)
}

// Subject is the record that an event is about, by its id and in a few words, each "" where that is not known.
func (e *Event) Subject() (id, words string) {
	k, known := kindOf(e.Type)
	if !known || e.Body == nil {
		return "", ""
	}
	return k.Subject(e.Body)
}
