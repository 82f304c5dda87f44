-- +goose Up
-- SQLite counts no values unless it is told to: the migration is one of PostgreSQL alone.
SELECT 1;
