// Package conditionpdf renders reports of the condition of a home as PDF.
//
// It knows no store and no HTTP.
package conditionpdf

import (
	"cmp"
	"strings"
	"time"

	"portal/api/agreement/document"
	"portal/api/agreement/document/pdf"
	"portal/api/clock"
	"portal/api/language"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/condition"
)

// Source is what a PDF says.
type Source struct {
	Report   *condition.Report
	MovedIn  *condition.Report // what stands beside a move-out report, nil for nothing
	Lease    *portfolio.Lease
	Landlord string
	Zone     *time.Location // of the landlord
}

// Render is a report as PDF, in a language. Notes and names stay as they were written.
func Render(s *Source, reads language.Language) ([]byte, error) {
	w := words{reads, s}
	return pdf.Render(w.document(), s.Report.UpdatedAt.Std())
}

// words say a report in a language.
type words struct {
	language.Language
	*Source
}

func (w words) document() *document.Document {
	d := &document.Document{
		Title:    w.Report.Kind.Label(w.Language),
		About:    pdf.Printable(w.Lease.RentalAddress),
		Number:   w.Report.ID,
		Language: w.Say("en-US", "es-US"),
		Author:   pdf.Printable(w.Landlord),
		Words: &document.Words{
			Terms: w.Say("Tenancy", "Arrendamiento"),
			Page:  w.Say("Page %d of %d", "Página %d de %d"),
		},
		Note: w.Say(
			"Tenants who say nothing of an item agree with the landlord. Photos are kept with the report online: the list at "+
				"the end names each by its SHA-256.",
			"Si los inquilinos no dicen nada de un elemento, están de acuerdo con el arrendador. Las fotos se guardan con el "+
				"informe en línea: la lista del final nombra cada una por su SHA-256.",
		),
		Terms: []document.Row{
			{Name: w.Say("Landlord", "Arrendador"), Value: pdf.Printable(w.Landlord)},
			{Name: w.Say("Tenants", "Inquilinos"), Value: pdf.Printable(strings.Join(w.renters(), ", "))},
			{Name: w.Say("Home", "Vivienda"), Value: pdf.Printable(w.Lease.RentalAddress)},
			{Name: w.Say("Lease from", "Contrato desde"), Value: w.day(w.Lease.StartDate)},
			{Name: w.Say("State", "Estado"), Value: w.state()},
		},
	}
	var photos document.Points
	for _, a := range condition.Beside(w.MovedIn, w.Report) {
		t := &document.Table{Head: w.head()}
		for _, pair := range a.Items {
			t.Rows = append(t.Rows, w.row(pair))
			photos = append(photos, w.photos(a.Area, pair.Out)...)
		}
		if len(t.Rows) > 0 {
			d.Sections = append(d.Sections, document.Section{
				Title: pdf.Printable(a.Label(w.Language)), Blocks: []document.Block{{Table: t}},
			})
		}
	}
	d.Sections = append(d.Sections, w.signatures())
	if len(photos) > 0 {
		d.Sections = append(d.Sections, document.Section{
			Title: w.Say("Photos", "Fotos"), Blocks: []document.Block{{Points: photos}},
		})
	}
	return d
}

// renters are the names of those who rent.
func (w words) renters() (names []string) {
	for i := range w.Lease.Tenants {
		if p := &w.Lease.Tenants[i]; p.Role != portfolio.PartyGuarantor {
			names = append(names, p.Name)
		}
	}
	return names
}

func (w words) day(d clock.Date) string {
	return w.Say(d.Std().Format("January 2, 2006"), language.Date(d))
}

// moment is a time in the landlord's zone.
func (w words) moment(at clock.Time) string {
	t := at.Std().In(w.Zone)
	return w.Say(
		t.Format("Jan 2, 2006, 3:04 PM MST"),
		language.ShortDate(clock.DateOf(t, w.Zone))+t.Format(", 15:04 MST"),
	)
}

