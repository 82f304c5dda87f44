-- +goose Up
-- The queue of requests is read and counted by status.
CREATE INDEX access_requests_status ON access_requests (status, id);
