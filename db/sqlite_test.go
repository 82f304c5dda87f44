package db_test

import (
	"os"
	"testing"

	"portal/db/dbtest"
)

func TestSQLiteKeepsEveryPromise(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, dbtest.SQLite)
}

func TestPostgresKeepsEveryPromise(t *testing.T) {
	t.Parallel()
	dbtest.Run(t, dbtest.NewPostgres(t, os.Getenv("PORTAL_TEST_DATABASE_URL")).Open)
}
