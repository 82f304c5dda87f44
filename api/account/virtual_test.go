package account_test

import (
	_ "github.com/alexedwards/scs/v2"
	_ "github.com/descope/virtualwebauthn"
)
