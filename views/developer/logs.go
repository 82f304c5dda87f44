package developer

import "portal/views/kit"

// RequestLine is a request in a list.
type RequestLine struct {
	Path   string
	Method string
	Target string
	Status int
	Code   string // of the fault, "" on success
	Key    string
	At     kit.Time
}

// Request is the page of one.
type Request struct {
	kit.Frame
	Title  string // method and path
	About  string // when it was, and how long it took
	Status int
	Facts  []kit.Facts
	Sent   kit.Exchange
}

// Logs is the list of requests, with one of them beside it.
type Logs struct {
	kit.Listing
	Open  Request // shown beside, none without a title
	Page  string  // the page of its own of that
	Close string  // the list alone
}
