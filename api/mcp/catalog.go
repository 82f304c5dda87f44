package mcp

import (
	_ "embed"
	"encoding/json"
	"strings"

	"portal/api/access"
	"portal/api/operation"
	"portal/api/strictjson"
)

// How long a client may keep what it was told, in milliseconds: the tools change with the
// key's scopes, the server's own description with a release.
const (
	listTime     = 5 * 60 * 1000
	discoverTime = 60 * 60 * 1000
)

// instructions tell an assistant what no single tool says: how to work here without doing harm.
//
//go:embed instructions.txt
var instructions string

// catalog is what is answered in the same words each time, made once a year, which
// bounds years of construction.
type catalog struct {
	year             int
	reading, writing toolList // for keys that only read, and for those that write
	greeting         []byte   // of initialize, behind the agreed revision
	discovered       []byte
}

// toolList is a list of tools, for clients of the older revisions and of the newer.
type toolList struct{ older, newer []byte }

// list is the list for a key of these scopes.
func (c *catalog) list(scopes access.Scopes, newer bool) []byte {
	s := c.reading
	if scopes.Has(access.Write) {
		s = c.writing
	}
	if newer {
		return s.newer
	}
	return s.older
}

// catalog is the one of the present year (UTC).
func (e *Endpoint) catalog() *catalog {
	year := e.Now().UTC().Year()
	if c := e.words.Load(); c != nil && c.year == year {
		return c
	}
	c := e.render(year)
	e.words.Store(&c)
	return &c
}

func (e *Endpoint) render(year int) catalog {
	c := catalog{year: year}
	var reading []*operation.Tool
	for _, t := range e.tools {
		if t.Scope == access.Read {
			reading = append(reading, t)
		}
	}
	c.reading, c.writing = e.toolList(reading, year), e.toolList(e.tools, year)
	c.greeting = marshal(struct {
		Capabilities capabilities `json:"capabilities"`
		ServerInfo   serverInfo   `json:"serverInfo"`
		Instructions string       `json:"instructions"`
	}{
		ServerInfo:   infoOf(e.Version),
		Instructions: instructions,
	})
	c.greeting[0] = ','
	c.discovered = marshal(struct {
		ResultType        string         `json:"resultType"`
		SupportedVersions []string       `json:"supportedVersions"`
		Capabilities      capabilities   `json:"capabilities"`
		Instructions      string         `json:"instructions"`
		TTL               int            `json:"ttlMs"`
		CacheScope        string         `json:"cacheScope"`
		Meta              map[string]any `json:"_meta"`
	}{"complete", revisions, capabilities{}, instructions, discoverTime, "public", metaOf(e.Version)})
	return c
}

// capabilities are those of the server: tools that do not change while it runs.
type capabilities struct {
	Tools struct{} `json:"tools"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	Version string `json:"version"`
}

func infoOf(version string) serverInfo { return serverInfo{"portal", "Portal", version} }

func metaOf(version string) map[string]any {
	return map[string]any{"io.modelcontextprotocol/serverInfo": infoOf(version)}
}

// stampOf is the member of _meta by which a result of the newer era says who answers.
func stampOf(version string) string {
	inner := marshal(metaOf(version))
	return string(inner[1 : len(inner)-1])
}

func (e *Endpoint) toolList(tools []*operation.Tool, year int) toolList {
	all := make([]described, len(tools))
	for i, t := range tools {
		all[i] = describedOf(t, year)
	}
	list := `"tools":` + string(marshal(all))
	return toolList{
		older: []byte(`{` + list + `}`),
		newer: marshalRaw(
			`{` + list + `,"ttlMs":` + string(marshal(listTime)) +
				`,"cacheScope":"private","resultType":"complete","_meta":{` + e.stamp + `}}`,
		),
	}
}

func describedOf(t *operation.Tool, year int) described {
	d := described{
		Name:         t.Name,
		Title:        t.Title,
		Description:  t.Description,
		InputSchema:  t.InputSchema(year),
		OutputSchema: t.OutputSchema(year),
		Annotations:  annotations{ReadOnly: !t.Changes},
	}
	if t.Changes {
		updates := strings.HasPrefix(t.Name, "update_")
		d.Annotations.Destructive, d.Annotations.Idempotent = &updates, &updates
	}
	return d
}

// marshal writes JSON in one line, with characters as they are.
func marshal(v any) []byte {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return []byte(strings.TrimSuffix(b.String(), "\n"))
}

// marshalRaw is JSON that was put together by hand; a mistake ends the program at its
// start.
func marshalRaw(s string) []byte {
	if _, err := strictjson.Parse([]byte(s)); err != nil {
		panic(err)
	}
	return []byte(s)
}
