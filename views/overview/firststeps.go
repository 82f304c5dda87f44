package overview

import "portal/views/kit"

// FirstSteps are what a new account does first.
type FirstSteps struct {
	Steps []kit.Step // to a receiver that works; none once all are done
	Live  kit.Live
}
