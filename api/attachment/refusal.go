package attachment

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"errors"
	"sync"

	"portal/api/fault"
)

// Refusal is why a picture is not taken.
type Refusal string

// The reasons for which pictures are refused.
const (
	TooLarge                 Refusal = "too_large"                   // more than MostBytes
	TooManyPixels            Refusal = "too_many_pixels"             // a JPEG or HEIC of more than 65 megapixels
	TooManyPixelsProgressive Refusal = "too_many_pixels_progressive" // a progressive JPEG of more than 25 megapixels
	TooManyPixelsAVIF        Refusal = "too_many_pixels_avif"        // an AVIF of more than 10 megapixels
	TooManyPixelsOther       Refusal = "too_many_pixels_other"       // another picture of more than 12.5 megapixels
	SixteenBit               Refusal = "sixteen_bit"                 // a PNG with 16 bits a channel
	FullColorDetail          Refusal = "full_color_detail"           // a progressive JPEG whose colors have all pixels
	Animated                 Refusal = "animated"                    // a WebP with several frames
	ForPrinting              Refusal = "for_printing"                // a JPEG in CMYK
	NotAPicture              Refusal = "not_a_picture"               // neither JPEG, HEIC, AVIF, PNG nor WebP
	Unusual                  Refusal = "unusual"                     // a variant that is not decoded
	Damaged                  Refusal = "damaged"                     // incomplete, or not what it says it is
)

// table is what is said of each refusal, in English and in Spanish.
//
//go:embed refusals.csv
var table []byte

var sentences = sync.OnceValue(func() map[Refusal][2]string {
	rows, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	if err != nil {
		panic(err) // it is part of the program
	}
	all := make(map[Refusal][2]string, len(rows))
	for _, r := range rows[1:] {
		all[Refusal(r[0])] = [2]string{r[1], r[2]}
	}
	return all
})

// Say is the sentence for people, in English or in Spanish.
func (r Refusal) Say(spanish bool) string {
	if spanish {
		return sentences()[r][1]
	}
	return sentences()[r][0]
}

// Error is the English sentence.
func (r Refusal) Error() string { return r.Say(false) }

// fault is the refusal as callers get it; RefusalOf finds it again.
func (r Refusal) fault(cause error) error {
	return fault.New(fault.InvalidField, "%s", r.Say(false)).Because(errors.Join(r, cause))
}

// RefusalOf tells why Convert has refused a picture; false where that is not what happened.
func RefusalOf(err error) (Refusal, bool) { return errors.AsType[Refusal](err) }
