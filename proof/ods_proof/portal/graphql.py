"""What the portal asks of Dagster, in GraphQL over HTTP: no Dagster is imported."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any, TypeAlias

from .backend import Down

Json: TypeAlias = "dict[str, Any]"
_PATIENCE = 10.0
_JSON = {"Content-Type": "application/json", "Accept": "application/json"}
_RUN_FIELDS = "runId status creationTime startTime endTime tags { key value } runConfigYaml"
_ENTRIES = "metadataEntries { label ... on JsonMetadataEntry { jsonString } }"

WHERE = """query { repositoriesOrError { __typename
  ... on RepositoryConnection { nodes { name location { name } jobs { name } } }
  ... on PythonError { message } } }"""
OPS = """query ($job: PipelineSelector!) { pipelineOrError(params: $job) { __typename
  ... on Pipeline { solids { name } } ... on PythonError { message } } }"""
ENGINES = f"""query ($key: AssetKeyInput!) {{ assetNodeOrError(assetKey: $key) {{ __typename
  ... on AssetNode {{ {_ENTRIES} }} }} }}"""
RUNS = f"""query ($filter: RunsFilter!, $limit: Int!) {{
  runsOrError(filter: $filter, limit: $limit) {{ __typename
    ... on Runs {{ results {{ {_RUN_FIELDS} }} }} ... on PythonError {{ message }} }} }}"""
RUN = f"""query ($id: ID!, $after: String) {{
  runOrError(runId: $id) {{ __typename ... on Run {{ {_RUN_FIELDS} }}
    ... on PythonError {{ message }} }}
  logsForRun(runId: $id, afterCursor: $after) {{ __typename
    ... on EventConnection {{ cursor hasMore events {{ __typename
      ... on MessageEvent {{ timestamp }}
      ... on ObservationEvent {{ {_ENTRIES} }}
      ... on AssetCheckEvaluationEvent {{ evaluation {{ {_ENTRIES} }} }}
      ... on ExecutionStepFailureEvent {{ error {{ message }} }}
      ... on RunFailureEvent {{ message }}
    }} }}
    ... on PythonError {{ message }} }} }}"""
LAUNCH = """mutation ($given: ExecutionParams!) { launchRun(executionParams: $given) { __typename
  ... on LaunchRunSuccess { run { runId } }
  ... on PythonError { message }
  ... on RunConfigValidationInvalid { errors { message } } } }"""
TERMINATE = """mutation ($id: String!, $how: TerminateRunPolicy!) {
  terminateRun(runId: $id, terminatePolicy: $how) { __typename
    ... on TerminateRunFailure { message } ... on PythonError { message } } }"""


@dataclass(frozen=True, slots=True)
class GraphQL:
    """A Dagster webserver by its address."""

    url: str

    def ask(self, query: str, **variables: object) -> Json:
        """Return the data of an answer; raise Down where there is none."""
        asked = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(f"{self.url}/graphql", asked, _JSON)
        try:
            with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:
                found = json.loads(answer.read())
        except (OSError, ValueError) as error:  # of the network, of HTTP, of JSON
            raise Down("Dagster does not answer") from error
        if found.get("errors") or not isinstance(found.get("data"), dict):
            said = str(found.get("errors") or "no data")[:300]
            raise Down(f"Dagster did not answer as it should: {said}")
        data: Json = found["data"]
        return data


def of_type(found: Json, wanted: str) -> Json:
    """Return a part of an answer; raise Down where Dagster gives an error in its place."""
    if found["__typename"] != wanted:
        said = str(found.get("message") or found.get("errors") or "").strip()[:300]
        raise Down(f"Dagster answered {found['__typename']}" + (f": {said}" if said else ""))
    return found


def entry(entries: list[Json], label: str) -> Any:
    """Return the JSON value of a metadata entry, or None."""
    for found in entries:
        if found["label"] == label and found.get("jsonString"):
            return json.loads(found["jsonString"])
    return None
