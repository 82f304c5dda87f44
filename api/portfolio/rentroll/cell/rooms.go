package cell

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"portal/api/contact"
	"portal/api/portfolio"
)

// Words behind and instead of a number of rooms, as listings write them, and the numbers themselves.
const (
	studioWords = `(studio|stu|efficiency|eff|bachelor|estudio)`
	bedWords    = ` ?(?:bedrooms?|beds?|br|bd|bdrms?|bdr|rec[aá]maras?|habitaci[oó]n(?:es)?|dormitorios?)\.?`
	bathWords   = ` ?(?:bathrooms?|baths?|ba|bth|baños?)\.?`
	bedNumber   = `(\d{1,3})(?:[.,]0{1,2})?`
	bathNumber  = `(\d{1,3}(?:[.,]\d{1,2})?|\d{0,3} ?½|\d{1,3} 1/2)`
)

var (
	bedroomPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(?:` + studioWords + `|` + bedNumber + `(?:` + bedWords + `)?)$`)
	})
	bathroomPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^` + bathNumber + `(?:` + bathWords + `)?$`)
	})
	// roomsBySign has a sign between the two numbers, and roomsByWord the words.
	roomsBySign = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^((?:` + studioWords + `|` + bedNumber + `)(?:` + bedWords + `)?)` +
			` ?[/x×|,&+-] ?(` + bathNumber + `(?:` + bathWords + `)?)$`)
	})
	roomsByWord = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(` + studioWords + `|` + bedNumber + bedWords + `)` +
			` ?(?:and |y )?(` + bathNumber + bathWords + `)$`)
	})
)

// halves writes a half as a decimal.
var halves = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(" ½", ".5", "½", ".5", " 1/2", ".5", ",", ".")
})

// mostRooms is the largest number that is read of a pair; 12/31 is a day rather than rooms.
const mostRooms = 20

// Rooms reads bedrooms and bathrooms in one cell: 2/1.00, Studio/1.00, 2 Bed/1 Bath, 2BR/1.5BA, 2x1, 3 bd 2 ba. A
// studio has 0 bedrooms. It is not ok where one of them is missing, above 20, or no multiple of a half.
func Rooms(s string) (bedrooms int, bathrooms portfolio.Half, ok bool) {
	s, ok = clean(s)
	if !ok {
		return 0, 0, false
	}
	beds, baths := "", ""
	if m := roomsBySign().FindStringSubmatch(s); m != nil {
		beds, baths = m[1], m[4]
	} else if m := roomsByWord().FindStringSubmatch(s); m != nil {
		beds, baths = m[1], m[4]
	}
	bedrooms, bedsOK := Bedrooms(beds)
	bathrooms, bathsOK := Bathrooms(baths)
	if !bedsOK || !bathsOK || bedrooms > mostRooms || bathrooms > 2*mostRooms {
		return 0, 0, false
	}
	return bedrooms, bathrooms, true
}

// Bedrooms reads a number of bedrooms from 0 to 100: 2, 2 BR, 2.0, Studio.
func Bedrooms(s string) (int, bool) {
	s, _ = clean(s)
	m := bedroomPattern().FindStringSubmatch(s)
	switch {
	case m == nil:
		return 0, false
	case m[1] != "":
		return 0, true
	}
	n, _ := strconv.Atoi(m[2])
	if n > 100 {
		return 0, false
	}
	return n, true
}

// Bathrooms reads a number of bathrooms from 0 to 100 in steps of a half: 1, 1.00, 1.5 BA, 1½, 1 1/2.
func Bathrooms(s string) (portfolio.Half, bool) {
	s, _ = clean(s)
	m := bathroomPattern().FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	number := halves().Replace(m[1])
	if number[0] == '.' {
		number = "0" + number
	}
	h, err := portfolio.ParseHalf(number)
	return h, err == nil
}

// Phone reads a phone number that contact.Phone takes, in E.164, and the digits of its extension, "" where it has none.
func Phone(s string) (number, extension string, ok bool) {
	s, ok = clean(s)
	if !ok {
		return "", "", false
	}
	whole, err := contact.Phone(s)
	number, extension, _ = strings.Cut(whole, ";ext=")
	return number, extension, err == nil
}
