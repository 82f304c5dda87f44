// Package sealstore keeps the keys that executed leases are sealed with, in the database of package db.
package sealstore

import (
	"portal/api/agreement/sealing"
	"portal/db"
	"portal/db/mailstore"
	"portal/db/rows"
)

// Keys keeps the keys that the service has made itself.
type Keys struct{ db *db.DB }

// NewKeys is the store over a database.
func NewKeys(d *db.DB) Keys { return Keys{d} }

// People knows the staff.
type People struct{ db *db.DB }

// ForNotices is what the notices of a certificate's end need of a database.
func ForNotices(d *db.DB) sealing.NoticeStore {
	return struct {
		rows.Transactor
		People
		mailstore.Mails
	}{d, People{d}, mailstore.NewMails(d)}
}
