package web_test

import (
	"portal/static"
)

// What is served, one address of each kind.
var (
	pages = []string{"/", "/docs/errors", "/nowhere"}
	rest  = []string{"/docs/errors.md", static.URL("style.css"), static.URL("page.js"), static.URL("icon.svg")}
)
