package agreement

import (
	"context"
	"encoding/json"
	"strconv"

	"portal/api/access"
	"portal/api/agreement/document/pdf"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/operation"
)

// Details are what leases say of the landlord beyond the name of the account; nil for what is not known.
type Details struct {
	Name    *string `json:"name" maxlen:"127" doc:"The person or company that owns or manages the homes; the name of the account where it is left out."`
	Address *string `json:"address" maxlen:"200" doc:"Street address for notices and legal papers, in one line."`
	Phone   *string `json:"phone" format:"phone" doc:"Phone number for everyday matters."`
	Signer  *string `json:"signer" maxlen:"127" doc:"Who signs for the landlord."`
	Title   *string `json:"title" maxlen:"60" doc:"Title of who signs, such as Owner or Property manager."`
}

// Check finds characters that a document cannot show.
func (d Details) Check(clock.Date) (all []fault.Detail) {
	for _, field := range []struct {
		name string
		text *string
	}{{"name", d.Name}, {"address", d.Address}, {"signer", d.Signer}, {"title", d.Title}} {
		if field.text == nil {
			continue
		}
		if runes := pdf.Missing(*field.text); len(runes) > 0 {
			all = append(all, fault.Wrong(field.name, "has characters that the document cannot show: "+strconv.Quote(string(runes))+"."))
		}
	}
	return all
}

var setDetails = operation.DefineInput[Details]("set_lease_details")

// Details are those of an account.
func (s *Service) Details(ctx context.Context, accountID string) (d Details, err error) {
	text, err := s.documents.LandlordDetails(ctx, accountID)
	if err == nil && text != "" {
		err = json.Unmarshal([]byte(text), &d)
	}
	return d, err
}

// SetDetails replaces those of an owner's account. Documents that are made from then on say them.
func (s *Service) SetDetails(ctx context.Context, by access.Actor, d Details) error {
	if by.Role != access.Owner {
		return fault.New(fault.OwnerRequired, "Only an owner of the account can change what its leases say of it.")
	}
	if err := setDetails.Check(&d, s.Today(by)); err != nil {
		return err
	}
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return s.Tx.Atomically(ctx, func(ctx context.Context) error {
		if err := s.documents.SaveLandlordDetails(ctx, by.AccountID, string(text)); err != nil {
			return err
		}
		return s.RecordDone(ctx, by, "account.lease_details_updated", by.AccountID, nil)
	})
}
