package resident

import (
	"portal/api/portfolio/lease/application"
)

// Rules are what guests may do with the rules of applications.
func Rules(a *application.Services) Guests {
	return struct {
		*application.Applications
		*application.Emails
	}{a.Applications, a.Emails}
}
