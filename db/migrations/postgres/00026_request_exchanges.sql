-- +goose Up
-- What is kept of requests is written in batches, which add what they grew a demo portfolio by
-- themselves: a row a portfolio and batch instead of one for each request. A reset finds what was
-- sent to its portfolio by the lines of the request log.
DROP TRIGGER demo_request_exchanges ON request_exchanges;
CREATE TRIGGER demo_request_exchanges AFTER DELETE OR UPDATE OF sealed ON request_exchanges
FOR EACH ROW EXECUTE FUNCTION demo_request_exchanges_bytes();
DROP INDEX request_exchanges_portfolio;
