-- +goose Up
-- What has been paid of a row that was refunded is what is left of it.
UPDATE payments SET amount_paid = 0 WHERE status = 'refunded' AND amount_paid <> 0;

-- Transactions take room of a demo portfolio.
-- +goose StatementBegin
CREATE TRIGGER demo_payment_transactions_added AFTER INSERT ON payment_transactions
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 300
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
END;
-- +goose StatementEnd
