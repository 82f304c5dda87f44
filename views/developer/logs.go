package developer

import "portal/views/kit"

// Logs is the list of requests, with one of them beside it.
type Logs struct {
	kit.Listing
	Open  kit.LoggedRequest // shown beside
	Page  string            // the page of its own of that
	Close string            // the list alone
}
