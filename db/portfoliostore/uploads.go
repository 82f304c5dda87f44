package portfoliostore

import (
	"context"

	"portal/api/access"
	"portal/api/clock"
	"portal/api/fault"
	"portal/api/portfolio/upload"
	"portal/db"
	"portal/db/rows"
)

var uploadTable = rows.NewTable(
	"imports",
	rows.At("id", func(r *upload.Row) *string { return &r.ID }),
	rows.At("created_at", func(r *upload.Row) *clock.Time { return &r.CreatedAt }),
	rows.At("user_id", func(r *upload.Row) *string { return &r.UserID }),
	rows.At("name", func(r *upload.Row) *string { return &r.Name }),
	rows.At("size", func(r *upload.Row) *int { return &r.Size }),
	rows.At("status", func(r *upload.Row) *upload.Status { return &r.Status }),
	rows.At("preview", func(r *upload.Row) *[]byte { return &r.Preview }),
	rows.At("records", func(r *upload.Row) *int { return &r.Records }),
	rows.At("written", func(r *upload.Row) *int { return &r.Written }),
	rows.At("units_left", func(r *upload.Row) *int { return &r.UnitsLeft }),
	rows.Column[upload.Row]{
		Name:   "result",
		Target: func(r *upload.Row) any { return (*text)(&r.Result) },
		Value:  func(r *upload.Row) (any, error) { return textOf(r.Result), nil },
	},
	rows.At("finished_at", func(r *upload.Row) **clock.Time { return &r.FinishedAt }),
)

// text is a column of text that is read as bytes, nil for NULL.
type text []byte

// Scan is sql.Scanner.
func (t *text) Scan(src any) error {
	if src == nil {
		*t = nil
		return nil
	}
	stored, err := rows.Text(src)
	*t = text(stored)
	return err
}

// AddUpload writes an upload with its sealed file, and forgets the oldest that are ready
// beyond so many. It is false where the uploads of the portfolio would take more than so many
// bytes; nothing is written then. Others that add one to the portfolio wait until this one is there.
func (s *Store) AddUpload(
	ctx context.Context, in access.Portfolio, r *upload.Row, content []byte, most int, bytes int64,
) (added bool, err error) {
	err = s.db.Atomically(ctx, func(ctx context.Context) error {
		// The lock alone, without the new revision that a change of records brings.
		_, err := s.db.One(ctx, "SELECT id FROM portfolios WHERE id = $1"+s.db.Locking(" FOR NO KEY UPDATE"), []any{
			in.ID,
		}, new(int64))
		if err != nil {
			return err
		}
		var kept int64
		_, err = s.db.One(
			ctx,
			`SELECT coalesce(sum(coalesce(octet_length(content), 0) + coalesce(octet_length(preview), 0)), 0)
			FROM imports
			WHERE portfolio_id = $1`,
			[]any{in.ID},
			&kept,
		)
		if added = kept+int64(len(content)+len(r.Preview)) <= bytes; err != nil || !added {
			return err
		}
		return s.addUpload(ctx, in, r, content, most)
	})
	return added && err == nil, err
}

func (s *Store) addUpload(ctx context.Context, in access.Portfolio, r *upload.Row, content []byte, most int) error {
	if err := uploadTable.Add(ctx, s.db, r, "portfolio_id", in.ID, "content", content); err != nil {
		return err
	}
	return s.db.Run(ctx, `DELETE FROM imports
		WHERE portfolio_id = $1 AND `+rows.Is("status", upload.Ready)+` AND id NOT IN (
			SELECT id
			FROM imports
			WHERE portfolio_id = $1 AND `+rows.Is("status", upload.Ready)+`
			ORDER BY id DESC
			LIMIT $2)`, in.ID, int64(most))
}

func textOf(b []byte) any {
	if b == nil {
		return nil
	}
	return string(b)
}

// Upload reads an upload without its file, or fault.NotFound.
func (s *Store) Upload(ctx context.Context, in access.Portfolio, id string) (upload.Row, error) {
	return uploadTable.Record(ctx, s.db, "import", in, id)
}

// Uploads reads the latest uploads without their files, at most so many.
func (s *Store) Uploads(ctx context.Context, in access.Portfolio, most int) ([]upload.Row, error) {
	return uploadTable.All(ctx, s.db, "WHERE portfolio_id = $1 ORDER BY id DESC LIMIT $2", in.ID, int64(most))
}

