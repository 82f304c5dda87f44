package resident

import (
	"context"
	"net/http"

	"portal/api/agreement"
	"portal/web/page"
)

// Documents are the documents of leases, for who holds a link.
type Documents interface {
	// Document is what a link opens: fault.NotFound for one that opens nothing, and no content for one
	// that has ended.
	Document(ctx context.Context, token string) (*agreement.Shown, error)
}

// document answers with the PDF of a lease, with the signatures once all have signed it.
func (p *Section) document(v *page.Request) error {
	shown, err := p.Documents.Document(v.Request().Context(), v.Param("token"))
	if err != nil {
		return v.NoLink(err)
	}
	if shown.Content == nil {
		return v.Notice(http.StatusGone, shown.Landlord, "This document has expired",
			"It was the draft of a lease for "+shown.Address+", and can no longer be signed. Ask "+
				shown.Landlord+" for a new one.")
	}
	name := "lease"
	if shown.Executed {
		name = "signed-lease"
	}
	return v.Send.OwnPDF(name, shown.Content)
}
