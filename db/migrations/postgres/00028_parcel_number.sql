-- +goose Up
-- The number by which the county's assessor knows a property.
ALTER TABLE properties ADD COLUMN parcel_number TEXT;

-- +goose Down
ALTER TABLE properties DROP COLUMN parcel_number;