// UploadContent reads the sealed file of an upload, or fault.NotFound where it is forgotten.
func (s *Store) UploadContent(ctx context.Context, in access.Portfolio, id string) (content []byte, err error) {
	_, err = s.db.One(ctx, "SELECT content FROM imports WHERE portfolio_id = $1 AND id = $2", []any{
		in.ID, id,
	}, &content)
	if err == nil && content == nil {
		err = fault.NotFound("import")
	}
	return content, err
}

// SaveUpload writes what has become of an upload whose status is from, and reports whether it
// was. The file of one that is done is forgotten.
func (s *Store) SaveUpload(ctx context.Context, in access.Portfolio, r *upload.Row, from upload.Status) (bool, error) {
	return s.db.Changes(ctx, `UPDATE imports
		SET status = $3, preview = $4, records = $5, written = $6, result = $7, finished_at = $8, units_left = 0,
			content = CASE WHEN `+rows.Is("$3", upload.Done)+` THEN NULL ELSE content END
		WHERE portfolio_id = $1 AND id = $2 AND status = $9`,
		in.ID, r.ID, string(r.Status), r.Preview, r.Records, r.Written, textOf(r.Result), r.FinishedAt, string(from))
}

// SaveProgress writes how far the import of an upload is.
func (s *Store) SaveProgress(ctx context.Context, in access.Portfolio, r *upload.Row) error {
	return s.db.Run(ctx, `UPDATE imports
		SET result = $3, written = $4, units_left = $5
		WHERE portfolio_id = $1 AND id = $2 AND `+rows.Is("status", upload.Queued),
		in.ID, r.ID, textOf(r.Result), r.Written, r.UnitsLeft)
}

// DropUpload deletes an upload that nobody confirmed, and reports whether there was one.
func (s *Store) DropUpload(ctx context.Context, in access.Portfolio, id string) (bool, error) {
	return s.db.Changes(
		ctx,
		"DELETE FROM imports WHERE portfolio_id = $1 AND id = $2 AND "+rows.Is("status", upload.Ready),
		in.ID,
		id,
	)
}

// QueuedUploads reads the orders of all uploads that are queued, those of every portfolio.
func (s *Store) QueuedUploads(ctx context.Context) (orders [][]byte, err error) {
	err = s.db.Each(ctx, "SELECT result FROM imports WHERE "+rows.Is("status", upload.Queued)+" AND "+
		rows.IsNot("status", upload.Done)+" ORDER BY created_at", nil, func(scan db.Scan) error {
		var order string
		err := scan(&order)
		orders = append(orders, []byte(order))
		return err
	})
	return orders, err
}

// ForgetUploads deletes uploads from before a moment that nobody confirmed, at most so
// many, and tells how many.
func (s *Store) ForgetUploads(ctx context.Context, before clock.Time, most int) (int64, error) {
	old := rows.Is("status", upload.Ready) + " AND " + rows.IsNot("status", upload.Done) + " AND created_at < $1"
	return rows.Forget(ctx, s.db, "imports", "portfolio_id, id", old, "created_at", int64(before), most)
}

// Mapping is what people have said of the columns of files with a header, sealed; nil for nothing.
func (s *Store) Mapping(ctx context.Context, accountID, fingerprint string) (answers []byte, err error) {
	_, err = s.db.One(ctx, "SELECT answers FROM import_mappings WHERE account_id = $1 AND fingerprint = $2",
		[]any{accountID, fingerprint}, &answers)
	return answers, err
}

// SaveMapping writes what people have said of the columns of files with a header, and forgets those of an account that
// were used the longest ago beyond so many.
func (s *Store) SaveMapping(
	ctx context.Context, accountID, fingerprint string, answers []byte, at clock.Time, most int,
) error {
	err := s.db.Run(ctx, `INSERT INTO import_mappings (account_id, fingerprint, answers, used_at)
		VALUES ($1, $2, $3, $4)
		ON CONFLICT (account_id, fingerprint) DO UPDATE SET answers = $3, used_at = $4`,
		accountID, fingerprint, answers, at)
	if err != nil {
		return err
	}
	return s.db.Run(ctx, `DELETE FROM import_mappings
		WHERE account_id = $1 AND fingerprint IN (
			SELECT fingerprint FROM import_mappings
			WHERE account_id = $1
			ORDER BY used_at DESC, fingerprint
			LIMIT 1000 OFFSET $2)`, accountID, most)
}
