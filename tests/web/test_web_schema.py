"""Whatever the OpenAPI document allows, and much that it does not: never an error of the server's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import Phase, settings
from schemathesis.checks import not_a_server_error

from plyground.web.app import create_app
from plyground.web.security.quotas import Quotas
from serving import Serving, serving

MANY = 10**6
UNHURRIED = Quotas(
    workers=1,
    move_seconds=0.05,
    messages_per_second=MANY,
    messages_burst=MANY,
    messages_per_second_of_address=MANY,
    messages_burst_of_address=MANY,
    games_per_client=MANY,
    games_per_address=MANY,
)

PHASES = (Phase.explicit, Phase.generate)

document = create_app().openapi()
schema = schemathesis.openapi.from_dict(document)


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with serving(quotas=UNHURRIED) as running:
        yield running


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as made:
        yield made


PATIENT_SECONDS = 120
"""How long an answer may take on a busy machine."""


def check_answer(case: schemathesis.Case[Any], server: Serving, session: requests.Session) -> None:
    answer = case.call(base_url=server.url, session=session, timeout=PATIENT_SECONDS)
    case.validate_response(answer, checks=[not_a_server_error])


@schema.exclude(path="/api/workbench/match").parametrize()  # whole matches: tried below, and in test_workbench.py
@settings(max_examples=6, derandomize=True, deadline=None, phases=PHASES)
def test_no_request_makes_the_server_fail(
    case: schemathesis.Case[Any], server: Serving, session: requests.Session
) -> None:
    check_answer(case, server, session)


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=60, derandomize=True, deadline=None, phases=PHASES)
def test_no_request_makes_the_server_fail_however_many_are_tried(
    case: schemathesis.Case[Any], server: Serving, session: requests.Session
) -> None:
    check_answer(case, server, session)


def test_the_document_describes_every_operation_and_its_errors() -> None:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], path
            if method == "post" or "{" in path:
                assert {"404", "422", "429", "503"} <= operation["responses"].keys(), path
