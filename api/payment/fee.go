package payment

import (
	"context"
	_ "embed"
	"encoding/csv"
	"slices"
	"strings"

	"portal/api/access"
	"portal/api/fault"
	"portal/api/money"
)

// MostFee is the largest fee that tenants pay for an online payment.
var MostFee = money.Dollars(25)

//go:embed fee_states.csv
var feeStatesTable string

// NoFeeState is a state in which tenants pay no fee for paying online.
type NoFeeState struct {
	State, Why, Authority string
	Verified              bool // a source was seen
}

var noFeeStates = readNoFeeStates(feeStatesTable)

// readNoFeeStates reads the table. A line without a state is a mistake of the program.
func readNoFeeStates(table string) (all []NoFeeState) {
	lines, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		panic("payment: the states without fees: " + err.Error())
	}
	for _, line := range lines[1:] {
		all = append(all, NoFeeState{line[0], line[1], line[2], line[3] == "yes"})
	}
	return all
}

// NoFeeStates are the states in which tenants pay no fee for paying online, because their law forbids or limits it.
func NoFeeStates() []NoFeeState { return slices.Clone(noFeeStates) }

// OnlineFee is what tenants of a portfolio pay on top of each online payment, where the state allows it: 0 where the
// landlord bears what payments cost.
func (s *Service) OnlineFee(ctx context.Context, by access.Actor) (money.Cents, error) {
	return s.store.OnlineFee(ctx, by.Portfolio)
}

// SetOnlineFee changes what tenants pay on top of each online payment from now on.
//
// Errors: fault.InvalidField at online_fee.
func (s *Service) SetOnlineFee(ctx context.Context, by access.Actor, fee money.Cents) (changed bool, err error) {
	if err := by.Need(access.Payments); err != nil {
		return false, err
	}
	if fee < 0 || fee > MostFee {
		return false, fault.New(fault.InvalidField, "online_fee must be at least 0 and at most %s.", MostFee.Dollars()).
			At("online_fee")
	}
	err = s.Tx.Exclusively(ctx, by.Portfolio, func(ctx context.Context) error {
		before, err := s.store.OnlineFee(ctx, by.Portfolio)
		if err != nil || before == fee {
			return err
		}
		changed = true
		if err := s.store.SetOnlineFee(ctx, by.Portfolio, fee); err != nil {
			return err
		}
		return s.RecordDone(ctx, by, "payments.fee_changed", "", map[string]string{
			"before": before.String(), "online_fee": fee.String(),
		})
	})
	return changed, err
}

// FeeOf is what a tenant pays on top of an online payment of a lease: the fee of the portfolio, or nothing where the
// state of the home allows none.
func (s *Service) FeeOf(ctx context.Context, by access.Actor, leaseID string) (money.Cents, error) {
	fee, err := s.store.OnlineFee(ctx, by.Portfolio)
	if err != nil || fee == 0 {
		return 0, err
	}
	l, err := s.store.Lease(ctx, by.Portfolio, leaseID)
	if err != nil {
		return 0, err
	}
	home, err := s.store.Property(ctx, by.Portfolio, l.PropertyID)
	if err != nil {
		return 0, err
	}
	if slices.ContainsFunc(noFeeStates, func(n NoFeeState) bool { return n.State == string(home.State) }) {
		return 0, nil
	}
	return fee, nil
}
