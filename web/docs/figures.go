package docs

import (
	"strings"
	"text/template"
	"time"

	"portal/api/developer"
	"portal/api/idempotency"
	"portal/api/middleware"
	"portal/api/texts"
	"portal/api/webhook"
	"portal/api/webhook/signature"
)

// figures are the figures that the texts of the documentation name, taken from the code.
type figures struct {
	Base       string
	API        string
	Plans      []planFact
	PerAddress string
	List       listFact
	KeyLength  int
	KeyHours   int
	RetryHours int
	Tolerance  int
	api        *reference
}

type planFact struct{ Name, Sustained, Burst, Units string }

// listFact is the range of limit.
type listFact struct{ Least, Most, Usual string }

func (p *Section) figures() *figures {
	f := &figures{
		Base:       p.Base(),
		API:        p.Base() + "/api/v1/external",
		KeyLength:  idempotency.Longest,
		KeyHours:   int(idempotency.Keep / time.Hour),
		RetryHours: int(webhook.GiveUp / time.Hour),
		Tolerance:  int(signature.Tolerance / time.Second),
		PerAddress: texts.Number(middleware.PerAddress.Sustained) + " a minute, " +
			texts.Number(middleware.PerAddress.Burst) + " in a burst",
	}
	for _, tier := range developer.Tier("").Values() {
		l := developer.Plan{Tier: developer.Tier(tier)}.Limits()
		f.Plans = append(f.Plans, planFact{
			strings.ToUpper(tier[:1]) + tier[1:],
			texts.Number(l.Sustained),
			texts.Number(l.Burst),
			texts.Number(l.Units),
		})
	}
	var document []byte
	if p.OpenAPI != nil {
		document = p.OpenAPI()
	}
	f.api = readReference(document, p.Base())
	f.List = f.api.limits()
	return f
}

// fill fills the figures and samples into a text.
func (f *figures) fill(name, text string) string {
	t := template.Must(template.New(name).Funcs(template.FuncMap{
		"samples": f.api.samples,
		"preview": f.api.preview,
		"answer":  f.api.answer,
	}).Parse(text))
	var b strings.Builder
	if err := t.Execute(&b, f); err != nil {
		panic(err)
	}
	return b.String()
}
