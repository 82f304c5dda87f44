package tenantportal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"portal/api/access"
	"portal/api/attachment"
	"portal/api/change"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
	"portal/api/mail"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/condition"
)

// ConditionPath is where the page of a report of the condition of a home begins, below the page of its tenant.
func ConditionPath(leaseID string, kind condition.Kind) string {
	return "/lease/" + leaseID + "/condition/" + string(kind)
}

// Conditions are the reports of the condition of a home that were shared with the tenants of a lease: none for a
// guarantor.
func (s *Service) Conditions(ctx context.Context, v *Visit, leaseID string) ([]condition.Report, error) {
	all, err := s.rules.Conditions.ReportsForTenant(ctx, v.By, leaseID)
	if fault.Is(err, fault.NoRecord) {
		err = nil
	}
	return all, err
}

// Condition is the report of a kind of a lease of the tenant, or fault.NotFound.
func (s *Service) Condition(
	ctx context.Context, v *Visit, leaseID string, kind condition.Kind,
) (*condition.Report, error) {
	if !slices.Contains(kind.Values(), string(kind)) {
		return nil, fault.NotFound("condition report")
	}
	return s.rules.Conditions.ForTenant(ctx, v.By, leaseID, kind)
}

// MovedIn is the move-in report of the tenancy of a lease as the tenant may see it: its own, or that of the latest
// lease of the tenant before it that has one; else fault.NotFound.
func (s *Service) MovedIn(ctx context.Context, v *Visit, leaseID string) (*condition.Report, error) {
	for range v.Leases {
		r, err := s.rules.Conditions.ForTenant(ctx, v.By, leaseID, condition.MoveIn)
		if !fault.Is(err, fault.NoRecord) {
			return r, err
		}
		l, err := v.Lease(leaseID)
		if err != nil {
			return nil, err
		}
		if l.RenewedFromLeaseID == nil {
			break
		}
		leaseID = *l.RenewedFromLeaseID
	}
	return nil, fault.NotFound("condition report")
}

// ConditionPhoto is a photo of a report as JPEG, or its thumbnail, or fault.NotFound.
func (s *Service) ConditionPhoto(
	ctx context.Context, v *Visit, leaseID string, kind condition.Kind, photoID string, thumbnail bool,
) ([]byte, error) {
	if _, err := s.Condition(ctx, v, leaseID, kind); err != nil {
		return nil, err
	}
	if !id.Valid(id.Photo, photoID) {
		return nil, fault.NotFound("photo")
	}
	return s.rules.Conditions.PhotoForTenant(ctx, v.By, leaseID, kind, photoID, thumbnail)
}

// Said is what a tenant says of an item.
type Said struct {
	ItemID string
	condition.Remark
	Seen string // SeenOf what the page showed of it
}

// SeenOf names what tenants say of an item: another remark has another name.
func SeenOf(r *condition.Remark) string {
	said := r.Note
	if r.Condition != nil {
		said = string(*r.Condition) + "\n" + said
	}
	sum := sha256.Sum256([]byte(said))
	return hex.EncodeToString(sum[:8])
}

// SayCondition saves what a tenant says of items and removes photos of theirs, in the transaction of the context or one
// of its own. What they have not changed since the page showed it stays as it is. Where somebody else has changed it
// too, nothing of that item is saved, and its id is among the stale ones.
func (s *Service) SayCondition(
	ctx context.Context, v *Visit, leaseID string, kind condition.Kind, said []Said, remove []string,
) (stale []string, err error) {
	err = s.Tx.Exclusively(ctx, v.By.Portfolio, func(ctx context.Context) error {
		stale = nil
		if err := s.goesOn(ctx, v); err != nil {
			return err
		}
		r, err := s.Condition(ctx, v, leaseID, kind)
		if err != nil {
			return err
		}
		var changes []condition.Change
		for i := range said {
			one := &said[i]
			_, item := r.Item(one.ItemID)
			if item == nil { // the landlord has removed it meanwhile
				stale = append(stale, one.ItemID)
				continue
			}
			is := SeenOf(&item.Tenant)
			switch typed := SeenOf(&one.Remark); {
			case typed == is, typed == one.Seen:
			case one.Seen != is:
				stale = append(stale, one.ItemID)
			default:
				changes = append(changes, condition.Change{
					ItemID: one.ItemID, Condition: change.To(one.Condition), Note: change.To(one.Note),
				})
			}
		}
		if len(changes) > 0 {
			if _, err := s.rules.Conditions.SaveAsTenant(ctx, v.By, leaseID, kind, changes); err != nil {
				return err
			}
		}
		for _, photoID := range remove {
			_, err := s.rules.Conditions.RemovePhotoAsTenant(ctx, v.By, leaseID, kind, photoID)
			if err != nil && !fault.Is(err, fault.NoRecord) { // sent twice, it is gone already
				return err
			}
		}
		return nil
	})
	return stale, err
}

