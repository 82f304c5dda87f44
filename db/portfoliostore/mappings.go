package portfoliostore

import "context"

// ForgetMapping deletes what people have said of the columns of files with a header.
func (s *Store) ForgetMapping(ctx context.Context, accountID, fingerprint string) error {
	query := "DELETE FROM import_mappings WHERE account_id = $1 AND fingerprint = $2"
	return s.db.Run(ctx, query, accountID, fingerprint)
}
