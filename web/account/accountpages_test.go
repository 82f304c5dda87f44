package account_test

import (
	"portal/api/account"
)

// freshFor is more than the time for which nobody is asked again who they are.
const freshFor = account.FreshTime
