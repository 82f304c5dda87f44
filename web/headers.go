package web

import (
	"net/http"
	"strings"
)

// A page loads its style sheet and its icon from here, and nothing else.
const contentPolicy = "default-src 'none'; style-src 'self'; img-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard sets the security headers. same-origin, not no-referrer: a form of ours
// would otherwise be posted with Origin: null, which the check against forged
// requests refuses.
func (p Pages) guard(h http.Header) {
	h.Set("Content-Security-Policy", contentPolicy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	if strings.HasPrefix(p.BaseURL, "https://") {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
}
