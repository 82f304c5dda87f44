package resident

import (
	"time"

	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/language"
	"portal/api/texts"
	"portal/views/kit"
	views "portal/views/resident"
)

// bilingual is a text in English and Spanish.
type bilingual [2]string

func (b bilingual) in(h kit.GuestHeader) string { return h.Say(b[0], b[1]) }

// tag is a status in English and Spanish.
type tag struct {
	tone  kit.Tone
	words bilingual
}

func (t tag) in(h kit.GuestHeader) kit.Status { return kit.Status{Tone: t.tone, Text: t.words.in(h)} }

// verdictWords are how a finding is told.
type verdictWords struct {
	tone  kit.Tone
	title bilingual
	words []bilingual
}

var verdicts = map[agreement.Finding]verdictWords{
	agreement.Genuine: {
		kit.Done,
		bilingual{"This is the lease that all parties signed", "Este es el contrato que firmaron todas las partes"},
		[]bilingual{{
			"The file is byte for byte the signed copy, and what we keep of the lease is as it was written.",
			"El archivo es, byte por byte, la copia firmada, y lo que guardamos del contrato está como se escribió.",
		}},
	},
	agreement.Unsigned: {
		kit.Warned,
		bilingual{"This copy isn’t signed", "Esta copia no está firmada"},
		[]bilingual{
			{
				"It’s the lease before it was signed, without signatures.",
				"Es un contrato tal como debía firmarse, sin firmas.",
			},
			{
				"Once all parties have signed, each gets an email with the link of the signed copy. Ask for that one.",
				"Cuando todas las partes han firmado, cada una recibe un correo con el enlace de la copia firmada. " +
					"Pida esa copia.",
			},
		},
	},
	agreement.Changed: {
		kit.Failed,
		bilingual{"This file was changed", "Este archivo fue modificado"},
		[]bilingual{
			{
				"It has the number of a lease we keep, but it isn’t the file we keep.",
				"Lleva el número de un contrato que guardamos, pero no es el archivo que guardamos.",
			},
			{
				"Don’t rely on it. Open the link of the signed copy from the email, or ask the other party for " +
					"that link, " +
					"and check the file that it opens. A program that prints a PDF or saves it anew changes it, too.",
				"No confíe en él. Abra el enlace de la copia firmada que está en el correo, o pídalo a la otra " +
					"parte, y " +
					"compruebe el archivo que se abre. Un programa que imprime un PDF o lo guarda de nuevo también " +
					"lo modifica.",
			},
		},
	},
	agreement.Tampered: {
		kit.Failed,
		bilingual{"We can’t vouch for this lease", "No podemos responder por este contrato"},
		[]bilingual{
			{
				"Our record of the lease was changed after it was written, so we can’t say whether the file is " +
					"genuine.",
				"Lo que guardamos del contrato fue modificado después, así que no podemos decir si el archivo es " +
					"auténtico.",
			},
			{
				"Keep the file, and send the operator of this service what it says here:",
				"Guarde el archivo y comunique a quien opera este servicio lo que dice aquí:",
			},
		},
	},
	agreement.Unknown: {
		kit.Warned,
		bilingual{"We don’t know this file", "No conocemos este archivo"},
		[]bilingual{{
			"We keep no lease with its fingerprint or its lease number.",
			"Nada de lo que guardamos tiene su huella, ni el número de un contrato que esté en él.",
		}, {
			"It may come from another service, or it was scanned, printed, or saved again. Open the link of the " +
				"signed copy from the email, and check the file that it opens.",
			"Puede venir de otro servicio, o haber sido escaneado, impreso o guardado de nuevo. Abra el enlace de la " +
				"copia firmada que está en el correo y compruebe el archivo que se abre.",
		}},
	},
}

// finding is what a file is, in the language of the page.
func finding(h kit.GuestHeader, v *agreement.Verdict) *views.Finding {
	told := verdicts[v.Finding]
	f := &views.Finding{
		Tone:      told.tone,
		Title:     told.title.in(h),
		Facts:     fileFacts(h, v),
		Tampering: v.Tampering,
	}
	for _, w := range told.words {
		f.Words = append(f.Words, w.in(h))
	}
	if v.Test {
		f.Words = append(f.Words, h.Say("The lease was made in test mode, where people try the service out.",
			"El contrato se hizo en el modo de prueba, donde se ensaya el servicio."))
	}
	if on := v.EndedOn; on != nil {
		f.Words = append(f.Words, h.Say("The lease was ended before it started, on "+day(h, *on)+".",
			"El contrato terminó antes de empezar, el "+day(h, *on)+"."))
	}
	if v.Finding == agreement.Unknown && v.Seal != nil && v.Seal.Own {
		f.Words = append(
			f.Words,
			h.Say("It has the seal of this service, which fits every byte: it was sealed here and "+
				"not changed since. Its lease is no longer kept.", "Lleva el sello de este servicio, que cubre "+
				"cada byte: "+
				"se selló aquí y no ha cambiado. Su contrato ya no se guarda."),
		)
	}
	for _, s := range v.Signers {
		f.Signed = append(f.Signed, kit.Fact{Name: s.Name, Value: signedAs(h, &s)})
	}
	return f
}

