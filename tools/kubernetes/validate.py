"""Validates JSON documents, and prints the faults as JSON (tools/kubernetes/schemas.mjs).

Input: {"version": "1.34", "objects": [<Kubernetes object>...], "documents": [{"schema": <JSON schema>, "document": <any>}...]}
Output: {"objects": [[<fault>...]...], "documents": [[<fault>...]...]}, in the order of the input.
"""

import functools
import json
import sys

import jsonschema
import kubernetes_validate
from kubernetes_validate import utils

# The package reads its definitions, which are megabytes, anew for every object.
utils.schema_contents = functools.lru_cache(maxsize=None)(utils.schema_contents)
utils.all_versions = functools.lru_cache(maxsize=None)(utils.all_versions)


def fault_of(error):
    path = ".".join(str(item) for item in error.absolute_path)
    return f"{path or 'the whole'}: {error.message[:300]}"


def faults_of_object(item, version):
    try:
        utils.validate(item, version, strict=True)
    except kubernetes_validate.ValidationError as error:
        return [fault_of(error)]
    except kubernetes_validate.SchemaNotFoundError as error:
        return [error.message]
    return []


def faults_of_document(schema, document):
    validator = jsonschema.validators.validator_for(schema)(schema)
    error = jsonschema.exceptions.best_match(validator.iter_errors(document))
    return [fault_of(error)] if error else []


given = json.load(sys.stdin)
json.dump(
    {
        "objects": [faults_of_object(item, given["version"]) for item in given["objects"]],
        "documents": [faults_of_document(**each) for each in given["documents"]],
    },
    sys.stdout,
)
