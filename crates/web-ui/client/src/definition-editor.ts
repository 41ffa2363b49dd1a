/** The page on which a definition is changed, checked and published. */

import { CheckPanel } from "./definition/check-panel";
import { definitionCheck, isRolling, replay } from "./definition/definition-check";
import { type LiveDefinition, liveDefinition } from "./definition/live-definition";
import { OthersChange } from "./definition/others-change";
import { outline } from "./definition/outline";
import { PreviewPanel } from "./definition/preview-panel";
import { type Published, Publisher } from "./definition/publisher";
import { Releases } from "./definition/releases";
import { recordedTasks } from "./definition/recorded-tasks";
import type { CheckReport } from "./definition/shapes";
import { TEMPLATE } from "./definition/template";
import { cursorNow, watch } from "./definition/watch";
import { withField, withNode } from "./definition/with-field";
import { workerTypeId } from "./definition/worker-type-id";
import type { Named } from "./editor/assistance";
import { Refused, tokenForm } from "./page/api";
import { UNKNOWN } from "./page/change-words";
import { button, el, given } from "./page/dom";
import { Drafts } from "./page/draft";
import { nameOf, sharedIn } from "./page/share";
import { type Start, Workbench } from "./page/workbench";
import { WorkerTypeNames } from "./page/worker-type-names";
import { SchemaWalk } from "./schema/schema-at";
import type { Schema } from "./schema/schema";
import { type Segment, pairOf, stringUnder } from "./source/tree";

const mount = document.querySelector<HTMLElement>("#definition-editor");
if (mount !== null) void open(mount);

let opened: Page | null = null;

/** Fetches what is live, which may need a token first. Opened once more, with another token, the page takes the earlier one's place. */
async function open(mount: HTMLElement): Promise<void> {
  const api = given(mount, "worker-manager");
  const id = given(mount, "worker-type");
  try {
    const isNew = given(mount, "new") !== "";
    const cursor = isNew ? null : await cursorNow(api).catch(() => null);
    const live = isNew ? null : await liveDefinition(api, id);
    const shared = await sharedIn(location.hash);
    opened?.end();
    opened = new Page(mount, api, live, cursor, shared === null ? begin(live) : { ...shared, origin: `link:${nameOf(location.hash)}`, called: "what the link brought" });
  } catch (error) {
    opened?.end();
    opened = null;
    const again = (): void => void open(mount);
    const words = error instanceof Error ? error.message : String(error);
    mount.replaceChildren(error instanceof Refused && error.wantsToken !== null
      ? tokenForm(error.wantsToken, error.message, again)
      : el("p", { class: "notice alert", role: "alert" }, `The definition could not be read: ${words}. `, button("Try again", again)));
  }
}

function begin(live: LiveDefinition | null): Start {
  return { text: live?.text("yaml") ?? TEMPLATE, language: "yaml", origin: "", called: live === null ? "the template" : "what is live" };
}

/** Worker types and releases, where a definition names one. */
async function namesFor(workerTypes: WorkerTypeNames, releases: Releases, path: readonly Segment[]): Promise<readonly Named[]> {
  if (path.join("/") === "lifecycle/replacedBy") return workerTypes.all();
  return path.length === 3 && path[0] === "variants" && path[2] === "release" ? releases.names() : [];
}

class Page {
  private readonly bench: Workbench;
  private readonly panel: CheckPanel;
  private readonly preview: PreviewPanel;
  private readonly publisher: Publisher;
  private readonly others: OthersChange;
  private readonly id: () => string;
  private readonly unwatch: () => void;

