package mail

import (
	"embed"
	htmltemplate "html/template"
	"io"
	"io/fs"
	"maps"
	"strings"
	"sync"
	"text/template"
)

//go:embed emails
var frame embed.FS

// Templates are the templates of a package's emails: of each a text and an HTML part, the
// latter within the frame that all share. They are read when the first email is written.
type Templates struct {
	read func() (plain *template.Template, marked *htmltemplate.Template)
}

// ReadTemplates are the files emails/*.txt and emails/*.html, which may call the words.
// The first email panics where they cannot be read.
func ReadTemplates(files fs.FS, words map[string]any) *Templates {
	return &Templates{sync.OnceValues(func() (*template.Template, *htmltemplate.Template) {
		all := map[string]any{"quoted": quoted}
		maps.Copy(all, words)
		marked := htmltemplate.Must(htmltemplate.New("").Funcs(all).ParseFS(frame, "emails/*.html"))
		return template.Must(template.New("").Funcs(all).ParseFS(files, "emails/*.txt")),
			htmltemplate.Must(marked.ParseFS(files, "emails/*.html"))
	})}
}

// Fill writes both parts of a message.
func (l *Templates) Fill(name string, m *Message, values any) (*Message, error) {
	plain, marked := l.read()
	var err error
	if m.Text, err = filled(plain, name+".txt", values); err != nil {
		return nil, err
	}
	m.HTML, err = filled(marked, name+".html", values)
	return m, err
}

func filled(t interface {
	ExecuteTemplate(w io.Writer, name string, values any) error
}, name string, values any,
) (string, error) {
	var b strings.Builder
	err := t.ExecuteTemplate(&b, name, values)
	return b.String(), err
}

// lineEnds are all that a program may begin a new line at.
var lineEnds = strings.NewReplacer("\r\n", "\n> ", "\r", "\n> ", "\n", "\n> ", "\u2028", "\n> ", "\u2029", "\n> ")

// quoted marks the lines of somebody else's words, so that none of them is taken for
// the email's own.
func quoted(words string) string {
	return "> " + lineEnds.Replace(words)
}
