-- +goose Up
-- The overview. What it shows is counted while it is written: no page counts the log or the ledger.

-- What came of the requests of a portfolio, by the hour (UTC) in which they came, and how many of
-- them took at most so many milliseconds, and more than those of the column before. It is a log:
-- what it names may be gone.
CREATE TABLE request_hours (
	portfolio_id BIGINT NOT NULL,
	hour BIGINT NOT NULL,
	succeeded BIGINT NOT NULL,
	client_failed BIGINT NOT NULL,
	server_failed BIGINT NOT NULL,
	throttled BIGINT NOT NULL,
	ms_2 BIGINT NOT NULL,
	ms_5 BIGINT NOT NULL,
	ms_10 BIGINT NOT NULL,
	ms_20 BIGINT NOT NULL,
	ms_50 BIGINT NOT NULL,
	ms_100 BIGINT NOT NULL,
	ms_200 BIGINT NOT NULL,
	ms_500 BIGINT NOT NULL,
	ms_1000 BIGINT NOT NULL,
	ms_5000 BIGINT NOT NULL,
	ms_more BIGINT NOT NULL,
	PRIMARY KEY (portfolio_id, hour)
);
CREATE INDEX request_hours_age ON request_hours (hour);
INSERT INTO request_hours (portfolio_id, hour, succeeded, client_failed, server_failed, throttled,
	ms_2, ms_5, ms_10, ms_20, ms_50, ms_100, ms_200, ms_500, ms_1000, ms_5000, ms_more)
SELECT portfolio_id, at - at % 3600000,
	CAST(sum(CASE WHEN status < 400 THEN 1 ELSE 0 END) AS BIGINT),
	CAST(sum(CASE WHEN status BETWEEN 400 AND 499 AND status <> 429 THEN 1 ELSE 0 END) AS BIGINT),
	CAST(sum(CASE WHEN status >= 500 THEN 1 ELSE 0 END) AS BIGINT),
	CAST(sum(CASE WHEN status = 429 THEN 1 ELSE 0 END) AS BIGINT),
	CAST(sum(CASE WHEN duration_us <= 2000 THEN 1 ELSE 0 END) AS BIGINT),
	CAST(sum(CASE WHEN duration_us > 2000 AND duration_us <= 5000 THEN 1 ELSE 0 END) AS BIGINT),
	CAST(sum(CASE WHEN duration_us > 5000 AND duration_us <= 10000 THEN 1 ELSE 0 END) AS BIGINT),
	CAST(sum(CASE WHEN duration_us > 10000 AND duration_us <= 20000 THEN 1 ELSE 0 END) AS BIGINT),
	CAST(sum(CASE WHEN duration_us > 20000 AND duration_us <= 50000 THEN 1 ELSE 0 END) AS BIGINT),
	CAST(sum(CASE WHEN duration_us > 50000 AND duration_us <= 100000 THEN 1 ELSE 0 END) AS BIGINT),
	CAST(sum(CASE WHEN duration_us > 100000 AND duration_us <= 200000 THEN 1 ELSE 0 END) AS BIGINT),
	CAST(sum(CASE WHEN duration_us > 200000 AND duration_us <= 500000 THEN 1 ELSE 0 END) AS BIGINT),
	CAST(sum(CASE WHEN duration_us > 500000 AND duration_us <= 1000000 THEN 1 ELSE 0 END) AS BIGINT),
	CAST(sum(CASE WHEN duration_us > 1000000 AND duration_us <= 5000000 THEN 1 ELSE 0 END) AS BIGINT),
	CAST(sum(CASE WHEN duration_us > 5000000 THEN 1 ELSE 0 END) AS BIGINT)
FROM requests
WHERE portfolio_id IS NOT NULL
GROUP BY portfolio_id, at - at % 3600000;

-- Of the failed requests of a key on a day, those that failed on our side.
ALTER TABLE key_days ADD COLUMN server_failed BIGINT NOT NULL DEFAULT 0;

