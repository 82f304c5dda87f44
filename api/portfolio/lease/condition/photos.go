package condition

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"portal/api/access"
	"portal/api/attachment"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
)

// AddPhoto adds a photo of the landlord's to an item, until the landlord has signed. An attachment.Converter has made
// it of what was sent.
func (s *Service) AddPhoto(
	ctx context.Context, by access.Actor, leaseID string, kind Kind, itemID string, photo *attachment.Photo,
) (*Report, error) {
	return s.change(ctx, by, leaseID, kind, func(ctx context.Context, r *Report) error {
		if !r.LandlordCanWrite() {
			return frozen("the landlord has")
		}
		return s.attach(ctx, by, r, itemID, photo)
	})
}

// AddPhotoAsTenant adds a photo of the tenant who asks to an item, until the first tenant has signed.
func (s *Service) AddPhotoAsTenant(
	ctx context.Context, by access.Actor, leaseID string, kind Kind, itemID string, photo *attachment.Photo,
) (*Report, error) {
	return s.changeAsTenant(ctx, by, leaseID, kind, func(ctx context.Context, r *Report) error {
		if !r.TenantsCanWrite() {
			return frozen("a tenant has")
		}
		return s.attach(ctx, by, r, itemID, photo)
	})
}

// attach writes a photo of the side of the actor.
func (s *Service) attach(
	ctx context.Context, by access.Actor, r *Report, itemID string, photo *attachment.Photo,
) error {
	_, item := r.Item(itemID)
	side := sideOf(by)
	switch {
	case item == nil:
		return fault.NotFound("item")
	case len(item.PhotosBy(side)) >= MostItemPhotos:
		return fault.New(fault.InvalidField, "An item takes at most %d photos.", MostItemPhotos).At("photos")
	case r.Photos(side) >= MostPhotos:
		return fault.New(fault.InvalidField, "A report takes at most %d photos.", MostPhotos).At("photos")
	}
	now, sum := s.Now(by.Portfolio), sha256.Sum256(photo.Content)
	p := Photo{
		ID:         id.New(id.Photo, now),
		ReportID:   r.ID,
		ItemID:     item.ID,
		By:         side,
		UploadedAt: clock.At(now),
		SHA256:     hex.EncodeToString(sum[:]),
		Size:       len(photo.Content),
		Width:      photo.Width,
		Height:     photo.Height,
	}
	if side == Tenant {
		p.TenantID = &by.TenantID
	}
	item.Photos = append(item.Photos, p)
	return s.store.AddConditionPhoto(ctx, by.Portfolio, &p, photo.Content, photo.Thumbnail)
}

// sideOf is the side of an actor.
func sideOf(by access.Actor) Side {
	if by.TenantID != "" {
		return Tenant
	}
	return Landlord
}

// RemovePhoto removes a photo of the landlord's, until the landlord has signed.
func (s *Service) RemovePhoto(
	ctx context.Context, by access.Actor, leaseID string, kind Kind, photoID string,
) (*Report, error) {
	return s.change(ctx, by, leaseID, kind, func(ctx context.Context, r *Report) error {
		if !r.LandlordCanWrite() {
			return frozen("the landlord has")
		}
		return s.detach(ctx, by, r, photoID)
	})
}

// RemovePhotoAsTenant removes a photo that the tenant who asks has added, until the first tenant has signed.
func (s *Service) RemovePhotoAsTenant(
	ctx context.Context, by access.Actor, leaseID string, kind Kind, photoID string,
) (*Report, error) {
	return s.changeAsTenant(ctx, by, leaseID, kind, func(ctx context.Context, r *Report) error {
		if !r.TenantsCanWrite() {
			return frozen("a tenant has")
		}
		return s.detach(ctx, by, r, photoID)
	})
}

// detach removes a photo that is the actor's own.
func (s *Service) detach(ctx context.Context, by access.Actor, r *Report, photoID string) error {
	item, p := r.photo(photoID)
	if p == nil || p.By != sideOf(by) || p.TenantID != nil && *p.TenantID != by.TenantID {
		return fault.NotFound("photo")
	}
	item.Photos = slices.DeleteFunc(item.Photos, func(p Photo) bool { return p.ID == photoID })
	return s.store.RemoveConditionPhotos(ctx, by.Portfolio, r.ID, photoID)
}

// Photo is a photo of a report as JPEG, or its thumbnail, or fault.NotFound.
func (s *Service) Photo(
	ctx context.Context, by access.Actor, leaseID string, kind Kind, photoID string, thumbnail bool,
) ([]byte, error) {
	r, err := s.Report(ctx, by, leaseID, kind)
	if err != nil {
		return nil, err
	}
	return s.store.ConditionPhoto(ctx, by.Portfolio, r.ID, photoID, thumbnail)
}

// PhotoForTenant is Photo of a report that the tenant who asks sees.
func (s *Service) PhotoForTenant(
	ctx context.Context, by access.Actor, leaseID string, kind Kind, photoID string, thumbnail bool,
) ([]byte, error) {
	r, err := s.ForTenant(ctx, by, leaseID, kind)
	if err != nil {
		return nil, err
	}
	return s.store.ConditionPhoto(ctx, by.Portfolio, r.ID, photoID, thumbnail)
}