// signedAs is when and how a party has signed.
func signedAs(h kit.GuestHeader, s *agreement.Signatory) string {
	if s.Paper != nil {
		return h.Say("on paper on "+day(h, *s.Paper)+", as the landlord recorded on ",
			"en papel el "+day(h, *s.Paper)+", según registró el arrendador el ") + moment(h, s.At)
	}
	return moment(h, s.At) + h.Say(", with the name “", ", con el nombre «") + s.Typed + h.Say("”", "»")
}

// fileFacts are what else there is to say of a file.
func fileFacts(h kit.GuestHeader, v *agreement.Verdict) (all []kit.Fact) {
	add := func(english, spanish, value string) {
		if value != "" {
			all = append(all, kit.Fact{Name: h.Say(english, spanish), Value: value})
		}
	}
	add("Number of the lease", "Número del contrato", v.LeaseID)
	if v.Version > 0 {
		add("Version", "Versión", texts.Number(v.Version))
	}
	if v.ExecutedAt != 0 {
		add("Signed by all", "Firmado por todos", moment(h, v.ExecutedAt))
	}
	add("SHA-256", "SHA-256", v.SHA256)
	add("Size", "Tamaño", texts.Number(v.Size)+" bytes")
	add("Difference", "Diferencia", difference(h, v.Difference))
	add("Seal", "Sello", sealWords(h, v.Seal))
	if l := v.Log; l != nil {
		add("Log", "Registro", h.Say(
			texts.Number(l.Entries)+" entries; the fingerprint of the last one is "+l.Head,
			texts.Number(l.Entries)+" entradas; la huella de la última es "+l.Head,
		))
	}
	if v.Logged {
		add("Log", "Registro", h.Say("The log of the lease has this SHA-256 as that of the signed copy.",
			"El registro del contrato tiene este SHA-256 como el de la copia firmada."))
	}
	return all
}

// difference is how a file was changed.
func difference(h kit.GuestHeader, d *agreement.Difference) string {
	if d == nil {
		return ""
	}
	kept := texts.Number(d.Kept)
	switch d.Kind {
	case agreement.Appended:
		return h.Say("It begins with all "+kept+" bytes that we keep. What follows was added.",
			"Empieza con los "+kept+" bytes que guardamos. Lo que sigue fue añadido.")
	case agreement.Cut:
		return h.Say("We keep "+kept+" bytes. The file begins like them and ends too early.",
			"Guardamos "+kept+" bytes. El archivo empieza igual y termina antes.")
	case agreement.Altered:
	}
	if d.Kept == 0 {
		return h.Say("We keep the fingerprint of that version alone.", "Solo guardamos la huella de esa versión.")
	}
	from := texts.Number(d.From)
	return h.Say("We keep "+kept+" bytes. The first difference is in the 1,024 bytes from byte "+from+" on.",
		"Guardamos "+kept+" bytes. La primera diferencia está en los 1,024 bytes a partir del byte "+from+".")
}

// mostName is how much of the name in a certificate is shown, in characters: whoever sends a file chooses it.
const mostName = 64

// sealWords is the seal of a file.
func sealWords(h kit.GuestHeader, s *agreement.SealOf) string {
	if s == nil {
		return h.Say("There is none that fits the file.", "No hay ninguno que corresponda al archivo.")
	}
	fits := h.Say(
		"It fits every byte. Certificate: ",
		"Cubre cada byte. Certificado: ",
	) + certificateName(s.Name) + ", SHA-256 " + s.Fingerprint
	if s.Own {
		return fits + h.Say(". This service seals with it.", ". Este servicio sella con él.")
	}
	return fits + h.Say(". It isn’t the one this service seals with today.",
		". No es el que este servicio usa hoy para sellar.")
}

// certificateName is a name without what could change how the words behind it are read.
func certificateName(name string) string {
	if texts.Unreadable(name, false) || texts.Reordered(name) {
		return "(?)"
	}
	return texts.Clip(name, mostName)
}

// moment is a time to the second, in UTC.
func moment(h kit.GuestHeader, t clock.Time) string {
	at := t.Std().UTC()
	return h.Say(at.Format("January 2, 2006, 15:04:05"),
		language.Date(clock.DateOf(at, time.UTC))+", "+at.Format("15:04:05")) + " UTC"
}