// state says how far the signatures are.
func (w words) state() string {
	switch r := w.Report; {
	case r.Complete():
		return w.Say("Signed by all on ", "Firmado por todos el ") + w.moment(*r.CompletedAt)
	case r.LandlordSignature() != nil:
		return w.Say("Signed by the landlord. Not all tenants have signed it.",
			"Firmado por el arrendador. No todos los inquilinos lo han firmado.")
	}
	return w.Say("Not signed", "Sin firmar")
}

func (w words) head() []string {
	head := []string{w.Say("Item", "Elemento")}
	if w.MovedIn != nil {
		head = append(head, w.Say("At moving in", "Al entrar"))
	}
	return append(head, w.Say("Landlord", "Arrendador"), w.Say("Tenants", "Inquilinos"))
}

// row is an item as both sides see it, behind what was said of it at moving in.
func (w words) row(pair condition.PairedItem) []string {
	row := []string{pdf.Printable(pair.Item().Label(w.Language))}
	if w.MovedIn != nil {
		before := ""
		if pair.In != nil {
			before = pair.In.Words(w.Language)
		}
		row = append(row, pdf.Printable(before))
	}
	if pair.Out == nil {
		none := w.Say("Not in this report", "No está en este informe")
		return append(row, none, "")
	}
	return append(row, pdf.Printable(pair.Out.Landlord.Words(w.Language)),
		pdf.Printable(pair.Out.Tenant.Words(w.Language)))
}

// photos are those of an item, of which a report may have none.
func (w words) photos(a *condition.Area, item *condition.Item) (all document.Points) {
	if item == nil {
		return nil
	}
	for i := range item.Photos {
		p := &item.Photos[i]
		by := w.Say("Landlord", "Arrendador")
		if p.By == condition.Tenant {
			by = cmp.Or(w.name(p.TenantID), w.Say("Tenant", "Inquilino"))
		}
		of := a.Label(w.Language) + ", " + item.Label(w.Language)
		all = append(all, pdf.Printable(of+". "+by+", "+w.moment(p.UploadedAt)+". SHA-256: "+p.SHA256))
	}
	return all
}

// name is that of a tenant of the lease, "" for another one.
func (w words) name(tenantID *string) string {
	for i := range w.Lease.Tenants {
		if p := &w.Lease.Tenants[i]; tenantID != nil && p.ID == *tenantID {
			return p.Name
		}
	}
	return ""
}

// signatures are who has signed, and who has not.
func (w words) signatures() document.Section {
	t := &document.Table{Head: []string{
		w.Say("Signature", "Firma"), w.Say("When", "Cuándo"), w.Say("From", "Desde"),
	}}
	var hashes document.Points
	for i := range w.Report.Signatures {
		s := &w.Report.Signatures[i]
		name := s.Name + w.Say(", landlord", ", arrendador")
		if s.By == condition.Tenant {
			name = s.Name
		}
		t.Rows = append(t.Rows, []string{pdf.Printable(name), w.moment(s.SignedAt), pdf.Printable(s.Address)})
		hashes = append(
			hashes,
			pdf.Printable(w.Say("SHA-256 of what was signed, ", "SHA-256 de lo firmado, ")+s.Name+": "+
				s.SHA256),
		)
	}
	for i := range w.Report.Awaited {
		t.Rows = append(t.Rows, []string{
			pdf.Printable(w.Report.Awaited[i].Name), w.Say("Not signed", "Sin firmar"), "",
		})
	}
	section := document.Section{Title: w.Say("Signatures", "Firmas")}
	if len(t.Rows) == 0 {
		section.Blocks = []document.Block{
			{Paragraph: &document.Paragraph{Text: w.Say("Nobody has signed.", "Nadie ha firmado.")}},
		}
		return section
	}
	section.Blocks = []document.Block{{Table: t}}
	if len(hashes) > 0 {
		section.Blocks = append(section.Blocks, document.Block{Points: hashes})
	}
	return section
}
