-- +goose Up
-- Leases that name pets, vehicles, utilities or co-owners in their terms, and those with guarantors, in the order of lists.
CREATE INDEX leases_with_pets ON leases (portfolio_id, id)
	WHERE json_type(terms, '$.pets[0]') = 'object';
CREATE INDEX leases_with_vehicles ON leases (portfolio_id, id)
	WHERE json_type(terms, '$.vehicles[0]') = 'object';
CREATE INDEX leases_with_utilities ON leases (portfolio_id, id)
	WHERE json_type(terms, '$.utilities[0]') = 'object';
CREATE INDEX leases_with_co_owners ON leases (portfolio_id, id)
	WHERE json_type(terms, '$.co_owners[0]') = 'object';
CREATE INDEX lease_signers_guarantors ON lease_signers (portfolio_id, lease_id) WHERE role = 'guarantor';
