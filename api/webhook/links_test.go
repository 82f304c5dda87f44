package webhook_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"portal/api/event"
	"portal/api/webhook"
	"portal/db/dbtest"
)

// opens stands for a link or a secret that opens something for whoever has it.
const opens = "https://portal.example.com/opens/"

// fill writes one into each field of a record that the contract calls a secret, and tells how
// many there are.
func fill(v reflect.Value) (n int) {
	for i := range v.NumField() {
		field, text := v.Field(i), new(fmt.Sprint(opens, i))
		switch {
		case field.Kind() == reflect.Struct && field.Type().NumField() > 0 && v.Type().Field(i).IsExported():
			n += fill(field)
		case v.Type().Field(i).Tag.Get("secret") == "":
		case field.Kind() == reflect.String:
			field.SetString(*text)
			n++
		default:
			field.Set(reflect.ValueOf(text))
			n++
		}
	}
	return n
}

func TestEventsContainNoCapabilityLinks(t *testing.T) {
	alone(t, func(t *testing.T, r *fixture) {
		e := r.Create(r.Live, hook, webhook.EveryKind)
		links := 0
		for _, k := range event.All() {
			record := reflect.New(k.Raised)
			links += fill(record.Elem())
			must(t, r.Raise(t.Context(), r.Live.Portfolio, k.Type, record.Interface()))
		}
		_, err := r.Test(t.Context(), r.Live, e.ID)
		must(t, err)
		bodies := dbtest.Texts(t, r.DB, "SELECT body FROM events")
		if len(bodies) != len(event.Type("").Values()) || links < 2 {
			t.Errorf("%d events, %d links in their records", len(bodies), links)
		}
		for _, body := range bodies {
			if strings.Contains(body, opens) || strings.Contains(body, *e.Secret) {
				t.Errorf("the event holds a link or a secret: %s", body)
			}
		}
	})
}
