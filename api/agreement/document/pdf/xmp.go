package pdf

import (
	"bytes"
	"encoding/xml"
	"text/template"
	"time"

	"portal/api/agreement/document"
)

// metadata says in XMP (ISO 16684-1) what the information dictionary says.
var metadata = template.Must(template.New("xmp").Funcs(template.FuncMap{"xml": escaped}).Parse(
	`<?xpacket begin="` + "\ufeff" + `" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<dc:format>application/pdf</dc:format>
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{{.Title | xml}}: {{.About | xml}}</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>{{.Author | xml}}</rdf:li></rdf:Seq></dc:creator>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{{.Number | xml}}</rdf:li></rdf:Alt></dc:description>
<dc:language><rdf:Bag><rdf:li>{{.Language | xml}}</rdf:li></rdf:Bag></dc:language>
<xmp:CreateDate>{{.Made}}</xmp:CreateDate>
<xmp:ModifyDate>{{.Made}}</xmp:ModifyDate>
<pdf:Producer>portal</pdf:Producer>
<pdfuaid:part>1</pdfuaid:part>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`))

func escaped(s string) (string, error) {
	var b bytes.Buffer
	err := xml.EscapeText(&b, []byte(s))
	return b.String(), err
}

// xmp is the metadata of a document made at a moment.
func xmp(d *document.Document, made time.Time) ([]byte, error) {
	var b bytes.Buffer
	err := metadata.Execute(&b, struct {
		*document.Document
		Made string
	}{d, made.UTC().Format(time.RFC3339)})
	return b.Bytes(), err
}
