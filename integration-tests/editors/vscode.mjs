// What VS Code's JSON service offers and marks.
// In: {schema, documents: [{text, offset?}]}. Out: [{problems: [{message, text}], offers: [label]}].
import { answer, load, request } from "./modules.mjs";

const { getLanguageService, TextDocument } = load("vscode-json-languageservice");

const service = getLanguageService({});
const schema = "https://example.com/task-schema";
service.configure({ validate: true, schemas: [{ uri: schema, fileMatch: ["*.task.json"], schema: request.schema }] });

const answers = [];
for (const [index, { text, offset }] of request.documents.entries()) {
  const document = TextDocument.create(`file:///${index}.task.json`, "json", 1, text);
  const parsed = service.parseJSONDocument(document);
  const problems = await service.doValidation(document, parsed, { schemaValidation: "error" });
  const offers = offset === undefined ? null : await service.doComplete(document, document.positionAt(offset), parsed);
  answers.push({
    problems: problems.map(({ message, range }) => ({ message, text: document.getText(range) })),
    offers: (offers?.items ?? []).map(({ label }) => label),
  });
}
answer(answers);