  /** `cursor` is the place in the change feed from before `live` was read. */
  constructor(mount: HTMLElement, private readonly api: string, private live: LiveDefinition | null, cursor: string | null, start: Start) {
    const named = workerTypeId(api, given(mount, "worker-type"), live === null, () => this.bench.checking.soon());
    this.id = named.id;
    const queue = given(mount, "queue");
    this.panel = new CheckPanel(queue === "" || live === null ? null : () => this.replay(queue));
    this.preview = new PreviewPanel(() => this.bench.source, this.id);
    const walk = new SchemaWalk(JSON.parse(given(mount, "schema")) as Schema);
    const names = new WorkerTypeNames(api);
    const releases = new Releases(api);
    const holder = el("div");
    mount.replaceChildren(...(named.element === null ? [] : [named.element]), holder);
    this.bench = new Workbench(holder, {
      label: "Definition",
      start,
      drafts: (origin) => new Drafts("definition", given(mount, "worker-type"), origin),
      base: live?.generation ?? "",
      partial: live?.hidesPool === true,
      assistance: { schema: () => walk, names: (path) => namesFor(names, releases, path), inside: (root, path) => releases.inside(root, path) },
      check: definitionCheck(api, this.id, (report) => this.checked(report)),
      edited: () => this.preview.soon(),
      taken: () => {
        this.stale();
        this.addPool();
      },
    });
    this.others = new OthersChange({ bench: this.bench, read: () => this.read() });
    this.bench.bar.append(button("Insert an outline", () => this.insertOutline()));
    this.publisher = new Publisher({
      api, bench: this.bench, id: this.id, refusal: named.refusal, generation: () => this.bench.base, lacksPool: () => this.bench.partial, breaks: (compatibility) => this.panel.show({ compatibility }), lost: () => this.others.show(), done: (published) => this.done(published),
    });
    mount.append(this.publisher.element, this.others.element, this.panel.element, this.preview.element);
    this.unwatch = live === null ? () => undefined : watch(api, this.id(), cursor, (change) => this.others.hear(change));
    this.stale();
    this.warnOfPool(mount);
    this.addPool();
  }

  /** Ends what goes on by itself. */
  end(): void {
    this.unwatch();
    this.others.end();
    this.preview.end();
    this.bench.end();
  }

  private checked(report: CheckReport): void {
    this.panel.show(report);
    // A text that could not be read was not asked about.
    if (report.gate.ok || report.gate.errors.length > 0) this.publisher.offerReplacement(isRolling(report));
  }

  /** Publishing a text without the pool would remove it. */
  private warnOfPool(mount: HTMLElement): void {
    if (this.live?.hidesPool !== true) return;
    const why = "This worker type has a pool configuration that you may not see. It is missing from the text, and publishing would remove it. Use a token that may see it.";
    this.bench.notices.say("pool", "alert", tokenForm("/api/worker-manager", why, () => void open(mount)));
  }

  /** What was written without sight of the pool gets it back from whoever may see it: publishing would remove it. */
  private addPool(): void {
    const { bench, live } = this;
    if (!bench.partial || live === null || live.hidesPool) return;
    const { root, faults } = bench.source;
    if (live.pool !== null && pairOf(root, "pool") === undefined) {
      const added = faults.length > 0 ? null : withNode(bench.editor.text, root, "pool", live.pool, bench.editor.language);
      if (added === null) {
        bench.notices.say("pool", "alert", "This draft was written without sight of the pool configuration. Mend its errors, then ", button("add the pool that is live", () => this.addPool()));
        return;
      }
      bench.write(added, bench.editor.language);
      bench.notices.say("pool", "note", "This draft was written without sight of the pool configuration: the one that is live was added to it, so that publishing does not remove it.");
    } else {
      bench.notices.clear("pool");
    }
    bench.partial = false;
    bench.rebase(bench.base);
  }

  /** A draft may be older than what is live. */
  private stale(): void {
    if (this.live !== null && this.bench.base !== this.live.generation) this.others.changed({ kind: UNKNOWN, revision: Number(this.live.revision) });
  }

  private async read(): Promise<LiveDefinition> {
    this.live = await liveDefinition(this.api, this.id());
    return this.live;
  }

  private async replay(queue: string) {
    if (this.bench.source.faults.length > 0) return "Tasks are held against it once its errors of syntax are mended (F8 leads there).";
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
    const written = withField(this.bench.editor.text, root, "documentation", `${text}\n`, language);
    if (written === null) {
      this.bench.notices.say("outline", "alert", "The outline is inserted once the text has fields: key: value, or { … } in JSON.");
      return;
    }
    this.bench.write(written, language);
    this.bench.notices.say("outline", "note", "The headings stand in documentation, below what was there. Ctrl+Z takes them out again.");
  }

  private done({ id, generation, revision, text }: Published): void {
    const { bench } = this;
    if (bench.editor.text === text) {
      bench.forgetDraft();
      location.assign(`/worker-types/${id}`);
      return;
    }
    // A button may have changed the text meanwhile: that is kept, as a change of what is live now.
    bench.notices.clear("other");
    bench.rebase(String(generation));
    bench.notices.say("publish", "alert", `Published as revision ${revision}, without what was changed meanwhile. That is kept here. `, el("a", { href: `/worker-types/${id}` }, "Show the page"));
  }
}
