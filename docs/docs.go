// Package docs holds the texts that the binary serves as its documentation.
//
// It knows nothing of how they are shown.
package docs

import "embed"

// Texts are the pages in Markdown. Those in site are templates over figures of the code;
// the others are read in the repository too.
//
//go:embed site/*.md clients/*.md assistants.md webhooks.md
var Texts embed.FS
