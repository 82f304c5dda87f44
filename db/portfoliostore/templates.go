package portfoliostore

import (
	"context"
	"encoding/json"
	"fmt"

	"portal/api/access"
	"portal/api/agreement"
	"portal/api/clock"
	"portal/api/contact"
	"portal/api/id"
	"portal/api/portfolio"
	"portal/db"
	"portal/db/rows"
)

var templateTable = rows.NewTable(
	"lease_templates",
	append(recordColumns(func(t *agreement.LeaseTemplate) *portfolio.Record { return &t.Record }),
		rows.At("name", func(t *agreement.LeaseTemplate) *string { return &t.Name }),
		rows.Written("name_key", func(t *agreement.LeaseTemplate) any { return agreement.TemplateNameKey(t.Name) }),
		rows.At("state", func(t *agreement.LeaseTemplate) **contact.State { return &t.State }),
		rows.Column[agreement.LeaseTemplate]{
			Name:   "terms",
			Target: func(t *agreement.LeaseTemplate) any { return (*templateTerms)(&t.TemplateTerms) },
			Value:  func(t *agreement.LeaseTemplate) (any, error) { return rows.JSONOf(&t.TemplateTerms), nil },
		},
	)...).Completed(func(t *agreement.LeaseTemplate, mode access.Mode) {
	t.Object, t.Mode, t.Attachments = "lease_template", mode, []agreement.Attachment{}
})

type templateTerms agreement.TemplateTerms

// Scan is sql.Scanner.
func (t *templateTerms) Scan(src any) error {
	text, err := rows.Text(src)
	if err == nil {
		err = json.Unmarshal([]byte(text), (*agreement.TemplateTerms)(t))
	}
	return err
}

// Templates reads the templates of leases that pass the filter with their attachments, one more than its limit.
func (s *Store) Templates(
	ctx context.Context, in access.Portfolio, f agreement.TemplateFilter,
) ([]agreement.LeaseTemplate, error) {
	l := rows.Listed(s.db, templateTable.Columns, "lease_templates", in, id.Template, f.Query)
	all, err := rows.Rows(ctx, s.db, l, templateTable.Read(in))
	if err != nil {
		return nil, err
	}
	return all, s.attachTo(ctx, in, all)
}

// Template finds a template with its attachments, or fault.NotFound.
func (s *Store) Template(
	ctx context.Context, in access.Portfolio, templateID string,
) (agreement.LeaseTemplate, error) {
	t, err := templateTable.Record(ctx, s.db, "lease template", in, templateID)
	if err != nil {
		return t, err
	}
	one := []agreement.LeaseTemplate{t}
	err = s.attachTo(ctx, in, one)
	return one[0], err
}

// attachTo gives templates their attachments, the first one first.
func (s *Store) attachTo(ctx context.Context, in access.Portfolio, all []agreement.LeaseTemplate) error {
	if len(all) == 0 {
		return nil
	}
	at, ids := map[string]int{}, make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
		at[ids[i]] = i
	}
	found, err := templateAttachmentTable.All(ctx, s.db, "WHERE portfolio_id = $1 AND template_id IN ("+
		db.Placeholders(1, len(ids))+") ORDER BY id", db.With([]any{in.ID}, ids)...)
	for i := range found {
		t := &all[at[found[i].of]]
		t.Attachments = append(t.Attachments, attachments([]attachment{found[i].attachment})...)
	}
	return err
}

// TemplateNamed finds the template whose name has a key, or fault.NotFound.
func (s *Store) TemplateNamed(ctx context.Context, in access.Portfolio, key string) (string, error) {
	return rows.Only(ctx, s.db, "lease template",
		"SELECT id FROM lease_templates WHERE portfolio_id = $1 AND name_key = $2", []any{in.ID, key},
		rows.Value[string])
}

// CountTemplates counts the templates of a portfolio.
func (s *Store) CountTemplates(ctx context.Context, in access.Portfolio) (int, error) {
	return rows.Only(ctx, s.db, "count", "SELECT count(*) FROM lease_templates WHERE portfolio_id = $1", []any{in.ID},
		rows.Value[int])
}

