/** The page on which a definition is changed, checked and published. */

import { CheckPanel } from "./definition/check-panel";
import { definitionCheck, replay } from "./definition/definition-check";
import { type LiveDefinition, liveDefinition } from "./definition/live-definition";
import { outline } from "./definition/outline";
import { PreviewPanel } from "./definition/preview-panel";
import { Publisher } from "./definition/publisher";
import { recordedTasks } from "./definition/recorded-tasks";
import { watch } from "./definition/watch";
import { withField } from "./definition/with-field";
import { workerTypeId } from "./definition/worker-type-id";
import { Refused, tokenForm } from "./page/api";
import { button, el, given } from "./page/dom";
import { Drafts } from "./page/draft";
import { sharedIn } from "./page/share";
import { type Start, Workbench } from "./page/workbench";
import { WorkerTypeNames } from "./page/worker-type-names";
import { SchemaWalk } from "./schema/schema-at";
import type { Schema } from "./schema/schema";
import { stringUnder } from "./source/tree";

const FIRST = `description: What it is for, in one line.
owner: you@example.com
documentation: |
  # Name of the worker type

  What authors read first.
validation: warn
variants:
  - name: default
    payloadSchema:
      $schema: http://json-schema.org/draft-07/schema#
      type: object
      properties: {}
`;

const mount = document.querySelector<HTMLElement>("#definition-editor");
if (mount !== null) void open(mount);

/** Fetches what is live, which may need a token first. */
async function open(mount: HTMLElement): Promise<void> {
  const api = given(mount, "worker-manager");
  const id = given(mount, "worker-type");
  try {
    const live = given(mount, "new") === "" ? await liveDefinition(api, id) : null;
    const shared = await sharedIn(location.hash);
    new Page(mount, api, live, shared === null ? begin(live) : { ...shared, explicit: true });
  } catch (error) {
    const again = (): void => void open(mount);
    const words = error instanceof Error ? error.message : String(error);
    mount.replaceChildren(error instanceof Refused && error.wantsToken !== null
      ? tokenForm(error.wantsToken, error.message, again)
      : el("p", { class: "notice alert", role: "alert" }, `The definition could not be read: ${words}. `, button("Try again", again)));
  }
}

function begin(live: LiveDefinition | null): Start {
  return { text: live?.text("yaml") ?? FIRST, language: "yaml", explicit: false };
}

class Page {
  private readonly bench: Workbench;
  private readonly panel: CheckPanel;
  private readonly preview: PreviewPanel;
  private readonly drafts: Drafts;
  private readonly merging = el("div");
  private readonly id: () => string;

  constructor(mount: HTMLElement, private readonly api: string, private live: LiveDefinition | null, start: Start) {
    const named = workerTypeId(given(mount, "worker-type"), live === null, () => this.bench.checking.soon());
    this.id = named.id;
    const queue = given(mount, "queue");
    this.drafts = new Drafts("definition", given(mount, "worker-type"));
    this.panel = new CheckPanel(queue === "" || live === null ? null : () => this.replay(queue));
    this.preview = new PreviewPanel(() => this.bench.source, this.id);
    const walk = new SchemaWalk(JSON.parse(given(mount, "schema")) as Schema);
    const names = new WorkerTypeNames(api);
    const holder = el("div");
    mount.replaceChildren(...(named.element === null ? [] : [named.element]), holder);
    this.bench = new Workbench(holder, {
      label: "Definition",
      start,
      drafts: this.drafts,
      base: live?.generation ?? "",
      assistance: { schema: () => walk, names: async (path) => (path.join("/") === "lifecycle/replacedBy" ? names.all() : []) },
      check: definitionCheck(api, this.id, (report) => this.panel.show(report)),
      edited: () => this.preview.soon(),
    });
    this.bench.bar.append(button("Insert an outline", () => this.insertOutline()));
    const publisher = new Publisher({
      api, bench: this.bench, id: this.id, generation: () => this.bench.base, hidesPool: () => this.live?.hidesPool === true, breaks: (compatibility) => this.panel.show({ compatibility }), lost: () => this.lost(), done: () => this.done(),
    });
    mount.append(publisher.element, this.merging, this.panel.element, this.preview.element);
    if (live !== null) void watch(api, this.id(), (event) => this.changed(event.generation, event.revision));
    this.stale();
    this.warnOfPool(mount);
  }

  /** Publishing a text without the pool would remove it. */
  private warnOfPool(mount: HTMLElement): void {
    if (this.live?.hidesPool !== true) return;
    const why = "This worker type has a pool configuration that you may not see. It is missing from the text, and publishing would remove it. Use a token that may see it.";
    this.bench.notices.say("pool", "alert", tokenForm("/api/worker-manager", why, () => void open(mount)));
  }

  /** A draft may be older than what is live. */
  private stale(): void {
    if (this.live !== null && this.bench.base !== this.live.generation) this.othersChange(this.live.revision);
  }

  private changed(generation: number | undefined, revision: number | undefined): void {
    if (generation === undefined || generation <= Number(this.bench.base)) return;
    this.othersChange(String(revision ?? ""));
    // What it would break is asked about what is live now.
    this.bench.checking.soon(0);
  }

  private othersChange(revision: string): void {
    const what = revision === "" ? "What is live was changed" : `Revision ${revision} was published`;
    this.bench.notices.say("other", "note", `${what} since you began. Your text is left alone. `, button("Show both", () => void this.lost()));
  }

  /** Shows what is live now beside the text. */
  private async lost(): Promise<void> {
    const [{ mergePanel }, live] = await Promise.all([import("./definition/merge-panel"), liveDefinition(this.api, this.id())]);
    this.live = live;
    this.bench.notices.clear("other");
    const why = live.message === "" ? "" : `: “${live.message}”`;
    this.merging.replaceChildren(mergePanel({
      theirs: live.text(this.bench.editor.language),
      mine: this.bench.editor.text,
      language: this.bench.editor.language,
      title: `Revision ${live.revision} by ${live.publishedBy} was published before yours${why}`,
      use: (text) => this.merged(text, live),
      close: () => this.merging.replaceChildren(),
    }));
    this.merging.scrollIntoView({ block: "start" });
  }

  private merged(text: string, live: LiveDefinition): void {
    this.bench.base = live.generation;
    this.bench.write(text, this.bench.editor.language);
    this.merging.replaceChildren();
    this.bench.notices.say("publish", "note", `The text is now a change of revision ${live.revision}. Check it, then publish it again.`);
    this.bench.editor.view.focus();
  }

  private async replay(queue: string) {
    const tasks = await recordedTasks(queue, this.id());
    if (tasks.length === 0) return "The queue has recorded no task of this worker type yet.";
    return (await replay(this.api, this.id(), this.bench.source, tasks)) ?? "Tasks are held against it once the gate lets it pass.";
  }

  private insertOutline(): void {
    const { root, faults } = this.bench.source;
    if (faults.length > 0) {
      this.bench.notices.say("outline", "alert", "The outline is inserted once the text has no errors of syntax (F8 leads there).");
      return;
    }
    const before = stringUnder(root, "documentation")?.trimEnd() ?? "";
    const words = outline(this.id(), root);
    const text = before === "" ? words : `${before}\n\n${words}`;
    const { language } = this.bench.editor;
    this.bench.write(withField(root, "documentation", `${text}\n`, language), language);
    this.bench.notices.say("outline", "note", "The headings stand in documentation, below what was there. Ctrl+Z takes them out again.");
  }

  private done(): void {
    this.drafts.discard();
    location.assign(`/worker-types/${this.id()}`);
  }
}
