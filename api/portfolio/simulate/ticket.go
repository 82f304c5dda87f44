package simulate

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"portal/api/event"
	"portal/api/fault"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/tenantportal"
)

// SubmitTicket lets a tenant report something, each time another one something else.
func (s *Session) SubmitTicket(ctx context.Context, c event.Choice) (string, error) {
	if c.TenantID != nil {
		return s.alone(ctx, func(ctx context.Context) (string, error) {
			id, err := s.submitTicket(ctx, []string{*c.TenantID}, c.Description)
			if fault.Is(err, fault.InvalidTransition) {
				err = nothing(
					"This tenant has no active lease, and only people who live in the home report what is to be " +
						"repaired. POST /test_helpers/tenants with lease adds a tenant who has signed one.",
				)
			}
			return id, err
		})
	}
	return foundBefore(ctx, s, s.residents, func(ctx context.Context, tenants []string) (string, error) {
		id, err := s.submitTicket(ctx, tenants, c.Description)
		if fault.Is(err, fault.InvalidTransition) { // somebody has moved out meanwhile
			err = errTaken
		}
		return id, err
	})
}

// residents are the primary tenants of the active leases, at least one.
func (s *Session) residents(ctx context.Context) ([]string, error) {
	tenants, err := s.Store.Residents(ctx, s.by.Portfolio)
	if err == nil && len(tenants) == 0 {
		err = nothing("no lease of the demo portfolio is active")
	}
	return tenants, err
}

// submitTicket lets one of some tenants report something.
func (s *Session) submitTicket(ctx context.Context, tenants []string, description *string) (string, error) {
	n, err := s.countTickets(ctx)
	if err != nil {
		return "", err
	}
	if description == nil {
		description = &complaints[n%len(complaints)]
	}
	tenantID := tenants[n%len(tenants)]
	t, err := s.Tenants.SubmitFor(ctx, s.by, tenantID, tenantportal.Report{
		Description:     *description,
		EntryPermission: "granted",
	})
	if err != nil {
		return "", fmt.Errorf("a ticket of the tenant %s: %w", tenantID, err)
	}
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
