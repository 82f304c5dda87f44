package agreement

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"portal/api/access"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio"
)

// wording is a text that a law prescribes, which is known without being printed.
type wording struct {
	length int    // in characters
	sha256 string // in hex
}

// leadWarnings are the wordings of the Lead Warning Statement for leases, with single spaces: that of
// 40 CFR 745.113(b)(1), and that of the sample form of EPA and HUD, which says "known" once more. They are from
// knowledge.
var leadWarnings = []wording{
	{440, "cbec8a6c257a88735b7cc644abce503c5eae88146bf9053c4351e020c6f5b0ad"},
	{446, "ef0917a7cdee1551583584b68dcc28492b78eaf2d08a8eabcd828878f4423db3"},
}

// LeadWarningInput is the Lead Warning Statement as an owner enters it.
type LeadWarningInput struct {
	// The statement.
	LeadWarning string `json:"lead_warning" minlen:"1" maxlen:"1000"`
}

// SchemaName is the name of the schema.
func (LeadWarningInput) SchemaName() string { return "LeadWarningInput" }

// Check refuses other words than those that the law prescribes.
func (in LeadWarningInput) Check(clock.Date) []fault.Detail {
	text := in.text()
	n := utf8.RuneCountInString(text)
	for _, w := range leadWarnings {
		if n == w.length && sum([]byte(text)) == w.sha256 {
			return nil
		}
	}
	return []fault.Detail{fault.Wrong("lead_warning", fmt.Sprintf("is not the statement that the law prescribes: that "+
		"has %d characters, or %d on the sample form of EPA and HUD, and this has %d. Copy the whole statement for "+
		"leases from 40 CFR 745.113(b)(1), and nothing else.", leadWarnings[0].length, leadWarnings[1].length, n))}
}

// leadHeading is what may stand before the statement where it was copied from.
var leadHeading = regexp.MustCompile(`(?i)^lead warning statement[.:]? ?`)

// text is the statement without its heading, with single spaces and plain hyphens.
func (in LeadWarningInput) text() string {
	text := strings.NewReplacer("\u2010", "-", "\u2011", "-", "\u00ad", "").Replace(in.LeadWarning)
	return leadHeading.ReplaceAllString(strings.Join(strings.Fields(text), " "), "")
}

// EnterLeadWarning keeps the Lead Warning Statement for an owner. Documents that are made from then on print it.
func (s *Service) EnterLeadWarning(
	ctx context.Context, by access.Actor, in LeadWarningInput,
) (*change.Result[Details], error) {
	if by.Role != access.Owner {
		return nil, fault.New(fault.OwnerRequired, "Only an owner of the account can enter the Lead Warning Statement.")
	}
	if err := fault.Invalid(in.Check(s.Today(by))); err != nil {
		return nil, err
	}
	return portfolio.Write(ctx, s.Common, by, func(ctx context.Context) (*change.Result[Details], error) {
		before, err := s.Details(ctx, by)
		if err != nil {
			return nil, err
		}
		after := *before
		after.LeadWarning = in.text()
		m := &change.Result[Details]{Before: before, After: &after}
		if after.LeadWarning == before.LeadWarning {
			return m, nil
		}
		after.Version++
		if err := s.store.SaveLeaseDetails(ctx, by.Portfolio, &after, clock.At(s.Now(by.Portfolio))); err != nil {
			return nil, err
		}
		return m, s.RecordDone(ctx, by, "account.lease_details_updated", by.AccountID, nil)
	})
}
