package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/id"
	"portal/api/list"
	"portal/api/portfolio"
	"portal/api/portfolio/lease/condition"
	"portal/db"
	"portal/db/rows"
)

// reportTable has condition reports without their photos, which have a table of their own: a photo within the JSON of
// an item is never read.
var reportTable = rows.NewTable(
	"condition_reports",
	append(recordColumns(func(r *condition.Report) *portfolio.Record { return &r.Record }),
		rows.At("lease_id", func(r *condition.Report) *string { return &r.LeaseID }),
		rows.At("kind", func(r *condition.Report) *condition.Kind { return &r.Kind }),
		rows.At("began_with", func(r *condition.Report) **string { return &r.BeganWith }),
		areasColumn(),
		rows.ListAt("signatures", func(r *condition.Report) *[]condition.Signature { return &r.Signatures }),
		rows.At("shared_at", func(r *condition.Report) **clock.Time { return &r.SharedAt }),
		rows.At("landlord_signed_at", func(r *condition.Report) **clock.Time { return &r.LandlordSignedAt }),
		rows.At("completed_at", func(r *condition.Report) **clock.Time { return &r.CompletedAt }),
	)...).Completed(func(r *condition.Report, mode access.Mode) { r.Object, r.Mode = "condition_report", mode })

// areasColumn is the column with the areas of a report, which is written without photos.
func areasColumn() rows.Column[condition.Report] {
	c := rows.ListAt("areas", func(r *condition.Report) *[]condition.Area { return &r.Areas })
	write := c.Value
	c.Value = func(r *condition.Report) (any, error) {
		bare := condition.Report{Areas: make([]condition.Area, len(r.Areas))}
		for i := range r.Areas {
			bare.Areas[i] = r.Areas[i]
			bare.Areas[i].Items = make([]condition.Item, len(r.Areas[i].Items))
			for k := range r.Areas[i].Items {
				bare.Areas[i].Items[k] = r.Areas[i].Items[k]
				bare.Areas[i].Items[k].Photos = nil
			}
		}
		return write(&bare)
	}
	return c
}

var conditionPhotoTable = rows.NewTable(
	"condition_photos",
	rows.At("id", func(p *condition.Photo) *string { return &p.ID }),
	rows.At("report_id", func(p *condition.Photo) *string { return &p.ReportID }),
	rows.At("item_id", func(p *condition.Photo) *string { return &p.ItemID }),
	rows.At("side", func(p *condition.Photo) *condition.Side { return &p.By }),
	rows.At("tenant_id", func(p *condition.Photo) **string { return &p.TenantID }),
	rows.At("uploaded_at", func(p *condition.Photo) *clock.Time { return &p.UploadedAt }),
	rows.At("sha256", func(p *condition.Photo) *string { return &p.SHA256 }),
	rows.At("size", func(p *condition.Photo) *int { return &p.Size }),
	rows.At("width", func(p *condition.Photo) *int { return &p.Width }),
	rows.At("height", func(p *condition.Photo) *int { return &p.Height }),
)

// ConditionReport finds the report of a kind that a lease has, with its photos, or fault.NotFound.
func (s *Store) ConditionReport(
	ctx context.Context, in access.Portfolio, leaseID string, kind condition.Kind,
) (condition.Report, error) {
	r, err := rows.Only(ctx, s.db, "condition report", "SELECT "+reportTable.Columns+` FROM condition_reports
		WHERE portfolio_id = $1 AND lease_id = $2 AND kind = $3`, []any{in.ID, leaseID, string(kind)},
		reportTable.Read(in))
	if err != nil {
		return r, err
	}
	one := []condition.Report{r}
	err = s.conditionPhotosOf(ctx, in, one)
	return one[0], err
}

