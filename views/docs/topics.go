package docs

import (
	"strconv"

	"portal/views/kit"
)

// Topic is pages of the documentation that stand together.
type Topic struct {
	Title string
	About string // what they are for
	Pages []kit.Link
}

func topicID(i int) string { return "topic-" + strconv.Itoa(i+1) }
