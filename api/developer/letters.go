package developer

import (
	"context"
	"embed"
	"fmt"

	"portal/api/mail"
)

// Post takes letters along with the transaction of a context.
type Post interface {
	Send(ctx context.Context, m *mail.Message) error
}

//go:embed letters
var letterFiles embed.FS

var stationery = mail.ReadLetters(letterFiles, nil)

// subjects are those of the letters to an applicant, by what was decided.
var subjects = map[RequestStatus]string{
	Approved: "Your API access is approved",
	Denied:   "Your request for API access was denied",
	Revoked:  "Your API access was taken back",
}

// tell writes to the applicant what was decided.
func (s *Service) tell(ctx context.Context, r *AccessRequest) error {
	if s.Post == nil {
		return nil
	}
	m, err := stationery.Fill(string(r.Status), &mail.Message{AccountID: r.AccountID, To: r.ContactEmail, Subject: subjects[r.Status]}, struct {
		Link, Reason, ID string
	}{s.BaseURL, value(r.DenialReason), r.ID})
	if err != nil {
		return fmt.Errorf("write the letter about %s: %w", r.ID, err)
	}
	return s.Post.Send(ctx, m)
}
