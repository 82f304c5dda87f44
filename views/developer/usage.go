package developer

import "portal/views/kit"

// Usage is what was asked with the keys of an account, beside what its plan admits.
type Usage struct {
	kit.Frame
	Plan    Plan
	Full    bool // the plan has no room for another live unit
	Filters kit.Filters
	Tiles   []kit.Tile
	Charts  []kit.Chart
	Keys    []UsageLine
}

// Plan is what an account may use.
type Plan struct {
	Name             string
	Sustained, Burst string // requests a minute of a key
}

// UsageLine is a key with its sums.
type UsageLine struct {
	Name, Mode                           string
	Path                                 string // "" where the key is gone
	Requests, ClientFailed, ServerFailed string // with 4xx and with 5xx
	Throttled, Busiest                   string
	Share                                string // of the sustained limit, in the busiest minute
}
