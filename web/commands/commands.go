// Package commands is the commands that a reader copies to try the API.
package commands

import (
	"portal/views/kit"
	"portal/web/page"
)

// keyPlace stands in a command where the reader's own test key goes.
const keyPlace = "sk_test_pm_YOUR_KEY"

// FirstRequest asks the API who calls it.
func FirstRequest(v *page.Request) kit.CommandText {
	return kit.CommandText{
		Caption: "First request",
		Text:    "curl " + v.Shell.Base() + "/api/v1/external/me \\\n  -H \"Authorization: Bearer " + keyPlace + "\"",
	}
}

// Listen forwards test events to the reader’s machine.
func Listen(v *page.Request) kit.CommandText {
	return kit.CommandText{
		Caption: "Forward test events",
		Text: "portal listen --key " + keyPlace + " \\\n  --url " + v.Shell.Base() +
			" \\\n  --forward http://localhost:3000/hooks",
	}
}
