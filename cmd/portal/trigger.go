package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"time"

	"portal/api/access"
	"portal/api/list"
	"portal/api/portfolio"
)

var triggerCommand = command{
	name: "trigger", args: "EMAIL lease.signed|payment.succeeded|maintenance.created [--count N]",
	short: "Make an event happen in the demo portfolio of a landlord, by the real rules",
	bind: func(f *flag.FlagSet) action {
		count := f.Int("count", 1, "how many times it happens")
		asJSON := f.Bool("json", false, "answer in JSON, an object each time")
		return func(ctx context.Context, a *app, args []string) error {
			happen, known := happenings[args[1]]
			if !known {
				return misuse("there is no event " + args[1] + "; there are lease.signed, payment.succeeded and maintenance.created")
			}
			if *count < 1 {
				return misuse("--count is at least 1")
			}
			return a.with(ctx, func(p *product) error {
				s, err := p.stage(ctx, args[0])
				for i := 0; i < *count && err == nil; i++ {
					var id string
					if id, err = happen(s, ctx); err == nil {
						err = a.print(*asJSON, map[string]any{"type": args[1], "id": id}, "%s", id)
					}
				}
				return err
			})
		}
	},
}

// happening makes an event happen and names the record that it is about.
type happening func(*stage, context.Context) (id string, err error)

var happenings = map[string]happening{
	portfolio.EventLeaseSigned:        alone((*stage).signLease),
	portfolio.EventPaymentSucceeded:   alone((*stage).payRent),
	portfolio.EventMaintenanceCreated: (*stage).submitTicket,
}

// stage is a demo portfolio in which something is to happen.
type stage struct {
	*product
	by      access.Actor
	tickets int // how many there are; -1 until they were counted
}

// all is more than a demo portfolio holds.
var all = list.Query{Limit: 1_000_000}

// stage is the demo portfolio of an account, brought to the present day.
func (p *product) stage(ctx context.Context, email string) (*stage, error) {
	in, account, err := p.developer.Portfolio(ctx, email, access.Test)
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(account.TimeZone)
	if err != nil {
		return nil, err
	}
	by := operator(in)
	by.AccountID, by.Zone = account.ID, zone
	return &stage{p, by, -1}, p.portfolio.Turn(ctx, in, zone)
}

// alone makes something happen in one transaction, in which nobody else changes the
// portfolio: what is picked stays as it was when it was looked at.
func alone(happen happening) happening {
	return func(s *stage, ctx context.Context) (id string, err error) {
		err = s.db.Atomically(ctx, func(ctx context.Context) error {
			if err := s.db.Hold(ctx, s.by.Portfolio); err != nil {
				return err
			}
			id, err = happen(s, ctx)
			return err
		})
		return id, err
	}
}

// leases are those of a status, all where none is named, in ascending id.
func (s *stage) leases(ctx context.Context, status portfolio.LeaseStatus) ([]portfolio.Lease, error) {
	return s.db.Leases(ctx, s.by.Portfolio, portfolio.LeaseFilter{Query: all, Status: status})
}

// let are the leases under which somebody lives somewhere, at least one.
func (s *stage) let(ctx context.Context) ([]portfolio.Lease, error) {
	leases, err := s.leases(ctx, portfolio.LeaseActive)
	if err == nil && len(leases) == 0 {
		err = errors.New("no lease of the demo portfolio is active")
	}
	return leases, err
}

// submitTicket lets a tenant report something, each time another one something else. It
// is not alone: the first text that is triaged takes a second.
func (s *stage) submitTicket(ctx context.Context) (string, error) {
	leases, err := s.let(ctx)
	if err != nil {
		return "", err
	}
	if s.tickets < 0 {
		tickets, err := s.db.Tickets(ctx, s.by.Portfolio, portfolio.TicketFilter{Query: all})
		if err != nil {
			return "", err
		}
		s.tickets = len(tickets)
	}
	l := &leases[s.tickets%len(leases)]
	text := complaints[s.tickets%len(complaints)]
	m, err := s.portfolio.SubmitTicket(ctx, s.by, portfolio.TicketCreate{UnitID: &l.UnitID, TenantID: &l.TenantIDs[0], Description: text, EntryPermission: "granted"})
	if err != nil {
		return "", fmt.Errorf("a ticket of the lease %s: %w", l.ID, err)
	}
	s.tickets++
	return m.After.ID, nil
}

// complaints are what tenants write, in no order of kind or urgency.
var complaints = []string{
	"The kitchen faucet has started dripping again, about once a second. I can hear it at night. No rush, but the bucket under it fills up in a day.",
	"No hot water since this morning. The pilot light on the water heater is out and I do not want to relight it myself.",
	"The smoke detector in the hallway chirps every minute even with a new battery.",
	"Water is coming through the bathroom ceiling right under the upstairs tub, and it is not slowing down. We have put towels and a pot under it.",
	"The dishwasher stops in the middle of the cycle and leaves two inches of dirty water at the bottom.",
	"I saw two mice behind the stove this week, and there are droppings in the cabinet under the sink.",
	"The outlets on the living room wall went dead last night. The breaker is on, and resetting it does not help.",
	"The lock on the front door sticks so badly that it took me ten minutes to get in yesterday. I am afraid the key will snap.",
	"Heat is not working. It is 57 degrees inside and we have a three month old baby.",
	"There is a dark patch growing in the corner of the bedroom and it smells musty. I wiped it with bleach twice and it came back.",
	"The garbage disposal hums but does not turn. I have pressed the red button on the bottom already.",
	"The light in the stairwell between the second and third floor has been out for a week. It is pitch dark when I come home from work.",
	"The toilet keeps running after every flush unless I jiggle the handle.",
	"The refrigerator is not keeping cold. The milk spoiled and the freezer is dripping onto the floor.",
	"One of the boards on the back steps is loose and my mother nearly fell today.",
	"I smell gas near the stove. I have opened the windows and turned everything off.",
	"The bedroom window does not close all the way since the storm, and there is a draft.",
	"The air conditioner blows warm air. I changed the filter last month.",
	"El fregadero de la cocina está tapado y el agua no baja desde ayer.",
	"Could somebody look at the closet door in the hall? It came off its track and I cannot lift it back on my own.",
}
