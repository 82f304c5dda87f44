package resident

import (
	"fmt"
	"net/http"
	"strings"

	"portal/api/agreement"
	"portal/api/agreement/ceremony"
	"portal/views/kit"
	views "portal/views/resident"
	"portal/web/page"
)

// signEnd says why there is nothing to sign.
func signEnd(v *page.Request, s *ceremony.Page) error {
	where := [2]string{"This lease is for " + s.Address + ".", "Es el contrato de " + s.Address + "."}
	ask := [2]string{" Ask " + s.Landlord + " for a new one.", " Pida uno nuevo a " + s.Landlord + "."}
	switch s.Standing {
	case ceremony.Signed:
		yet := named(s.All, func(status agreement.SignerStatus) bool { return status != agreement.Signed })
		if on := s.Signer.PaperSignedOn; on != nil {
			h := signHeader(v, s.Landlord)
			where[0] += " " + s.Landlord + " recorded that you signed on paper on " + day(h, *on) +
				". If you didn’t, tell " + s.Landlord + " right away."
			where[1] += " " + s.Landlord + " registró que usted firmó en papel el " + day(h, *on) +
				". Si no fue así, avise a " + s.Landlord + " de inmediato."
		}
		return signedBySome(v, s, [2]string{
			where[0] + " Yet to sign: " + yet + ".",
			where[1] + " Falta la firma de: " + yet + ".",
		})
	case ceremony.Executed:
		return signedByAll(v, s, where)
	case ceremony.Declined:
		who := named(s.All, func(status agreement.SignerStatus) bool { return status == agreement.Declined })
		return signNotice(
			v,
			http.StatusGone,
			s.Landlord,
			[2]string{"This lease was declined", "Este contrato fue rechazado"},
			[2]string{
				where[0] + " " + who + " will not sign it." + ask[0],
				where[1] + " " + who + " no lo firmará." + ask[1],
			},
		)
	case ceremony.Voided:
		// The landlord voided it, or its time to sign was over before anybody had signed.
		return signNotice(v, http.StatusGone, s.Landlord,
			[2]string{"This lease can no longer be signed", "Este contrato ya no se puede firmar"},
			[2]string{
				where[0] + " It was withdrawn, or the time to sign it is over." + ask[0],
				where[1] + " Fue retirado, o el plazo para firmarlo terminó." + ask[1],
			})
	case ceremony.Expired, ceremony.ToReview, ceremony.ToSign:
	}
	if s.Extendable {
		ask = [2]string{" Ask " + s.Landlord + " for more time.", " Pida más tiempo a " + s.Landlord + "."}
	}
	return signNotice(v, http.StatusGone, s.Landlord,
		[2]string{"The time to sign is over", "El plazo para firmar terminó"},
		[2]string{where[0] + ask[0], where[1] + ask[1]})
}

// signedByAll leads to the signed copy, where there is one.
func signedByAll(v *page.Request, s *ceremony.Page, where [2]string) error {
	h := signHeader(v, s.Landlord)
	h.Title = h.Say("The lease is signed by all", "Todos han firmado el contrato")
	view := views.Signed{GuestHeader: h, Words: []string{h.Say(where[0], where[1])}, Parties: parties(h, s)}
	if s.Copied {
		view.Words = append(view.Words, h.Say("We emailed a copy to everybody who has signed.",
			"Enviamos una copia por correo electrónico a quienes firmaron."))
		view.Next = kit.Link{
			Name: h.Say("Open the signed lease (PDF)", "Abrir el contrato firmado (PDF)"),
			Path: signAt(v) + "/lease.pdf",
		}
	}
	return v.Show(views.SignedPage(view))
}

// signedBySome says that the reader has signed, who has not, and how they get their copy.
func signedBySome(v *page.Request, s *ceremony.Page, words [2]string) error {
	h := signHeader(v, s.Landlord)
	h.Title = h.Say("You have signed the lease", "Ha firmado el contrato")
	view := views.Signed{GuestHeader: h, Words: []string{h.Say(words[0], words[1])}, Parties: parties(h, s)}
	if s.Email != "" {
		view.Words = append(view.Words, h.Say(
			"You have nothing else to do. We’ll email the signed lease to "+s.Email+" when everyone has signed.",
			"No tiene que hacer nada más. Enviaremos el contrato firmado a "+s.Email+" cuando todos hayan firmado."))
	}
	return v.Show(views.SignedPage(view))
}

// parties are all who sign, with how far they are. The page is for everybody who has a link, so it says no more of
// the others.
func parties(h kit.GuestHeader, s *ceremony.Page) (p views.Parties) {
	signed := 0
	for i := range s.All {
		x := &s.All[i]
		party := views.Party{
			Name:   x.Name,
			About:  h.Say("Tenant", "Inquilino"),
			Status: kit.Status{Tone: kit.Idle, Text: h.Say("Not signed", "Sin firmar")},
		}
		switch x.Role {
		case agreement.LandlordSigner:
			party.About = h.Say("Landlord", "Arrendador")
		case agreement.GuarantorSigner:
			party.About = h.Say("Guarantor", "Fiador")
		case agreement.TenantSigner:
		}
		if x.ID == s.Signer.ID {
			party.About += h.Say(", you", ", usted")
		}
		if x.Status == agreement.Signed {
			signed++
			party.Status = kit.Status{Tone: kit.Done, Text: h.Say("Signed", "Firmado")}
		}
		p.All = append(p.All, party)
	}
	p.Note = fmt.Sprintf(h.Say("%d of %d signed", "%d de %d han firmado"), signed, len(s.All))
	return p
}

// named are the names of those signers whose status is meant.
func named(all []agreement.Signer, is func(agreement.SignerStatus) bool) string {
	var names []string
	for i := range all {
		if is(all[i].Status) {
			names = append(names, all[i].Name)
		}
	}
	return strings.Join(names, ", ")
}
