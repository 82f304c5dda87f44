-- +goose Up
-- Tickets triaged before needs_review existed get it from their confidence.
UPDATE tickets
SET triage = (triage::jsonb || jsonb_build_object('needs_review', CAST(triage::jsonb ->> 'confidence' AS numeric) < 0.5))::text
WHERE triage IS NOT NULL;