// ConditionReports reads reports of the portfolio with their photos by ascending id, one more than the limit.
func (s *Store) ConditionReports(
	ctx context.Context, in access.Portfolio, q list.Query,
) ([]condition.Report, error) {
	l := rows.Listed(s.db, reportTable.Columns, "condition_reports", in, id.ConditionReport, q)
	all, err := rows.Rows(ctx, s.db, l, reportTable.Read(in))
	if err != nil {
		return nil, err
	}
	return all, s.conditionPhotosOf(ctx, in, all)
}

// conditionPhotosOf gives reports their photos, the first one first.
func (s *Store) conditionPhotosOf(ctx context.Context, in access.Portfolio, all []condition.Report) error {
	ids := make([]string, len(all))
	for i := range all {
		ids[i] = all[i].ID
	}
	photos, err := conditionPhotoTable.With(ctx, s.db, in, "condition_photos_report", "report_id", ids, "ORDER BY id")
	if err != nil {
		return err
	}
	of := map[string][]condition.Photo{}
	for _, p := range photos {
		of[p.ReportID] = append(of[p.ReportID], p)
	}
	for i := range all {
		all[i].Hold(of[all[i].ID])
	}
	return nil
}

// AddConditionReport writes a new report without its photos.
func (s *Store) AddConditionReport(ctx context.Context, in access.Portfolio, r *condition.Report) error {
	return reportTable.Insert(ctx, s.db, in, []condition.Report{*r})
}

// SaveConditionReport writes a report that has changed without its photos.
func (s *Store) SaveConditionReport(ctx context.Context, in access.Portfolio, r *condition.Report) error {
	return reportTable.Save(ctx, s.db, in, r)
}

// DeleteConditionReport removes a report with its photos.
func (s *Store) DeleteConditionReport(ctx context.Context, in access.Portfolio, reportID string) error {
	return s.db.Run(ctx, "DELETE FROM condition_reports WHERE portfolio_id = $1 AND id = $2", in.ID, reportID)
}

// AddConditionPhoto writes a photo with its content and its thumbnail.
func (s *Store) AddConditionPhoto(
	ctx context.Context, in access.Portfolio, p *condition.Photo, content, thumbnail []byte,
) error {
	return conditionPhotoTable.Add(ctx, s.db, p, "portfolio_id", in.ID, "content", content, "thumbnail", thumbnail)
}

// ConditionPhoto is a photo of a report as JPEG, or its thumbnail, or fault.NotFound.
func (s *Store) ConditionPhoto(
	ctx context.Context, in access.Portfolio, reportID, photoID string, thumbnail bool,
) ([]byte, error) {
	column := "content"
	if thumbnail {
		column = "thumbnail"
	}
	return rows.Only(ctx, s.db, "photo", "SELECT "+column+` FROM condition_photos
		WHERE portfolio_id = $1 AND id = $2 AND report_id = $3`, []any{in.ID, photoID, reportID}, rows.Value[[]byte])
}

// RemoveConditionPhotos removes photos of a report.
func (s *Store) RemoveConditionPhotos(
	ctx context.Context, in access.Portfolio, reportID string, photoIDs ...string,
) error {
	return s.db.Run(ctx, `DELETE FROM condition_photos
		WHERE portfolio_id = $1 AND report_id = $2 AND id IN (`+db.Placeholders(2, len(photoIDs))+`)`,
		db.With([]any{in.ID, reportID}, photoIDs)...)
}

// linkedConditionPhoto is LinkedPhoto of a condition report.
func (s *Store) linkedConditionPhoto(
	ctx context.Context, photoID string,
) (in access.Portfolio, content []byte, err error) {
	err = rows.Find(ctx, s.db, "photo", `SELECT p.id, p.mode, p.ahead_days, f.content
		FROM condition_photos f`+s.db.IndexedBy("condition_photos_id")+`
		JOIN portfolios p ON p.id = f.portfolio_id
		JOIN accounts a ON a.id = p.account_id
		WHERE f.id = $1 AND a.closed_at IS NULL`, []any{photoID}, &in.ID, &in.Mode, &in.Ahead, &content)
	return in, content, err
}
