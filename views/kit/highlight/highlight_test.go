package highlight_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"portal/views/kit/highlight"
)

func TestCodeTokensAreMarkedByType(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, text, want string }{
		{"json", `{"a": "b:", "n": -1.5e3, "t": null}`, `{[k "a"]: [s "b:"], [k "n"]: [n -1.5e3], [k "t"]: [l null]}`},
		{"json", `["a\"", "un`, `[[s "a\""], [s "un]`},
		{"sh", "curl -sS \"u\" \\\n  -d '{\"a\": 1}' # x", "[w curl] [k -sS] [s \"u\"] \\\n  [k -d] [s '{\"a\": " +
			"1}'] [c # x]"},
		{"sh", "a=$(post /x#y | grep -o z)", "[k a]=$([w post] /x#y | [w grep] [k -o] z)"},
		{"sh", "export KEY=\"v\"", "[w export] [k KEY]=[s \"v\"]"},
		{"js", "const a = await f(`x`, { b: 1 }); // c",
			"[w const] a = [w await] f([s `x`], { [k b]: [n 1] }); [c // c]"},
		{"python", "x = {\"a\": None} # '", "x = {[k \"a\"]: [l None]} [c # ']"},
		{"python", "\"\"\"a\"b\"\"\" + 'c'", "[s \"\"\"a\"b\"\"\"] + [s 'c']"},
		{"go", "x := `a\\` /* b */ + nil", "x := [s `a\\`] [c /* b */] + [l nil]"},
		{"php", "echo [\"a\" => 'b'];", "[w echo] [[k \"a\"] => [s 'b']];"},
		{"ruby", "Net::HTTP.start(uri, use_ssl: true)", "Net::HTTP.start(uri, [k use_ssl]: [l true])"},
		{"toml", "[a]\nb = \"c\" # d", "[a]\nb = [s \"c\"] [c # d]"},
		{"http", "POST /a/1", "[w POST] /a/1"},
		{"http", "HTTP/1.1 201 Created\nA: b\n\n{\"c\": 1}",
			"[w HTTP/1.1] 201 Created\n[k A]: b\n\n{[k \"c\"]: [n 1]}"},
		{"text", `"a" 1`, `"a" 1`},
	} {
		if got := brackets(highlight.Code(c.language, c.text)); got != c.want {
			t.Errorf("%s: %s\nis   %s\nnot  %s", c.language, c.text, got, c.want)
		}
	}
}

// brackets writes what is marked in brackets, to be read.
func brackets(marked string) string {
	marked = strings.ReplaceAll(marked, "<i>", "[k ")
	marked = regexp.MustCompile(`<i class="(\w)">`).ReplaceAllString(marked, "[$1 ")
	return html.UnescapeString(strings.ReplaceAll(marked, "</i>", "]"))
}

func TestTextIsEscaped(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"json", "sh", "js", "http", "none"} {
		if got := highlight.Code(language, `"<script>&amp;" <b> '<u>`); strings.Contains(got, "<script>") ||
			strings.Contains(got, "<b>") || strings.Contains(got, "<u>") || !strings.Contains(got, "&amp;amp;") {
			t.Errorf("%s: %s", language, got)
		}
	}
}

func FuzzMarkedCodeReadsAsTheCode(f *testing.F) {
	f.Add("json", `{"a": [1, "b\"]}`)
	f.Add("sh", "curl -d '{' \\")
	f.Add("go", "/* \x00 \xff `")
	f.Add("http", "GET /\n\n{")
	f.Fuzz(func(t *testing.T, language, text string) {
		marked := highlight.Code(language, text)
		plain := regexp.MustCompile(`<i(?: class="[snlcw]")?>|</i>`).ReplaceAllString(marked, "")
		if got := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(plain); got != text {
			t.Errorf("%s: %q reads %q", language, text, got)
		}
	})
}

func BenchmarkJSONOf64KB(b *testing.B) {
	text := "[" + strings.Repeat(`{"id": "tkt_01KA5R2M7Q8D4E6F9G1H3J5K7M", "n": 12.5, "open": true},`+"\n", 950) + "{}]"
	for b.Loop() {
		highlight.Code("json", text)
	}
}