-- Rent by the day on which it is due: how much, and how much of it was paid. What is void or was
-- refunded is not among it. Triggers keep it, whoever writes the ledger.
CREATE TABLE rent_days (
	portfolio_id BIGINT NOT NULL,
	day BIGINT NOT NULL,
	due BIGINT NOT NULL,
	collected BIGINT NOT NULL,
	PRIMARY KEY (portfolio_id, day)
);
INSERT INTO rent_days (portfolio_id, day, due, collected)
SELECT portfolio_id, due_date, CAST(sum(amount) AS BIGINT), CAST(sum(amount_paid) AS BIGINT)
FROM payments
WHERE type = 'rent' AND status NOT IN ('void', 'refunded')
GROUP BY portfolio_id, due_date;

-- A statement adds what it changed at once: an import of a hundred thousand rows does not write the
-- same few days as often.
-- +goose StatementBegin
CREATE FUNCTION rent_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'INSERT' THEN
		INSERT INTO rent_days AS r (portfolio_id, day, due, collected)
		SELECT portfolio_id, due_date, sum(amount), sum(amount_paid)
		FROM fresh
		WHERE type = 'rent' AND status NOT IN ('void', 'refunded')
		GROUP BY portfolio_id, due_date
		ORDER BY portfolio_id, due_date
		ON CONFLICT (portfolio_id, day) DO UPDATE
		SET due = r.due + excluded.due, collected = r.collected + excluded.collected;
	ELSIF TG_OP = 'DELETE' THEN
		INSERT INTO rent_days AS r (portfolio_id, day, due, collected)
		SELECT portfolio_id, due_date, -sum(amount), -sum(amount_paid)
		FROM gone
		WHERE type = 'rent' AND status NOT IN ('void', 'refunded')
		GROUP BY portfolio_id, due_date
		ORDER BY portfolio_id, due_date
		ON CONFLICT (portfolio_id, day) DO UPDATE
		SET due = r.due + excluded.due, collected = r.collected + excluded.collected;
	ELSE
		INSERT INTO rent_days AS r (portfolio_id, day, due, collected)
		SELECT portfolio_id, due_date, sum(due), sum(collected)
		FROM (
			SELECT portfolio_id, due_date, amount AS due, amount_paid AS collected
			FROM fresh
			WHERE type = 'rent' AND status NOT IN ('void', 'refunded')
			UNION ALL
			SELECT portfolio_id, due_date, -amount, -amount_paid
			FROM gone
			WHERE type = 'rent' AND status NOT IN ('void', 'refunded')) c
		GROUP BY portfolio_id, due_date
		HAVING sum(due) <> 0 OR sum(collected) <> 0
		ORDER BY portfolio_id, due_date
		ON CONFLICT (portfolio_id, day) DO UPDATE
		SET due = r.due + excluded.due, collected = r.collected + excluded.collected;
	END IF;
	RETURN NULL;
END;
$$;
-- +goose StatementEnd
CREATE TRIGGER rent_added AFTER INSERT ON payments
REFERENCING NEW TABLE AS fresh
FOR EACH STATEMENT EXECUTE FUNCTION rent_changed();
CREATE TRIGGER rent_changed AFTER UPDATE ON payments
REFERENCING OLD TABLE AS gone NEW TABLE AS fresh
FOR EACH STATEMENT EXECUTE FUNCTION rent_changed();
CREATE TRIGGER rent_deleted AFTER DELETE ON payments
REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION rent_changed();

-- What needs attention: the same words let SQLite use them, and the status lets it read them alone.
CREATE INDEX tickets_unfinished ON tickets (portfolio_id, priority, id, created_at, status)
	WHERE status IN ('open', 'in_progress', 'scheduled', 'on_hold');
CREATE INDEX payments_overdue ON payments (portfolio_id, due_date, lease_id, amount, amount_paid, status)
	WHERE status IN ('due', 'partially_paid', 'failed');
CREATE INDEX leases_offered ON leases (portfolio_id, expires_at, id)
	WHERE status = 'pending_signature';
