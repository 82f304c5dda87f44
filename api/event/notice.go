package event

import (
	"encoding/json"
	"fmt"
	"reflect"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/operation"
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

// Notice is the body of an event of the type K about a record of the type T.
type Notice[T any, K typed] struct {
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
	Data Subject[T, K] `json:"data"`
}

// SchemaName is the name of the OpenAPI component.
func (Notice[T, K]) SchemaName() string { return camel(typeOf[K]()) + "Event" }

// Constants are the fields whose only value comes from the type of the event.
func (Notice[T, K]) Constants() map[string]string { return map[string]string{"type": typeOf[K]()} }

// Subject is the record that an event is about.
type Subject[T any, K typed] struct {
	// The complete record at that time. Links that anyone can open are null; retrieve the record to
	// get them.
	Object T `json:"object"`
}

// SchemaName is the name of the OpenAPI component.
func (Subject[T, K]) SchemaName() string { return camel(typeOf[K]()) + "EventData" }

func typeOf[K typed]() string { return (*new(K)).Type() }

// About is the kind of an event of the type K about a record of the type T, which is given as a pointer.
// happened makes the example of a record into one as it is right after the event; subject is the id of a
// record, and what it is called in a few words.
func About[T any, K typed](k Kind, happened func(*T), subject func(*T) (id, words string)) Kind {
	encode := operation.Encoder[Notice[T, K]]()
	k.Type = typeOf[K]()
	k.Notice, k.Record = reflect.TypeFor[Notice[T, K]](), reflect.TypeFor[T]()
	k.encode = func(b []byte, h *Header, record any) ([]byte, error) {
		r, is := record.(*T)
		if !is {
			return nil, fmt.Errorf("the event %s is about no %T", h.Type, record)
		}
		if linked, has := record.(interface{ WithoutLinks() *T }); has {
			r = linked.WithoutLinks()
		}
		return encode(b, &Notice[T, K]{
			h.ID, "event", Type(h.Type), APIVersion, h.CreatedAt, h.Mode, Subject[T, K]{*r},
		}), nil
	}
	k.Sample = func() ([]byte, error) {
		example, err := json.Marshal(operation.Example(k.Notice))
		if err != nil {
			return nil, err
		}
		var n Notice[T, K]
		if err := json.Unmarshal(example, &n); err != nil {
			return nil, err
		}
		happened(&n.Data.Object)
		return k.Body(&Header{ID: n.ID, Type: k.Type, CreatedAt: n.CreatedAt, Mode: access.Test}, &n.Data.Object)
	}
	k.Subject = func(body []byte) (id, words string) {
		var n Notice[T, K]
		if json.Unmarshal(body, &n) != nil {
			return "", ""
		}
		return subject(&n.Data.Object)
	}
	return k
}

// Body is the body of an event about a record, which every attempt sends unchanged.
func (k *Kind) Body(h *Header, record any) ([]byte, error) { return k.encode(nil, h, record) }
