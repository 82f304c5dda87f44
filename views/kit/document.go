package kit

// Document is a contract as a page shows it.
type Document struct {
	Title    string
	About    string // what it is about, such as the address that is let
	Number   string // of the document and its version
	Front    []DocumentSection
	Terms    []DocumentRow
	Charges  DocumentTable
	Totals   []DocumentRow
	Fees     string // what is said of fees that are not among the charges
	Note     string // for whom and from what it was made
	Sections []DocumentSection
}

// DocumentSection is a part of a document under a heading.
type DocumentSection struct {
	Heading string
	Blocks  []DocumentBlock
}

// DocumentBlock is a part of a section: a text, points, a table or a signature.
type DocumentBlock struct {
	Number    string // of the text, such as 4.2; "" for none
	Text      string
	Points    []string
	Table     *DocumentTable
	Signature *DocumentSignature
}

// DocumentRow is a name with its value.
type DocumentRow struct{ Name, Value string }

// DocumentTable has a row of names above its rows.
type DocumentTable struct {
	Caption string // for who hears the page
	Head    []string
	Rows    [][]string
}

// DocumentSignature is where a party signs.
type DocumentSignature struct {
	Confirms string // what the party confirms by signing, "" for nothing
	Name     string
	Role     string
	Typed    string // name with which the party has signed, "" where that is open
	At       string // when the party has signed
}
