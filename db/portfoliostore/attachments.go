package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/clock"
	"portal/db/rows"
)

// attachment is a row of an attachment with its content.
type attachment struct {
	agreement.Attachment
	content []byte
}

// Attachments are those that a lease has, without their contents: the lease itself first, the others as they were
// attached.
func (s *Store) Attachments(
	ctx context.Context, in access.Portfolio, leaseID string,
) ([]agreement.Attachment, error) {
	all, err := attachmentRecordTable.All(ctx, s.db,
		"WHERE portfolio_id = $1 AND lease_id = $2 AND removed_at IS NULL ORDER BY is_lease DESC, id", in.ID, leaseID)
	return attachments(all), err
}

func attachments(all []attachment) []agreement.Attachment {
	found := make([]agreement.Attachment, len(all))
	for i := range all {
		found[i] = all[i].Attachment
		found[i].ContentType = "application/pdf"
		if len(found[i].Disclosures) == 0 {
			found[i].Disclosures = nil // as of one that comes from elsewhere
		}
	}
	return found
}

// Attachment finds an attachment that a lease has or had, or fault.NotFound.
func (s *Store) Attachment(
	ctx context.Context, in access.Portfolio, leaseID, attachmentID string,
) (agreement.Attachment, []byte, error) {
	a, err := attachmentTable.Only(ctx, s.db, "attachment", oneAttachment, in.ID, leaseID, attachmentID)
	return attachments([]attachment{a})[0], a.content, err
}

// AttachmentRecord is Attachment without the content.
func (s *Store) AttachmentRecord(
	ctx context.Context, in access.Portfolio, leaseID, attachmentID string,
) (agreement.Attachment, error) {
	a, err := attachmentRecordTable.Only(ctx, s.db, "attachment", oneAttachment, in.ID, leaseID, attachmentID)
	return attachments([]attachment{a})[0], err
}

const oneAttachment = "WHERE portfolio_id = $1 AND lease_id = $2 AND id = $3"

// AddAttachment adds an attachment to a lease.
func (s *Store) AddAttachment(
	ctx context.Context, in access.Portfolio, leaseID string, a *agreement.Attachment, content []byte,
) error {
	return attachmentTable.Add(ctx, s.db, &attachment{*a, content}, "portfolio_id", in.ID, "lease_id", leaseID)
}

// RemoveAttachment takes an attachment off a lease. Where somebody may have looked at a version of the document that
// names it, its content is kept.
func (s *Store) RemoveAttachment(
	ctx context.Context, in access.Portfolio, leaseID, attachmentID string, at clock.Time,
) error {
	return s.db.Atomically(ctx, func(ctx context.Context) error {
		_, err := s.db.Exec(ctx, `DELETE FROM lease_attachments
			WHERE portfolio_id = $1 AND lease_id = $2 AND id = $3
				AND NOT EXISTS (SELECT 1 FROM documents d JOIN document_versions v
					ON v.portfolio_id = d.portfolio_id AND v.document_id = d.id
					WHERE d.portfolio_id = $1 AND d.lease_id = $2 AND v.viewed_at >= lease_attachments.uploaded_at)`,
			in.ID, leaseID, attachmentID)
		if err == nil {
			_, err = s.db.Exec(ctx, `UPDATE lease_attachments SET removed_at = $4
				WHERE portfolio_id = $1 AND lease_id = $2 AND id = $3`, in.ID, leaseID, attachmentID, at)
		}
		return err
	})
}

var attachmentRecordTable = rows.NewTable(
	"lease_attachments",
	rows.At("id", func(a *attachment) *string { return &a.ID }),
	rows.At("file_name", func(a *attachment) *string { return &a.FileName }),
	rows.At("pages", func(a *attachment) *int { return &a.Pages }),
	rows.At("size", func(a *attachment) *int { return &a.Size }),
	rows.At("sha256", func(a *attachment) *string { return &a.SHA256 }),
	rows.At("requires_initials", func(a *attachment) *bool { return &a.RequiresInitials }),
	rows.At("uploaded_at", func(a *attachment) *clock.Time { return &a.UploadedAt }),
	rows.At("is_lease", func(a *attachment) *bool { return &a.IsLease }),
	rows.ListAt("disclosures", func(a *attachment) *[]string { return &a.Disclosures }),
)

// attachmentTable is attachmentRecordTable with the contents.
var attachmentTable = attachmentRecordTable.And(rows.At("content", func(a *attachment) *[]byte { return &a.content }))
