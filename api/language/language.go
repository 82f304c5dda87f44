// Package language is the languages that signers and tenants read in, and how Spanish writes days, times and lists.
//
// It knows no texts of pages and emails: they stand in both languages where they are used.
package language

import (
	"fmt"
	"strings"
	"time"

	"portal/api/clock"
)

// Language is a language that somebody has chosen to read in.
type Language string

// The languages. Somebody who has chosen none gets emails in English with the most important words in Spanish.
const (
	Unchosen Language = ""
	English  Language = "en"
	Spanish  Language = "es"
)

// Say is a text in the language: in English unless Spanish was chosen.
func (l Language) Say(english, spanish string) string {
	if l == Spanish {
		return spanish
	}
	return english
}

// Template is the name of an email's templates in the language.
func (l Language) Template(name string) string { return l.Say(name, name+"_es") }

// Link is the address of a page, which it shows in Spanish to people who have chosen that.
func (l Language) Link(address string) string {
	if address == "" {
		return ""
	}
	return address + l.Say("", InSpanish)
}

// InSpanish is the query that has a page for signers and tenants be in Spanish.
const InSpanish = "?lang=es"

var (
	days   = [...]string{"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"}
	months = [...]string{
		"enero", "febrero", "marzo", "abril", "mayo", "junio",
		"julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
	}
)

// Month is the name of a month in Spanish.
func Month(m time.Month) string { return months[m-1] }

// Date is a day in Spanish: 15 de enero de 2027.
func Date(d clock.Date) string {
	at := d.Std()
	return fmt.Sprintf("%d de %s de %d", at.Day(), Month(at.Month()), at.Year())
}

// ShortDate is a day in few Spanish words: 15 ene 2027.
func ShortDate(d clock.Date) string {
	at := d.Std()
	return fmt.Sprintf("%d %s %d", at.Day(), Month(at.Month())[:3], at.Year())
}

// ShortMoment is a time of a day in few Spanish words: 15 ene, 3:04 p. m.
func ShortMoment(at time.Time) string {
	return fmt.Sprintf("%d %s, %s", at.Day(), Month(at.Month())[:3], Hour(at))
}

// Moment is a time of a day of the week in Spanish: viernes 15 de enero, 3:04 p. m.
func Moment(at time.Time) string {
	return fmt.Sprintf("%s %d de %s, %s", days[at.Weekday()], at.Day(), Month(at.Month()), Hour(at))
}

// Hour is a time of day in Spanish, as people in the United States write it: 3:04 p. m.
func Hour(at time.Time) string {
	if at.Hour() < 12 {
		return at.Format("3:04") + " a. m."
	}
	return at.Format("3:04") + " p. m."
}

// List is a list within a Spanish sentence: a, b y c. Before a word that sounds like i, the last word is e.
func List(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	last := all[len(all)-1]
	and := " y "
	if first := strings.ToLower(last); (strings.HasPrefix(first, "i") || strings.HasPrefix(first, "hi")) &&
		!strings.HasPrefix(first, "hie") {
		and = " e "
	}
	return strings.Join(all[:len(all)-1], ", ") + and + last
}

// Counted is a number with its noun in Spanish.
func Counted(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}
