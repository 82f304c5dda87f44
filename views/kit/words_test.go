package kit

import (
	"strings"
	"testing"
)

func TestNamesInSentenceRenderAsCode(t *testing.T) {
	for sentence, want := range map[string]string{
		"Send unit_id; the message lists.": "Send <code>unit_id</code>; the message lists.",
		"Read error.param and error.message: both.": "Read <code>error.param</code> and " +
			"<code>error.message</code>: both.",
		"from sk_test_ to its end": "from <code>sk_test_</code> to its end",
		"Send the header Content-Type: application/json.": "Send the header <code>Content-Type: " +
			"application/json</code>.",
		"Send Authorization: Bearer <API_KEY>.":            "Send <code>Authorization: Bearer &lt;API_KEY&gt;</code>.",
		"X-RateLimit-Remaining is 0":                       "<code>X-RateLimit-Remaining</code> is 0",
		"one value in valid UTF-8 that is < 32 levels":     "one value in valid UTF-8 that is &lt; 32 levels",
		"Take one of the steps. The message lists them.":   "Take one of the steps. The message lists them.",
		"Two dates are in the wrong order; read-only text": "Two dates are in the wrong order; read-only text",
	} {
		var b strings.Builder
		if err := Sentence(sentence).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("%q becomes %q", sentence, b.String())
		}
	}
}
