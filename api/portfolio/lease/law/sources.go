package law

import (
	"net/url"
	"slices"
	"strings"
)

// lookedAt is the day on which the tables were last looked at: it stands where no source of a state has a date.
const lookedAt = "2026-11-25"

// publishers are the sites among the sources that have the text of a law, a regulation or a bill, or what an
// agency or a court writes about it. All others are guides, which may quote the law.
var publishers = []string{
	"app.legiplex.com", "casetext.com", "flsenate.gov", "getpocketlaw.com", "govt.westlaw.com", "ilga.gov",
	"instalawyer.io", "law.justia.com", "law.onecle.com", "law.uslawyerdatabase.com", "lawserver.com", "le.utah.gov",
	"lexace.ai", "nevada.public.law", "policyrisk.com", "regulations.justia.com", "sdlegislature.gov", "self-law.org",
	"statutes.laws-info.com", "touchngo.com", "courts.michigan.gov", "mass.gov", "weblaws.org",
}

// IsStatute reports whether a source has the text of the law; otherwise it is a guide.
func IsStatute(source string) bool {
	u, err := url.Parse(source)
	return err == nil && slices.Contains(publishers, strings.TrimPrefix(u.Host, "www."))
}
