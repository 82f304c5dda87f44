// Package portal holds the texts of the repository's root that the binary serves.
//
// It knows nothing else.
package portal

import _ "embed"

// Changelog is CHANGELOG.md.
//
//go:embed CHANGELOG.md
var Changelog string

// Security is SECURITY.md.
//
//go:embed SECURITY.md
var Security string
