-- +goose Up
-- An import commits in parts. Units that it has still to bring count against the ceiling of the plan already.
ALTER TABLE imports ADD COLUMN units_left INTEGER NOT NULL DEFAULT 0;
CREATE INDEX imports_units_left ON imports (portfolio_id) WHERE units_left > 0;
