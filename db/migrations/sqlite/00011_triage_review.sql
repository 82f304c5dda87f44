-- +goose Up
-- Tickets triaged before needs_review existed get it from their confidence.
UPDATE tickets
SET triage = json_set(triage, '$.needs_review', json(CASE WHEN triage ->> 'confidence' < 0.5 THEN 'true' ELSE 'false' END))
WHERE triage IS NOT NULL;
