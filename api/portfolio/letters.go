package portfolio

import (
	"embed"
	htmltemplate "html/template"
	"io"
	"strings"
	"text/template"

	"portal/api/clock"
	"portal/api/mail"
	"portal/api/money"
)

//go:embed letters
var letterFiles embed.FS

// What a letter may call on its values.
var letterWords = map[string]any{"date": clock.Date.Words, "dollars": money.Cents.Words, "quoted": quoted}

var (
	plainLetters  = template.Must(template.New("").Funcs(letterWords).ParseFS(letterFiles, "letters/*.txt"))
	markedLetters = htmltemplate.Must(htmltemplate.New("").Funcs(letterWords).ParseFS(letterFiles, "letters/*.html"))
)

// invitationLetter asks an applicant to apply.
func invitationLetter(l *Lead, unsubscribe string) (*mail.Message, error) {
	return letter("invitation", &mail.Message{
		AccountID: l.Landlord.AccountID, Portfolio: l.in, About: l.Invitation.ID, To: l.Invitation.Email,
		Subject: "Apply now: " + l.Street(), Unsubscribe: unsubscribe,
	}, struct {
		*Lead
		Unsubscribe string
	}{l, unsubscribe})
}

// applicationLetter tells an owner what an applicant has sent; To is left open.
func applicationLetter(l *Lead, a *Application) (*mail.Message, error) {
	return letter("application", &mail.Message{
		AccountID: l.Landlord.AccountID, Portfolio: l.in,
		Subject: "Application from " + a.FirstName + " " + a.LastName + " for " + l.Street(),
	}, struct {
		*Lead
		Application *Application
	}{l, a})
}

// letter fills both parts of a message.
func letter(name string, m *mail.Message, values any) (*mail.Message, error) {
	var err error
	if m.Text, err = filled(plainLetters, name+".txt", values); err != nil {
		return nil, err
	}
	m.HTML, err = filled(markedLetters, name+".html", values)
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
// the letter's own.
func quoted(words string) string {
	return "> " + lineEnds.Replace(words)
}