// AddTemplate writes a new template without its attachments.
func (s *Store) AddTemplate(ctx context.Context, in access.Portfolio, t *agreement.LeaseTemplate) error {
	return templateTable.Add(ctx, s.db, t, "portfolio_id", in.ID)
}

// SaveTemplate writes a template that has changed, but not its attachments.
func (s *Store) SaveTemplate(ctx context.Context, in access.Portfolio, t *agreement.LeaseTemplate) error {
	return templateTable.Save(ctx, s.db, in, t)
}

// DeleteTemplate removes a template with its attachments.
func (s *Store) DeleteTemplate(ctx context.Context, in access.Portfolio, templateID string) error {
	for _, from := range []string{"lease_template_attachments WHERE template_id", "lease_templates WHERE id"} {
		if err := s.db.Run(ctx, "DELETE FROM "+from+" = $2 AND portfolio_id = $1", in.ID, templateID); err != nil {
			return err
		}
	}
	return nil
}

// AddTemplateAttachment adds an attachment to a template.
func (s *Store) AddTemplateAttachment(
	ctx context.Context, in access.Portfolio, templateID string, a *agreement.Attachment, content []byte,
) error {
	return templateContentTable.Add(ctx, s.db, &templateAttachment{attachment{*a, content}, templateID},
		"portfolio_id", in.ID)
}

// RemoveTemplateAttachment removes an attachment of a template.
func (s *Store) RemoveTemplateAttachment(
	ctx context.Context, in access.Portfolio, templateID, attachmentID string,
) error {
	return s.db.Run(ctx, "DELETE FROM lease_template_attachments "+oneTemplateAttachment, in.ID, templateID,
		attachmentID)
}

// TemplateAttachment finds an attachment of a template with its content, or fault.NotFound.
func (s *Store) TemplateAttachment(
	ctx context.Context, in access.Portfolio, templateID, attachmentID string,
) (agreement.Attachment, []byte, error) {
	a, err := templateContentTable.Only(ctx, s.db, "attachment", oneTemplateAttachment, in.ID, templateID, attachmentID)
	return attachments([]attachment{a.attachment})[0], a.content, err
}

const oneTemplateAttachment = "WHERE portfolio_id = $1 AND template_id = $2 AND id = $3"

// CopyTemplateAttachment adds to a lease what a template has as an attachment, with another id and time.
func (s *Store) CopyTemplateAttachment(
	ctx context.Context, in access.Portfolio, templateID, attachmentID, leaseID string, to *agreement.Attachment,
) error {
	n, err := s.db.Exec(ctx, `INSERT INTO lease_attachments (portfolio_id, lease_id, id, file_name, pages, size, sha256,
			requires_initials, uploaded_at, content)
		SELECT portfolio_id, CAST($4 AS TEXT), CAST($5 AS TEXT), file_name, pages, size, sha256, requires_initials,
			CAST($6 AS BIGINT), content
		FROM lease_template_attachments `+oneTemplateAttachment,
		in.ID, templateID, attachmentID, leaseID, to.ID, int64(to.UploadedAt))
	if err == nil && n != 1 {
		err = fmt.Errorf("%d attachments of the template %s have the id %s", n, templateID, attachmentID)
	}
	return err
}

// templateAttachment is a row of an attachment of a template.
type templateAttachment struct {
	attachment
	of string // the template
}

var templateAttachmentTable = rows.NewTable(
	"lease_template_attachments",
	rows.At("template_id", func(a *templateAttachment) *string { return &a.of }),
	rows.At("id", func(a *templateAttachment) *string { return &a.ID }),
	rows.At("file_name", func(a *templateAttachment) *string { return &a.FileName }),
	rows.At("pages", func(a *templateAttachment) *int { return &a.Pages }),
	rows.At("size", func(a *templateAttachment) *int { return &a.Size }),
	rows.At("sha256", func(a *templateAttachment) *string { return &a.SHA256 }),
	rows.At("requires_initials", func(a *templateAttachment) *bool { return &a.RequiresInitials }),
	rows.At("uploaded_at", func(a *templateAttachment) *clock.Time { return &a.UploadedAt }),
)

// templateContentTable is templateAttachmentTable with the contents.
var templateContentTable = templateAttachmentTable.And(
	rows.At("content", func(a *templateAttachment) *[]byte { return &a.content }),
)
