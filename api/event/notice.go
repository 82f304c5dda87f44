package event

import (
	"encoding/json"
	"fmt"
	"reflect"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/operation"
	"portal/api/portfolio"
)

// APIVersion is the version of the records that events carry.
const APIVersion = "0.1.0"

// typed is a type of event as the parameter of Notice.
type typed interface{ Type() string }

// Header is what every event says beside its record.
type Header struct {
	ID        string
	Type      string
	CreatedAt clock.Time
	Mode      access.Mode
}

// Notice is the body of an event of the type K, whose data are a D.
type Notice[D any, K typed] struct {
	// Identifier of the event; webhook-id has it too, in every attempt.
	ID string `json:"id" format:"id" prefix:"evt"`
	// The kind of object.
	Object string `json:"object" const:"event"`
	// What happened.
	Type Type `json:"type" example:"lease.signed"`
	// Version of the record.
	APIVersion string `json:"api_version" const:"0.1.0"`
	// When it happened.
	CreatedAt clock.Time `json:"created_at"`
	// test for the demo portfolio, live for the real one.
	Mode access.Mode `json:"mode"`
	// What it is about.
	Data D `json:"data"`
}

// SchemaName is the name of the OpenAPI component.
func (Notice[D, K]) SchemaName() string { return camel(typeOf[K]()) + "Event" }

// Constants are the fields whose only value comes from the type of the event.
func (Notice[D, K]) Constants() map[string]string { return map[string]string{"type": typeOf[K]()} }

// Subject is the record that an event is about.
type Subject[T any, K typed] struct {
	// The complete record at that time. Links that anyone can open are null; retrieve the record to
	// get them.
	Object T `json:"object"`
}

// SchemaName is the name of the OpenAPI component.
func (Subject[T, K]) SchemaName() string { return camel(typeOf[K]()) + "EventData" }

// ClearedPayment is what payment.succeeded is about.
type ClearedPayment struct {
	// The complete ledger row at that time, with all that was paid of it so far.
	Object portfolio.Payment `json:"object"`
	// The payment that cleared: how much it paid of this row, how, and under which reference.
	Transaction portfolio.Transaction `json:"transaction"`
}

// SchemaName is the name of the OpenAPI component.
func (ClearedPayment) SchemaName() string { return camel(PaymentSucceeded) + "EventData" }

func typeOf[K typed]() string { return (*new(K)).Type() }

// About is the kind of an event of the type K about a record of the type T, which is given as a pointer.
// happened makes the example of a record into one as it is right after the event; subject is the id of a
// record, and what it is called in a few words.
func About[T any, K typed](k Kind, happened func(*T), subject func(*T) (id, words string)) Kind {
	k.Record, k.Raised = reflect.TypeFor[T](), reflect.TypeFor[T]()
	return about[Subject[T, K], K](k, func(record any) (d Subject[T, K], is bool) {
		r, is := record.(*T)
		if !is {
			return d, false
		}
		if linked, has := record.(interface{ WithoutLinks() *T }); has {
			r = linked.WithoutLinks()
		}
		return Subject[T, K]{*r}, true
	}, func(d *Subject[T, K]) { happened(&d.Object) }, func(d *Subject[T, K]) (id, words string) {
		return subject(&d.Object)
	})
}

// about is About of an event with data of the type D, which of makes of what is raised.
func about[D any, K typed](
	k Kind, of func(record any) (D, bool), happened func(*D), subject func(*D) (id, words string),
) Kind {
	encode := operation.Encoder[Notice[D, K]]()
	k.Type = typeOf[K]()
	k.Notice = reflect.TypeFor[Notice[D, K]]()
	k.encode = func(b []byte, h *Header, record any) ([]byte, error) {
		d, is := of(record)
		if !is {
			return nil, fmt.Errorf("the event %s is about no %T", h.Type, record)
		}
		return encode(b, &Notice[D, K]{h.ID, "event", Type(h.Type), APIVersion, h.CreatedAt, h.Mode, d}), nil
	}
	k.Sample = func() ([]byte, error) {
		example, err := json.Marshal(operation.Example(k.Notice))
		if err != nil {
			return nil, err
		}
		var n Notice[D, K]
		if err := json.Unmarshal(example, &n); err != nil {
			return nil, err
		}
		happened(&n.Data)
		return encode(nil, &Notice[D, K]{
			n.ID, "event", Type(k.Type), APIVersion, n.CreatedAt, access.Test, n.Data,
		}), nil
	}
	k.Subject = func(body []byte) (id, words string) {
		var n Notice[D, K]
		if json.Unmarshal(body, &n) != nil {
			return "", ""
		}
		return subject(&n.Data)
	}
	return k
}

// Body is the body of an event about a record, which every attempt sends unchanged.
func (k *Kind) Body(h *Header, record any) ([]byte, error) { return k.encode(nil, h, record) }
