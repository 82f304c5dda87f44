package webhook

import (
	"portal/api/event"
)

// endpointTest is the type of the event that is sent on request, to one endpoint and whatever it chose.
type endpointTest struct{}

func (endpointTest) Type() string { return event.EndpointTest }

var testKind = event.About[Endpoint, endpointTest](event.Kind{
	Summary:     "A test event",
	Description: "A test event that you sent to one endpoint, whatever types it chose.",
	Object:      "the endpoint",
})

// Kinds are all kinds of events: those of the catalogue, and the test of an endpoint.
func Kinds() []event.Kind { return append(event.All(), testKind) }

func kindOf(name string) (k event.Kind, known bool) {
	if name == testKind.Type {
		return testKind, true
	}
	return event.Of(name)
}
