// Package highlight marks the parts of code as HTML, so that a style sheet can color them
// without a script.
//
// It knows the shape of tokens, not the grammar of a language: code that it does not
// understand comes out unmarked, and never changed.
package highlight

import (
	"strings"
	"unicode/utf8"
)

// The classes of marked parts.
const (
	key     = "k" // the name of a field, of a header, of an option
	str     = "s" // text in quotes
	number  = "n"
	literal = "l" // true, false, and nothing
	comment = "c"
	word    = "w" // a keyword, a command, a method of HTTP
)

// Code is code in a language as HTML: json, sh, js, python, go, ruby, php, toml or http.
// Code of another language is escaped and not marked.
func Code(language, text string) string {
	p := &painter{text: text}
	p.out.Grow(len(text) * 2)
	if language == "http" {
		p.http()
	} else if l, known := languages[language]; known {
		p.syntax = l
		p.code()
	} else {
		p.plain(len(text))
	}
	return p.out.String()
}

// painter is a text while it is marked.
type painter struct {
	syntax
	text string
	at   int // what stands before is written
	out  strings.Builder
}

// escaped is what HTML reads otherwise between tags. Quotes mean nothing there.
var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func (p *painter) plain(to int) {
	_, _ = escaped.WriteString(&p.out, p.text[p.at:to]) // a builder takes everything
	p.at = to
}

func (p *painter) mark(class string, to int) {
	if class == "" || to == p.at {
		p.plain(to)
		return
	}
	if class == key { // most of the marks: without a class a page weighs 10 bytes less for each
		p.out.WriteString("<i>")
	} else {
		p.out.WriteString(`<i class="` + class + `">`)
	}
	p.plain(to)
	p.out.WriteString("</i>")
}

// code marks the rest of the text.
func (p *painter) code() {
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case p.comments():
			p.mark(comment, p.endOfComment())
		case strings.IndexByte(p.quotes, c) >= 0:
			p.quoted()
		case c >= '0' && c <= '9', c == '-' && p.digitAt(p.at+1) && !p.shell:
			p.numeral()
		case p.shell && c == '-' && p.begins():
			p.mark(key, p.while(p.at+1, inOption))
		case inWord(c):
			p.word()
		default:
			_, size := utf8.DecodeRuneInString(p.text[p.at:])
			p.plain(p.at + size)
		}
	}
}

// comments reports whether a comment begins here. In a shell, # within a word begins none.
func (p *painter) comments() bool {
	rest := p.text[p.at:]
	if p.block && strings.HasPrefix(rest, "/*") {
		return true
	}
	return p.line != "" && strings.HasPrefix(rest, p.line) && (!p.shell || p.begins())
}

func (p *painter) endOfComment() int {
	rest, end := p.text[p.at:], "\n"
	if strings.HasPrefix(rest, "/*") {
		end = "*/"
	}
	n := strings.Index(rest, end)
	switch {
	case n < 0:
		return len(p.text)
	case end == "*/":
		n += len(end)
	}
	return p.at + n
}

// quoted marks text in quotes: as the name of a field where a value follows.
func (p *painter) quoted() {
	quote := p.text[p.at : p.at+1]
	if p.triple && strings.HasPrefix(p.text[p.at:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	raw := p.shell && quote == "'" || p.rawTick && quote == "`"
	end := p.at + len(quote)
	for end < len(p.text) && !strings.HasPrefix(p.text[end:], quote) {
		if p.text[end] == '\\' && !raw {
			end++
		}
		end++
	}
	end = min(end+len(quote), len(p.text))
	if p.names && p.followed(end) {
		p.mark(key, end)
	} else {
		p.mark(str, end)
	}
}

// followed reports whether the name that ends here has a value behind it.
func (p *painter) followed(end int) bool {
	rest := strings.TrimLeft(p.text[end:], " ")
	return strings.HasPrefix(p.text[end:], ":") && !strings.HasPrefix(rest, "::") && !strings.HasPrefix(rest, ":=") ||
		strings.HasPrefix(rest, "=>")
}

func (p *painter) numeral() {
	end := p.while(p.at+1, inNumber)
	if p.shell {
		p.plain(end) // part of an address or of an option
		return
	}
	p.mark(number, end)
}

func (p *painter) word() {
	end := p.while(p.at, inWord)
	name, class := p.text[p.at:end], ""
	switch {
	case p.words[name] != "":
		class = p.words[name]
	case p.shell && strings.HasPrefix(p.text[end:], "=") && p.begins():
		class = key
	case p.shell && p.commands():
		class = word
	case p.bare && p.followed(end):
		class = key
	}
	p.mark(class, end)
}

// begins reports whether a word of a shell can begin here.
func (p *painter) begins() bool {
	return p.at == 0 || strings.IndexByte(" \t\n;|(", p.text[p.at-1]) >= 0
}

// commands reports whether a word here is that of a command: it begins a line that
// continues none, or stands behind what ends another command.
func (p *painter) commands() bool {
	before := strings.TrimRight(p.text[:p.at], " \t")
	if before == "" {
		return true
	}
	if inner, is := strings.CutSuffix(before, "\n"); is {
		return !strings.HasSuffix(inner, `\`)
	}
	return strings.IndexByte("|(;{&", before[len(before)-1]) >= 0
}

// http marks the first line and the headers of a message; a body behind them is JSON.
func (p *painter) http() {
	head, _, _ := strings.Cut(p.text, "\n\n")
	for i, line := range strings.SplitAfter(head, "\n") {
		end := p.at + len(line)
		if i == 0 {
			first, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			p.mark(word, p.at+len(first))
		} else if name, _, is := strings.Cut(line, ":"); is {
			p.mark(key, p.at+len(name))
		}
		p.plain(end)
	}
	p.syntax = languages["json"]
	p.code()
}

func (p *painter) while(from int, in func(byte) bool) int {
	for from < len(p.text) && in(p.text[from]) {
		from++
	}
	return from
}

func (p *painter) digitAt(i int) bool { return i < len(p.text) && p.text[i] >= '0' && p.text[i] <= '9' }

func inWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func inNumber(c byte) bool { return inWord(c) || c == '.' }

func inOption(c byte) bool { return inWord(c) || c == '-' }
