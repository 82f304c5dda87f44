package application

import (
	"portal/api/portfolio"
)

// Emails is what becomes of the mail to those who were invited, and how they end it.
type Emails struct {
	*portfolio.Common
	store Store
}
