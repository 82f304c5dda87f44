package docs

import "testing"

func TestMarkdownEscapesSpecialCharacters(t *testing.T) {
	got := InMarkdown("a <b> and * in Authorization: Bearer <API_KEY>")
	if want := "a \\<b> and \\* in `Authorization: Bearer <API_KEY>`"; got != want {
		t.Errorf("got %q", got)
	}
}

func TestBacktickedTextStaysCode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"what `GET /lease_rules/{state}` shows of a <b>": "what `GET /lease_rules/{state}` shows of a \\<b>",
		"one ` alone": "one \\` alone",
	} {
		if got := InMarkdown(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
