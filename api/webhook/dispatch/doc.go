// Package dispatch sends the deliveries that are queued: it claims those that are due, fairly
// among endpoints, makes their attempts and notes how they ended, many in one transaction.
//
// What an endpoint, an event and a delivery are is said in package webhook; how a request
// reaches a receiver in package send.
//
// It knows nothing of pages or HTTP routes.
package dispatch
