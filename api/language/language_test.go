package language_test

import (
	"testing"
	"time"

	"portal/api/clock"
	"portal/api/language"
)

func TestSpanishWritesDaysTimesAndLists(t *testing.T) {
	t.Parallel()
	day := clock.Day(2027, 1, 15)
	morning := time.Date(2027, 9, 3, 0, 5, 0, 0, time.UTC)
	noon := time.Date(2027, 9, 3, 12, 30, 0, 0, time.UTC)
	for want, got := range map[string]string{
		"15 de enero de 2027":                  language.Date(day),
		"15 ene 2027":                          language.ShortDate(day),
		"3 sep, 12:05 a. m.":                   language.ShortMoment(morning),
		"viernes 3 de septiembre, 12:30 p. m.": language.Moment(noon),
		"Ana":                                  language.List([]string{"Ana"}),
		"Ana, Luis y Eva":                      language.List([]string{"Ana", "Luis", "Eva"}),
		"Ana e Inés":                           language.List([]string{"Ana", "Inés"}),
		"agua y hielo":                         language.List([]string{"agua", "hielo"}),
		"1 día":                                language.Counted(1, "día", "días"),
		"2 días":                               language.Counted(2, "día", "días"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestOnlyChosenSpanishIsSpanish(t *testing.T) {
	t.Parallel()
	for l, want := range map[language.Language][2]string{
		language.Unchosen: {"code", "https://example.com/x"},
		language.English:  {"code", "https://example.com/x"},
		language.Spanish:  {"code_es", "https://example.com/x?lang=es"},
	} {
		if got := [2]string{l.Template("code"), l.Link("https://example.com/x")}; got != want || l.Link("") != "" {
			t.Errorf("%q: %q, want %q", l, got, want)
		}
	}
}