// ShowCondition adds a photo of the tenant to an item, in the transaction of the context or one of its own.
func (s *Service) ShowCondition(
	ctx context.Context, v *Visit, leaseID string, kind condition.Kind, itemID string, photo *attachment.Photo,
) error {
	return s.Tx.Exclusively(ctx, v.By.Portfolio, func(ctx context.Context) error {
		if err := s.goesOn(ctx, v); err != nil {
			return err
		}
		_, err := s.rules.Conditions.AddPhotoAsTenant(ctx, v.By, leaseID, kind, itemID, photo)
		return err
	})
}

// SignCondition signs a report for the tenant.
func (s *Service) SignCondition(
	ctx context.Context, v *Visit, leaseID string, kind condition.Kind, g condition.Signing,
) error {
	return s.Tx.Exclusively(ctx, v.By.Portfolio, func(ctx context.Context) error {
		if err := s.goesOn(ctx, v); err != nil {
			return err
		}
		_, err := s.rules.Conditions.SignAsTenant(ctx, v.By, leaseID, kind, g)
		return err
	})
}

// ConditionChanged emails the tenants who rent under a lease what has become of a report, in the transaction of the
// context. A landlord can sign and take the signature back many times: beyond what one recipient gets within an hour,
// nothing is emailed. A tenant whose page the landlord has revoked, or who can have none, gets no link.
func (s *Service) ConditionChanged(
	ctx context.Context, by access.Actor, l *portfolio.Lease, r *condition.Report, news condition.News,
) error {
	return s.eachRenter(ctx, by, l, func(v *Visit, without bool) error {
		if news != condition.NowComplete {
			now := clock.At(s.Now(by.Portfolio))
			err := mail.SpareRecipient(ctx, s.store, by.Portfolio, v.email(), now)
			if fault.Is(err, fault.RateLimited) {
				return nil
			}
			if err != nil {
				return err
			}
		}
		return s.mailCondition(ctx, v, l, r, news, without)
	})
}

func (s *Service) mailCondition(
	ctx context.Context, v *Visit, l *portfolio.Lease, r *condition.Report, news condition.News, without bool,
) error {
	reads, link := v.Link.Language, ""
	if !without {
		page, err := s.address(ctx, v)
		if err != nil {
			return err
		}
		link = reads.Link(page + ConditionPath(l.ID, r.Kind))
	}
	subject := map[condition.News]string{
		condition.NowShared: reads.Say("Look at the condition of your home: ", "Revise el estado de su vivienda: "),
		condition.NowSigned: reads.Say("Please sign the condition of your home: ",
			"Firme el informe del estado de su vivienda: "),
		condition.NowComplete: reads.Say("All have signed the condition of your home: ",
			"Todos firmaron el informe del estado de su vivienda: "),
	}[news]
	return s.mail(ctx, v, "condition", subject+l.RentalAddress, struct {
		Name, Landlord, Address, Link string
		MoveOut, Signed, Complete     bool
	}{
		v.Tenant.FirstName, v.Landlord.Name, l.RentalAddress, link,
		r.Kind == condition.MoveOut, news == condition.NowSigned, news == condition.NowComplete,
	})
}
