package resident

import (
	_ "embed"
	"sync"
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

//go:embed verdicts.csv
var verdictTable string

// verdicts are how each finding is told: its title, and behind it what it means.
var verdicts = sync.OnceValue(func() map[agreement.Finding][]bilingual {
	all := map[agreement.Finding][]bilingual{}
	for _, r := range tableRows(verdictTable) {
		of := agreement.Finding(r[0])
		all[of] = append(all[of], bilingual{r[1], r[2]})
	}
	return all
})

var verdictTones = map[agreement.Finding]kit.Tone{
	agreement.Genuine:  kit.Done,
	agreement.Unsigned: kit.Warned,
	agreement.Changed:  kit.Failed,
	agreement.Tampered: kit.Failed,
	agreement.Unknown:  kit.Warned,
}

// finding is what a file is, in the language of the page.
func finding(h kit.GuestHeader, v *agreement.Verdict) *views.Finding {
	told := verdicts()[v.Finding]
	f := &views.Finding{
		Tone:      verdictTones[v.Finding],
		Title:     told[0].in(h),
		Facts:     fileFacts(h, v),
		Tampering: v.Tampering,
	}
	for _, w := range told[1:] {
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
	for _, a := range v.Attachments {
		add("Attachment", "Documento adjunto", h.Say(
			a.Name+", "+texts.Counted(a.Pages, "page")+", of a file with the SHA-256 "+a.SHA256,
			a.Name+", "+language.Counted(a.Pages, "página", "páginas")+", de un archivo con el SHA-256 "+a.SHA256,
		))
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
