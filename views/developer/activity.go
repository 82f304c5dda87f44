package developer

import "portal/views/kit"

// Call is the page of a call of a tool.
type Call struct {
	kit.Record
	Arguments kit.Body
	Change    kit.Body // absent where it changed nothing
}
