package resident

import "portal/views/kit"

// Sign is the page on which a lease is signed.
type Sign struct {
	kit.GuestHeader
	Address  string
	Path     string     // of the page
	Query    string     // that keeps the language
	PDF      string     // address of the PDF
	Facts    []kit.Fact // the key terms
	Until    string     // the last day to sign, in words
	Who      string     // who has signed already, in a sentence; "" for nobody
	Changes  []string   // what is said otherwise than in the version that the signer has looked at
	Document *kit.Document
	Version  string
	Code     kit.Form // asks for consent, and sends a code
	Sign     kit.Form // asks for the code and the name
	Sent     string   // where a code was sent, "" before one was
	Steps    []SignStep
}

// SignStep is a step of signing.
type SignStep struct {
	Name string
	Done bool
	Now  bool
}

// Decline is the page on which somebody says that they will not sign.
type Decline struct {
	kit.GuestHeader
	Address string
	Path    string // of the page to sign
	Form    kit.Form
}
