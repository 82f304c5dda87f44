-- +goose Up
-- The log is searched without its lines, and each class of failed requests has an index of its own.
DROP INDEX requests_portfolio;
DROP INDEX requests_failed;
CREATE INDEX requests_portfolio ON requests (portfolio_id, id, status, method, operation, key_id, path)
	WHERE portfolio_id IS NOT NULL;
CREATE INDEX requests_4xx ON requests (portfolio_id, id, status, method, operation, key_id, path)
	WHERE portfolio_id IS NOT NULL AND status >= 400 AND status < 500;
CREATE INDEX requests_5xx ON requests (portfolio_id, id, status, method, operation, key_id, path)
	WHERE portfolio_id IS NOT NULL AND status >= 500;
