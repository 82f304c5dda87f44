-- +goose Up
-- The overview. What it shows is counted while it is written: no page counts the log or the ledger.

-- What came of the requests of a portfolio, by the hour (UTC) in which they came, and how many of
-- them took at most so many milliseconds, and more than those of the column before. It is a log:
-- what it names may be gone.
CREATE TABLE request_hours (
	portfolio_id INTEGER NOT NULL,
	hour INTEGER NOT NULL,
	succeeded INTEGER NOT NULL,
	client_failed INTEGER NOT NULL,
	server_failed INTEGER NOT NULL,
	throttled INTEGER NOT NULL,
	ms_2 INTEGER NOT NULL,
	ms_5 INTEGER NOT NULL,
	ms_10 INTEGER NOT NULL,
	ms_20 INTEGER NOT NULL,
	ms_50 INTEGER NOT NULL,
	ms_100 INTEGER NOT NULL,
	ms_200 INTEGER NOT NULL,
	ms_500 INTEGER NOT NULL,
	ms_1000 INTEGER NOT NULL,
	ms_5000 INTEGER NOT NULL,
	ms_more INTEGER NOT NULL,
	PRIMARY KEY (portfolio_id, hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_hours_age ON request_hours (hour);
INSERT INTO request_hours (portfolio_id, hour, succeeded, client_failed, server_failed, throttled,
	ms_2, ms_5, ms_10, ms_20, ms_50, ms_100, ms_200, ms_500, ms_1000, ms_5000, ms_more)
SELECT portfolio_id, at - at % 3600000,
	CAST(sum(CASE WHEN status < 400 THEN 1 ELSE 0 END) AS INTEGER),
	CAST(sum(CASE WHEN status BETWEEN 400 AND 499 AND status <> 429 THEN 1 ELSE 0 END) AS INTEGER),
	CAST(sum(CASE WHEN status >= 500 THEN 1 ELSE 0 END) AS INTEGER),
	CAST(sum(CASE WHEN status = 429 THEN 1 ELSE 0 END) AS INTEGER),
	CAST(sum(CASE WHEN duration_us <= 2000 THEN 1 ELSE 0 END) AS INTEGER),
	CAST(sum(CASE WHEN duration_us > 2000 AND duration_us <= 5000 THEN 1 ELSE 0 END) AS INTEGER),
	CAST(sum(CASE WHEN duration_us > 5000 AND duration_us <= 10000 THEN 1 ELSE 0 END) AS INTEGER),
	CAST(sum(CASE WHEN duration_us > 10000 AND duration_us <= 20000 THEN 1 ELSE 0 END) AS INTEGER),
	CAST(sum(CASE WHEN duration_us > 20000 AND duration_us <= 50000 THEN 1 ELSE 0 END) AS INTEGER),
	CAST(sum(CASE WHEN duration_us > 50000 AND duration_us <= 100000 THEN 1 ELSE 0 END) AS INTEGER),
	CAST(sum(CASE WHEN duration_us > 100000 AND duration_us <= 200000 THEN 1 ELSE 0 END) AS INTEGER),
	CAST(sum(CASE WHEN duration_us > 200000 AND duration_us <= 500000 THEN 1 ELSE 0 END) AS INTEGER),
	CAST(sum(CASE WHEN duration_us > 500000 AND duration_us <= 1000000 THEN 1 ELSE 0 END) AS INTEGER),
	CAST(sum(CASE WHEN duration_us > 1000000 AND duration_us <= 5000000 THEN 1 ELSE 0 END) AS INTEGER),
	CAST(sum(CASE WHEN duration_us > 5000000 THEN 1 ELSE 0 END) AS INTEGER)
FROM requests
WHERE portfolio_id IS NOT NULL
GROUP BY portfolio_id, at - at % 3600000;

-- Of the failed requests of a key on a day, those that failed on our side.
ALTER TABLE key_days ADD COLUMN server_failed INTEGER NOT NULL DEFAULT 0;

-- Rent by the day on which it is due: how much, and how much of it was paid. What is void or was
-- refunded is not among it. Triggers keep it, whoever writes the ledger.
CREATE TABLE rent_days (
	portfolio_id INTEGER NOT NULL,
	day INTEGER NOT NULL,
	due INTEGER NOT NULL,
	collected INTEGER NOT NULL,
	PRIMARY KEY (portfolio_id, day)
) STRICT, WITHOUT ROWID;
INSERT INTO rent_days (portfolio_id, day, due, collected)
SELECT portfolio_id, due_date, CAST(sum(amount) AS INTEGER), CAST(sum(amount_paid) AS INTEGER)
FROM payments
WHERE type = 'rent' AND status NOT IN ('void', 'refunded')
GROUP BY portfolio_id, due_date;

-- +goose StatementBegin
CREATE TRIGGER rent_added AFTER INSERT ON payments
BEGIN
	INSERT INTO rent_days (portfolio_id, day, due, collected)
	SELECT NEW.portfolio_id, NEW.due_date, NEW.amount, NEW.amount_paid
	WHERE NEW.type = 'rent' AND NEW.status NOT IN ('void', 'refunded')
	ON CONFLICT (portfolio_id, day) DO UPDATE
	SET due = due + excluded.due, collected = collected + excluded.collected;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER rent_changed AFTER UPDATE OF type, status, due_date, amount, amount_paid ON payments
BEGIN
	INSERT INTO rent_days (portfolio_id, day, due, collected)
	SELECT OLD.portfolio_id, OLD.due_date, -OLD.amount, -OLD.amount_paid
	WHERE OLD.type = 'rent' AND OLD.status NOT IN ('void', 'refunded')
	ON CONFLICT (portfolio_id, day) DO UPDATE
	SET due = due + excluded.due, collected = collected + excluded.collected;
	INSERT INTO rent_days (portfolio_id, day, due, collected)
	SELECT NEW.portfolio_id, NEW.due_date, NEW.amount, NEW.amount_paid
	WHERE NEW.type = 'rent' AND NEW.status NOT IN ('void', 'refunded')
	ON CONFLICT (portfolio_id, day) DO UPDATE
	SET due = due + excluded.due, collected = collected + excluded.collected;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER rent_deleted AFTER DELETE ON payments
BEGIN
	INSERT INTO rent_days (portfolio_id, day, due, collected)
	SELECT OLD.portfolio_id, OLD.due_date, -OLD.amount, -OLD.amount_paid
	WHERE OLD.type = 'rent' AND OLD.status NOT IN ('void', 'refunded')
	ON CONFLICT (portfolio_id, day) DO UPDATE
	SET due = due + excluded.due, collected = collected + excluded.collected;
END;
-- +goose StatementEnd

-- What needs attention: the same words let SQLite use them, and the status lets it read them alone.
CREATE INDEX tickets_unfinished ON tickets (portfolio_id, priority, id, created_at, status)
	WHERE status IN ('open', 'in_progress', 'scheduled', 'on_hold');
CREATE INDEX payments_overdue ON payments (portfolio_id, due_date, lease_id, amount, amount_paid, status)
	WHERE status IN ('due', 'partially_paid', 'failed');
CREATE INDEX leases_offered ON leases (portfolio_id, expires_at, id)
	WHERE status = 'pending_signature';
