package attachment

import (
	"errors"

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
	convertHint                      = " Take a screenshot of it and send that, or save it as a JPEG file."
	convertHintSpanish               = " Tome una captura de pantalla y envíela, o guarde la imagen como archivo JPEG."
	smallerHint                      = " Send a smaller copy, or a screenshot of it."
	smallerHintSpanish               = " Envíe una copia más pequeña o una captura de pantalla."
)

// sentences are what is said of each refusal, in English and in Spanish.
var sentences = map[Refusal][2]string{
	TooLarge: {"The picture is larger than 10 MB." + smallerHint, "La imagen pesa más de 10 MB." + smallerHintSpanish},
	TooManyPixels: {
		"The picture has more than 65 megapixels." + smallerHint,
		"La imagen tiene más de 65 megapíxeles." + smallerHintSpanish,
	},
	TooManyPixelsProgressive: {
		"The picture has more than 25 megapixels, the most for a progressive JPEG file." + smallerHint,
		"La imagen tiene más de 25 megapíxeles, el máximo para un archivo JPEG progresivo." + smallerHintSpanish,
	},
	TooManyPixelsAVIF: {
		"The picture has more than 10 megapixels, the most for an AVIF file." + smallerHint,
		"La imagen tiene más de 10 megapíxeles, el máximo para un archivo AVIF." + smallerHintSpanish,
	},
	TooManyPixelsOther: {
		"The picture has more than 12.5 megapixels, the most for a picture of its kind." + smallerHint,
		"La imagen tiene más de 12.5 megapíxeles, el máximo para una imagen de este tipo." + smallerHintSpanish,
	},
	SixteenBit: {
		"The picture is a PNG file with 16-bit colors, which we can't read." + convertHint,
		"La imagen es un archivo PNG con colores de 16 bits, que no podemos leer." + convertHintSpanish,
	},
	FullColorDetail: {
		"The picture is a progressive JPEG file with full color detail (4:4:4), which we can't read." + convertHint,
		"La imagen es un archivo JPEG de un tipo que no podemos leer (progresivo, 4:4:4)." + convertHintSpanish,
	},
	Animated: {
		"The picture is an animation. Send a picture that doesn't move, for example a screenshot of it.",
		"La imagen es una animación. Envíe una imagen fija, por ejemplo una captura de pantalla.",
	},
	ForPrinting: {
		"The picture has colors for printing (CMYK), which we can't read." + convertHint,
		"La imagen usa colores para impresión (CMYK), que no podemos leer." + convertHintSpanish,
	},
	NotAPicture: {
		"The file is not a JPEG, HEIC, AVIF, PNG or WebP picture. Send a photo or a screenshot.",
		"El archivo no es una imagen JPEG, HEIC, AVIF, PNG ni WebP. Envíe una foto o una captura de pantalla.",
	},
	Unusual: {
		"The picture is stored in an unusual way that we can't read." + convertHint,
		"La imagen está guardada de una forma poco común que no podemos leer." + convertHintSpanish,
	},
	Damaged: {
		"The picture is damaged or incomplete. Send it again, or send another one.",
		"La imagen está dañada o incompleta. Envíela de nuevo o envíe otra.",
	},
}

// Say is the sentence for people, in English or in Spanish.
func (r Refusal) Say(spanish bool) string {
	if spanish {
		return sentences[r][1]
	}
	return sentences[r][0]
}

// Error is the English sentence.
func (r Refusal) Error() string { return r.Say(false) }

// fault is the refusal as callers get it; RefusalOf finds it again.
func (r Refusal) fault(cause error) error {
	return fault.New(fault.InvalidField, "%s", r.Say(false)).Because(errors.Join(r, cause))
}

// RefusalOf tells why Convert has refused a picture; false where that is not what happened.
func RefusalOf(err error) (Refusal, bool) { return errors.AsType[Refusal](err) }
