package event_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"portal/api/event"
)

// TestEveryCatalogEntryIsComplete fails for a type of event with a part missing, such as the icon.
func TestEveryCatalogEntryIsComplete(t *testing.T) {
	t.Parallel()
	icons, err := os.ReadFile("../../static/icons.svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range event.All() {
		for _, part := range []any{k, k.Trigger} {
			v := reflect.ValueOf(part)
			for i := range v.NumField() {
				if v.Field(i).IsZero() {
					t.Errorf("%s has no %s", k.Type, v.Type().Field(i).Name)
				}
			}
		}
		if !strings.Contains(string(icons), `id="`+k.Icon+`"`) {
			t.Errorf("%s has the icon %q, which is not in static/icons.svg", k.Type, k.Icon)
		}
		sample, err := k.Sample()
		if err != nil {
			t.Fatal(err)
		}
		if id, words := k.Subject(sample); id == "" || strings.Trim(words, " ·") == "" {
			t.Errorf("the sample of %s is about %q, %q", k.Type, id, words)
		}
	}
}
