// Times ajv's allErrors. Standard input: {"rounds", "cases": [{"schema", "payloads"}]}. Standard output: for each
// payload, case by case, the microseconds that one validation takes and how many errors it gives, as JSON.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(`${process.env.WM_TEST_NODE_FOLDER}/package.json`);
const Ajv = require("ajv").default;
const addFormats = require("ajv-formats").default;
const draft06 = require("ajv/dist/refs/json-schema-draft-06.json");

const { rounds, cases } = JSON.parse(readFileSync(0, "utf8"));

function compile(schema) {
  // Real patterns have lone braces, which are legal without the u flag.
  const ajv = new Ajv({ allErrors: true, strict: false, logger: false, unicodeRegExp: false });
  addFormats(ajv);
  ajv.addMetaSchema(draft06);
  // Taskcluster's own metaschema is draft-06, and its schemas' identifiers are relative.
  const { $id, ...rest } = schema;
  if (rest.$schema?.startsWith("/")) rest.$schema = draft06.$id;
  return ajv.compile(rest);
}

const results = cases.flatMap(({ schema, payloads }) => {
  const validate = compile(schema);
  return payloads.map((payload) => {
    for (let i = 0; i < rounds; i++) validate(payload);
    const start = process.hrtime.bigint();
    for (let i = 0; i < rounds; i++) validate(payload);
    const micros = Number(process.hrtime.bigint() - start) / 1e3 / rounds;
    return { micros, errors: validate.errors?.length ?? 0 };
  });
});
process.stdout.write(JSON.stringify(results));
