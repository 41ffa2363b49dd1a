/** The status: it follows what happens, says who did it, and when nobody answers. */

import { looksRight } from "../fixtures/looks";
import { Registry } from "../fixtures/registry";
import { SERVE, Server } from "../fixtures/server";
import { expect, test } from "../fixtures/test";

test("given a status that is looked at, when a rollout is opened and aborted, then it shows both within seconds", async ({ page, registry }) => {
  const id = "browser/status-rollout";
  await registry.publish(id, { description: "One" });
  await page.goto("/status");
  await expect(page.locator("main")).toContainText("All is well.");
  const rollouts = page.getByRole("table", { name: "Open rollouts" });
  const changes = page.getByRole("table", { name: "Last changes" });
  await registry.publish(id, { description: "Two", rollout: { policy: "lenient", completeAfter: "7d" } });
  await expect(rollouts.getByRole("row").filter({ hasText: id })).toContainText("in 7 days", { timeout: 5_000 });
  await expect(changes).toContainText("rollout of revision 2 started");
  await looksRight(page, "status-rollout");
  await registry.send("POST", `/worker-types/${id}/rollout/abort`, undefined, { "If-Match": "*" });
  await expect(changes.getByRole("row").filter({ hasText: id }).first()).toContainText("rollout aborted: revision 1 is live alone again", { timeout: 5_000 });
  await expect(changes.getByRole("row").filter({ hasText: id }).first()).toContainText("local");
  await expect(rollouts.getByRole("row").filter({ hasText: id })).toHaveCount(0);
});

test("given a status that is looked at, when its server is gone and comes back, then the page says so", async ({ page, watched }) => {
  const server = await Server.start(SERVE);
  try {
    watched.trust(server.url);
    watched.allow(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/);
    await new Registry(() => server.url).publish("browser/one", { description: "One" });
    await page.goto(`${server.url}/status`);
    await server.kill();
    await expect(page.getByText("This server does not answer: what you read is as of")).toBeVisible({ timeout: 15_000 });
    await server.restart();
    await expect(page.getByText("This server does not answer")).toHaveCount(0, { timeout: 25_000 });
  } finally {
    await server.remove();
  }
});
