package docs

import (
	"strings"

	"portal/api/webhook"
)

// The marks between which a text has the table of all events.
const (
	eventsBegin = "<!-- events -->\n"
	eventsEnd   = "<!-- end of events -->\n"
)

// withEvents puts the events of the catalogue where a text has a table of them. The file has the same
// table, for people who read it where it lies.
func withEvents(text string) string {
	before, rest, has := strings.Cut(text, eventsBegin)
	_, after, ends := strings.Cut(rest, eventsEnd)
	if !has || !ends {
		return text
	}
	return before + eventTable() + "\nThe [event catalog](" + catalogAt +
		") has the fields of each, a payload and how to trigger it.\n" + after
}

func eventTable() string {
	var table strings.Builder
	table.WriteString("| Type | What has happened | `data.object` |\n|---|---|---|\n")
	for _, k := range webhook.Kinds() {
		table.WriteString("| `" + k.Type + "` | " + k.Description + " | " + k.Object + " |\n")
	}
	return table.String()
}
