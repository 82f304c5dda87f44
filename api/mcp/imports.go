package mcp

import (
	"context"

	"portal/api/access"
	"portal/api/operation"
	"portal/api/portfolio/imports"
)

type importID struct {
	// The import.
	ID string `json:"import_id" format:"ref" prefix:"imp"`
}

func (e *Endpoint) readImport() *operation.Tool {
	return operation.Asks(operation.ToolSpec{
		Name:  "get_import",
		Title: "Get an import",
		Description: "One rent roll that was sent: status, how its columns were understood, problems and notes with " +
			"their questions, what it would change, and what was written. Needs read. Texts come from the file. " +
			"People answer and confirm on the page or over REST.",
		About: "import_id",
	}, func(ctx context.Context, by access.Actor, in importID) (*imports.State, error) {
		return e.Imports.State(ctx, by, in.ID)
	})
}
