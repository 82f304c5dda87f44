-- +goose Up
-- Lists of deliveries: each filter is read from an index in the order of its list. An index
-- has all that is looked up by equality before the id; a list of one status or of one type
-- of event merges the values of the other one, of which there are few.
DROP INDEX deliveries_type;
DROP INDEX deliveries_failed;
DROP INDEX deliveries_cancelled;
DROP INDEX deliveries_endpoint_failed;
DROP INDEX deliveries_endpoint_cancelled;
DROP INDEX deliveries_queued;
CREATE INDEX deliveries_shown ON deliveries (
	portfolio_id, (CASE WHEN status = 'pending' AND failing THEN 'retrying' ELSE status END), event_type, id);
CREATE INDEX deliveries_endpoint_shown ON deliveries (
	portfolio_id, endpoint_id, (CASE WHEN status = 'pending' AND failing THEN 'retrying' ELSE status END), event_type, id);
