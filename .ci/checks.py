"""What schemathesis checks beyond its own list."""

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance


@schemathesis.check
def valid_requests_are_accepted(ctx, response, case):
    """positive_data_acceptance, but for cursors: they are opaque, so no schema tells
    which of all strings are ours."""
    if response.status_code == 400 and response.json()["error"]["code"] == "invalid_cursor":
        return None
    return positive_data_acceptance(ctx, response, case)


@schemathesis.check
def a_refusal_names_its_request(ctx, response, case):
    """The request_id of the envelope is the X-Request-Id of the answer."""
    if response.status_code >= 400:
        assert [response.json()["error"]["request_id"]] == response.headers["x-request-id"]
