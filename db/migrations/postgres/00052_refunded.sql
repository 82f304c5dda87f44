-- +goose Up
-- What has been paid of a row that was refunded is what is left of it.
UPDATE payments SET amount_paid = 0 WHERE status = 'refunded' AND amount_paid <> 0;

-- Transactions take room of a demo portfolio.
-- +goose StatementBegin
CREATE FUNCTION demo_payment_transactions_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO demo_growth (portfolio_id, records, bytes)
	SELECT portfolio_id, 0, 300
	FROM demo_usage
	WHERE portfolio_id = NEW.portfolio_id;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER demo_payment_transactions AFTER INSERT ON payment_transactions
FOR EACH ROW EXECUTE FUNCTION demo_payment_transactions_bytes();
