"""validate.py SCHEMA FILE: fails with the first line of FILE that does not fit the JSON schema."""
import json
import sys

import jsonschema

schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
lines = 0
for number, line in enumerate(open(sys.argv[2]), 1):
    document = json.loads(line)
    kind = document.get("kind")
    error = jsonschema.exceptions.best_match(validator.iter_errors(document))
    if error:
        # What is wrong with a line of this kind says more than that none of all kinds fits.
        own = {"$ref": "#/$defs/" + str(kind), "$defs": schema["$defs"]}
        if kind in schema["$defs"]:
            error = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(own).iter_errors(document)) or error
        sys.exit(f"{sys.argv[2]}:{number}: {'/'.join(map(str, error.path))}: {error.message[:300]}")
    lines += 1
if lines == 0:
    sys.exit(f"{sys.argv[2]} is empty")
