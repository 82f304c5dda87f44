"""What schemathesis checks beyond its own list."""

import os
import pathlib
import sys
import urllib.error

import schemathesis
from schemathesis.specs.openapi.checks import positive_data_acceptance


BEYOND_SCHEMA = {
    "date_order", "url_not_allowed",  # codes
    "deposit_above_legal_maximum", "late_fee_above_legal_maximum",  # which the state decides
    "desired_move_in_date", "start_date", "end_date", "terminated_on", "termination_reason",  # fields
    "If-Match",  # schemathesis sends 0, which does not fit the pattern
    "unit_id", "property_id", "tenant_id",  # must agree, and one of the first two be there
    "term_months", "additional_tenant_ids",  # goes without end_date; are not the first tenant
    "unit_number",  # is free in the property
    "mapping",  # names columns that the file has
    "advance_to",  # from the today of the demo portfolio on
    "lease_id", "payment_id", "description",  # go with some types of events alone
    "file",  # is a PDF that can be read
    "guarantors",  # have addresses of their own, which are those of nobody with another name
    "payment_ids", "outcome",  # of one lease, with something left to pay; goes with the method
    "renews_lease_id", "disclosures", "lead_paint",  # a lease of the unit; of the state; known hazards have details
}

sys.path.append(str(pathlib.Path(__file__).parent))
import attachment  # noqa: E402

DRAFT, ATTACHMENT = os.environ["PORTAL_TEST_DRAFT"], os.environ["PORTAL_TEST_ATTACHMENT"]


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """An attachment is removed once: each request to remove one is given one that is there."""
    parameters = case.path_parameters or {}
    if case.method.upper() == "DELETE" and parameters.get("id") == DRAFT and parameters.get("attachment_id") == ATTACHMENT:
        try:
            parameters["attachment_id"] = attachment.attached(DRAFT)
        except urllib.error.HTTPError:
            pass  # the draft is none any more


@schemathesis.deserializer("text/csv")
def csv_file(ctx, response):
    """A rent roll as CSV is a text, whose first line names the columns."""
    text = response.content.decode("utf-8-sig")
    if not text.startswith("street_address,"):
        raise ValueError("the file does not begin with the names of the columns")
    return text


@schemathesis.deserializer("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
def workbook(ctx, response):
    """A workbook is an archive; as a text it is its bytes."""
    if not response.content.startswith(b"PK"):
        raise ValueError("the file is no archive")
    return response.content.decode("latin-1")


@schemathesis.check
def valid_requests_are_accepted(ctx, response, case):
    """positive_data_acceptance, but for what no schema tells: dates stand
    to one another and to today, addresses are public or not."""
    if response.status_code == 400:
        error = response.json()["error"]
        beyond = error["code"] in BEYOND_SCHEMA or (error["param"] or "").split(".")[0] in BEYOND_SCHEMA
        beyond = beyond or "at most two decimals" in error["message"]  # multipleOf 0.01 refuses 19.99
        beyond = beyond or "characters that the document cannot show" in error["message"]  # the font has Latin letters
        beyond = beyond or "where a lease is to be signed" in error["message"]  # an email goes with a lease
        if beyond or "as there is none yet" in error["message"]:  # a merge into nothing must be whole
            return None
    return positive_data_acceptance(ctx, response, case)


@schemathesis.check
def a_refusal_names_its_request(ctx, response, case):
    """The request_id of the envelope is the X-Request-Id of the answer."""
    if response.status_code >= 400:
        assert [response.json()["error"]["request_id"]] == response.headers["x-request-id"]
