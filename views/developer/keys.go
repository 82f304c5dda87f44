package developer

import "portal/views/kit"

// KeyView is the page of one key.
type KeyView struct {
	kit.Record
	Curl string // a request with it
	May  bool   // the reader may roll and revoke it
}

// NewKey is a key on the one page that shows it whole.
type NewKey struct {
	kit.Frame
	Name   string
	Secret kit.Secret
	Curl   string
	Client string   // the line that connects an assistant
	Words  string   // what the assistant may do with it
	Next   kit.Link // where one goes who has copied the key
	View   string   // address of the key's page, "" where Next leads there
	Old    string   // what becomes of the key that it takes the place of, "" for none
}
