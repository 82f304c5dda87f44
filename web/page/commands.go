package page

import (
	"portal/views/kit"
)

// keyPlace stands in a command where the reader's own test key goes.
const keyPlace = "sk_test_pm_YOUR_KEY"

// FirstRequestCommand asks the API who calls it.
func FirstRequestCommand(v *Request) kit.CommandText {
	return kit.CommandText{
		Caption: "First request",
		Text:    "curl " + v.Shell.Base() + "/api/v1/external/me \\\n  -H \"Authorization: Bearer " + keyPlace + "\"",
	}
}

// ListenCommand forwards test events to the reader’s machine.
func ListenCommand(v *Request) kit.CommandText {
	return kit.CommandText{
		Caption: "Forward test events",
		Text: "portal listen --key " + keyPlace + " \\\n  --url " + v.Shell.Base() +
			" \\\n  --forward http://localhost:3000/hooks",
	}
}
