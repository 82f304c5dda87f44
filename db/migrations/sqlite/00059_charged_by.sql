-- +goose Up
-- The monthly rent by which rent was charged, in cents, 0 where that is not known: parts of its month are calculated by
-- it, also after the rent of the lease has changed.
ALTER TABLE payments ADD COLUMN monthly_rent INTEGER NOT NULL DEFAULT 0;

-- Whether it was looked at when owners are reminded to return the deposit of a lease that has ended: 0 for not yet, 1 for
-- yes, and 2 for not by this version, so that an earlier one may have sent the reminder. Of what ended long ago, the
-- deadlines of all states are over.
ALTER TABLE leases ADD COLUMN deposit_awaited INTEGER NOT NULL DEFAULT 0;
UPDATE leases
SET deposit_awaited = CASE
	WHEN deposit_reminder_on IS NOT NULL THEN 1
	WHEN COALESCE(move_out_date, terminated_on, end_date) < unixepoch() / 86400 - 100 THEN 1
	ELSE 2 END
WHERE status IN ('terminated', 'expired') OR status = 'active' AND move_out_date IS NOT NULL;
CREATE INDEX leases_deposit_awaited ON leases (portfolio_id, deposit_awaited, id)
	WHERE deposit_awaited <> 1 AND (status IN ('terminated', 'expired') OR status = 'active' AND move_out_date IS NOT NULL);

-- Also where an older process sets the reminder.
-- +goose StatementBegin
CREATE TRIGGER deposits_awaited AFTER UPDATE OF deposit_reminder_on ON leases
BEGIN
	UPDATE leases SET deposit_awaited = 1 WHERE portfolio_id = NEW.portfolio_id AND id = NEW.id;
END;
-- +goose StatementEnd
