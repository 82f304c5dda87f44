package simulate

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"portal/api/event"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/tenantportal"
)

// SubmitTicket lets a tenant report something, each time another one something else. It
// is not alone: the first text that is triaged takes a second.
func (s *Session) SubmitTicket(ctx context.Context, c event.Choice) (_ string, err error) {
	if s.tickets < 0 {
		if s.tickets, err = s.countTickets(ctx); err != nil {
			return "", err
		}
	}
	if c.Description == nil {
		c.Description = &complaints[s.tickets%len(complaints)]
	}
	if c.TenantID == nil {
		leases, err := s.rented(ctx)
		if err != nil {
			return "", err
		}
		c.TenantID = &leases[s.tickets%len(leases)].TenantIDs[0]
	}
	t, err := s.Tenants.SubmitFor(ctx, s.by, *c.TenantID, tenantportal.Report{
		Description:     *c.Description,
		EntryPermission: "granted",
	})
	if err != nil {
		return "", fmt.Errorf("a ticket of the tenant %s: %w", *c.TenantID, err)
	}
	s.tickets++
	return t.ID, nil
}

// countTickets tells how many tickets there have been, by the number of the newest one: a demo
// portfolio may hold many.
func (s *Session) countTickets(ctx context.Context) (int, error) {
	newest, err := s.Store.Tickets(ctx, s.by.Portfolio, portfolio.TicketFilter{
		Query: list.Query{Limit: 1, Newest: true},
	})
	if err != nil || len(newest) == 0 {
		return 0, err
	}
	n, err := strconv.Atoi(strings.TrimPrefix(newest[0].Number, "T-"))
	if err != nil {
		return 0, fmt.Errorf("the number of the ticket %s: %w", newest[0].ID, err)
	}
	return n, nil
}

// complaints are what tenants write, in no order of kind or urgency.
var complaints = []string{
	"The kitchen faucet has started dripping again, about once a second. I can hear it at night. No rush, but the " +
		"bucket under it fills up in a day.",
	"No hot water since this morning. The pilot light on the water heater is out and I do not want to relight it " +
		"myself.",
	"The smoke detector in the hallway chirps every minute even with a new battery.",
	"Water is coming through the bathroom ceiling right under the upstairs tub, and it is not slowing down. We " +
		"have put towels and a pot under it.",
	"The dishwasher stops in the middle of the cycle and leaves two inches of dirty water at the bottom.",
	"I saw two mice behind the stove this week, and there are droppings in the cabinet under the sink.",
	"The outlets on the living room wall went dead last night. The breaker is on, and resetting it does not help.",
	"The lock on the front door sticks so badly that it took me ten minutes to get in yesterday. I am afraid the " +
		"key will snap.",
	"Heat is not working. It is 57 degrees inside and we have a three month old baby.",
	"There is a dark patch growing in the corner of the bedroom and it smells musty. I wiped it with bleach twice " +
		"and it came back.",
	"The garbage disposal hums but does not turn. I have pressed the red button on the bottom already.",
	"The light in the stairwell between the second and third floor has been out for a week. It is pitch dark when " +
		"I come home from work.",
	"The toilet keeps running after every flush unless I jiggle the handle.",
	"The refrigerator is not keeping cold. The milk spoiled and the freezer is dripping onto the floor.",
	"One of the boards on the back steps is loose and my mother nearly fell today.",
	"I smell gas near the stove. I have opened the windows and turned everything off.",
	"The bedroom window does not close all the way since the storm, and there is a draft.",
	"The air conditioner blows warm air. I changed the filter last month.",
	"El fregadero de la cocina está tapado y el agua no baja desde ayer.",
	"Could somebody look at the closet door in the hall? It came off its track and I cannot lift it back on my own.",
}
