package webhook

// GiveUpOn is what a dispatcher does when nothing but failures comes of an endpoint.
var GiveUpOn = (*Service).giveUpOn
