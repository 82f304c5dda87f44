package tenantportal

import (
	"context"
	"strconv"
	"strings"
	"time"

	"portal/api/clock"
	"portal/api/fault"
	"portal/api/id"
)

// photoTime is for how long the link of a photo works.
const photoTime = time.Hour

// photoPurpose is what links of photos are signed for.
const photoPurpose = "link of a photo"

// PhotoPath is where links of photos begin.
const PhotoPath = "/photos/"

// PhotoLink is the address that opens a photo for whoever has it, for an hour from a moment on.
func (s *Service) PhotoLink(photoID string, now time.Time) string {
	until := strconv.FormatInt(now.Add(photoTime).Unix(), 10)
	return s.BaseURL + PhotoPath + photoID + "." + until + "." + s.box.Sign(photoPurpose, photoID+" "+until)
}

// LinkedPhoto is the photo that the end of a link opens, as JPEG, or fault.NotFound.
func (s *Service) LinkedPhoto(ctx context.Context, token string) ([]byte, error) {
	photoID, rest, _ := strings.Cut(token, ".")
	until, signature, _ := strings.Cut(rest, ".")
	end, err := strconv.ParseInt(until, 10, 64)
	if err != nil || !id.Valid(id.Photo, photoID) || !s.box.Signed(photoPurpose, photoID+" "+until, signature) {
		return nil, fault.NotFound("photo")
	}
	in, content, err := s.store.LinkedPhoto(ctx, photoID)
	if err == nil && clock.At(s.Now(in)) >= clock.Time(end*1000) {
		err = fault.NotFound("photo")
	}
	return content, err
}
