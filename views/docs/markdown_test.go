package docs

import "testing"

func TestMarkdownEscapesItsOwnSigns(t *testing.T) {
	got := markdownWords("a <b> and * in Authorization: Bearer <API_KEY>")
	if want := "a \\<b> and \\* in `Authorization: Bearer <API_KEY>`"; got != want {
		t.Errorf("got %q", got)
	}
}
