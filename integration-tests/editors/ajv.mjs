// The verdicts of ajv, with the formats of ajv-formats asserted.
// In: [{schema, values}]. Out: [[verdict]], where a schema that ajv does not take has its message instead.
import { answer, load, request } from "./modules.mjs";

const Latest = load("ajv/dist/2020").default;
const Draft07 = load("ajv").default;
const addFormats = load("ajv-formats").default;

function engine(schema) {
  const Ajv = schema.$schema.includes("2020-12") ? Latest : Draft07;
  const ajv = new Ajv({ strict: false, allErrors: false, logger: false });
  addFormats(ajv);
  return ajv;
}

answer(
  request.map(({ schema, values }) => {
    try {
      const validate = engine(schema).compile(schema);
      return values.map((value) => validate(value));
    } catch (error) {
      return String(error.message);
    }
  }),
);
