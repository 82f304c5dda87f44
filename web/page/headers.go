package page

import (
	"strings"

	"portal/api/agreement/document"
	"portal/api/compress"
	"portal/api/fault"
	"portal/static"
	"portal/views/kit"
)

// contentPolicy is of a page that loads its style sheets, fonts, icons and scripts from here, and nothing else.
// Only scripts with the nonce of the answer run; data: is for small drawings.
const contentPolicy = "default-src 'none'; script-src 'nonce-%'; style-src 'self'; font-src 'self'; img-src 'self' " +
	"data:; " +
	"connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// publicPolicy is of a document for everybody: it loads nothing but what draws it.
const publicPolicy = "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// bearerPolicy is of a page for somebody who has a link: it posts a form to itself, and runs nothing.
const bearerPolicy = "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// permissions are what no page of ours asks a browser for, and no page that it were to show may.
const permissions = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=(), " +
	"clipboard-write=(self), publickey-credentials-create=(self), publickey-credentials-get=(self)"

// guard sets the security headers. same-origin, not no-referrer: a form of ours
// would otherwise be posted with Origin: null, which the check against forged
// requests refuses.
func (v *Request) guard() {
	h := v.Response().Header()
	h.Set("Content-Security-Policy", strings.Replace(contentPolicy, "%", v.nonce, 1))
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", permissions)
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Request-Id", v.ID)
	if v.Shell.secure() {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	if v.route.secret {
		v.own = true
		h.Set("X-Robots-Tag", "noindex, nofollow")
	}
	switch v.route.Audience {
	case Public:
		h.Set("Content-Security-Policy", publicPolicy)
	case LinkHolder:
		v.secret()
	case Guest:
		h.Add("Vary", "Cookie")
	default:
		h.Set("Cache-Control", "no-store")
	}
	if v.route.framed {
		policy := h.Get("Content-Security-Policy")
		h.Set("Content-Security-Policy", strings.Replace(policy, "frame-ancestors 'none'", "frame-ancestors 'self'", 1))
	}
}

// secret is for an address that is a secret: no cache keeps the page, no other site
// and no search engine learns of it.
func (v *Request) secret() {
	h := v.Response().Header()
	h.Set("Content-Security-Policy", bearerPolicy)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex, nofollow")
}

// HoldsFrame lets the page hold a frame of this site.
func HoldsFrame(v *Request) {
	h := v.Response().Header()
	h.Set("Content-Security-Policy", h.Get("Content-Security-Policy")+"; frame-src 'self'")
}

// File answers with an embedded file. Its address holds a hash of what is in it,
// so a browser may keep it for ever.
func (s *Shell) File(v *Request) error {
	f, ok := static.Named(v.Param("*"))
	if !ok {
		return fault.Of(fault.RouteNotFound)
	}
	v.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	if strings.HasPrefix(f.Type, "font/") || f.Type == "image/png" { // is compressed as it stands
		return v.Send.Body(f.Type, f.Body)
	}
	d := v.Shell.document(f.Name, func() []byte { return f.Body })
	return v.Send.Body(f.Type, d.In(negotiate(v, len(f.Body), compress.Brotli, compress.Gzip)))
}

// DocumentView is a document as a page shows it.
func DocumentView(d *document.Document) kit.Document {
	charges := documentTable(d.Charges)
	charges.Caption = "What is paid, and when"
	return kit.Document{
		Title:    d.Title,
		About:    d.About,
		Number:   d.Number,
		Front:    documentSections(d.Front),
		Terms:    documentRows(d.Terms),
		Charges:  charges,
		Totals:   documentRows(d.Totals),
		Fees:     document.NoOtherFee,
		Note:     d.Note,
		Sections: documentSections(d.Sections),
	}
}

func documentSections(sections []document.Section) (all []kit.DocumentSection) {
	for i := range sections {
		s := &sections[i]
		shown := kit.DocumentSection{Heading: s.Heading()}
		for j := range s.Blocks {
			shown.Blocks = append(shown.Blocks, documentBlock(s.Title, &s.Blocks[j]))
		}
		all = append(all, shown)
	}
	return all
}

func documentBlock(section string, b *document.Block) (shown kit.DocumentBlock) {
	switch {
	case b.Paragraph != nil:
		shown.Number, shown.Text = b.Paragraph.Number, b.Paragraph.Text
	case b.Points != nil:
		shown.Points = b.Points
	case b.Table != nil:
		shown.Table = new(documentTable(*b.Table))
		shown.Table.Caption = section
	case b.Signature != nil:
		s := b.Signature
		shown.Signature = &kit.DocumentSignature{
			Confirms: s.Confirms,
			Name:     s.Name,
			Role:     s.Signer(),
			Typed:    s.Typed,
			At:       s.At,
		}
	}
	return shown
}

func documentRows(rows []document.Row) (all []kit.DocumentRow) {
	for _, r := range rows {
		all = append(all, kit.DocumentRow{Name: r.Name, Value: r.Value})
	}
	return all
}

func documentTable(t document.Table) kit.DocumentTable {
	return kit.DocumentTable{Head: t.Head, Rows: t.Rows}
}
