import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer as createNetServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouter, type Librarian } from "@constellation/core";
import { createJournal, createSqliteStore } from "@constellation/journal";
import { createServer } from "@constellation/server";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { canBrowse, closeBrowser, openConsole } from "./chromium.js";

afterAll(closeBrowser);

async function findFreePort(): Promise<number> {
  const taken = createNetServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address() as AddressInfo;
  await new Promise((resolve) => taken.close(resolve));
  return port;
}

/** A process of the mesh, at the same port and with the same journal as the one before. */
async function startServer(port: number, librarian: Librarian, file: string | undefined) {
  const journal =
    file === undefined
      ? undefined
      : createJournal({ store: createSqliteStore({ file }), leaseMs: 1_000 });
  const router = createRouter({ journal });
  router.register({ id: "desk", description: "answers", librarian });
  const server = await createServer(router, { journal });
  const { url } = await server.listen({ port });
  const stop = async () => {
    await Promise.all([server.close(), router.close({ timeoutMs: 1 })]);
  };
  return { url, stop };
}

const stuck: Librarian = async (_query, context) => {
  context?.report?.({ text: "So far " });
  return new Promise((_resolve, reject) => {
    context?.signal?.addEventListener("abort", () => reject(context.signal?.reason as Error));
  });
};

describe.skipIf(!canBrowse)("the console page, while its server is started again", () => {
  it.each([
    ["with a journal: the run continues on the page", true],
    ["without one: the run is gone", false],
  ])("%s, and is not shown as running meanwhile", async (_what, hasJournal) => {
    const folder = mkdtempSync(join(tmpdir(), "console-"));
    const file = hasJournal ? join(folder, "journal.db") : undefined;
    const port = await findFreePort();
    const first = await startServer(port, stuck, file);
    const { page } = await openConsole(first.url, { width: 1_200, height: 900 });
    await page.getByLabel("Question").fill("Is it up?");
    await page.keyboard.press("Enter");
    await page.locator("#answer", { hasText: "So far" }).waitFor();
    await page.locator("#run-status", { hasText: "running" }).waitFor();

    await first.stop();
    await page.locator("#problem", { hasText: "cannot be reached" }).waitFor();
    expect(await page.locator("#run-status").textContent()).not.toContain("running");
    expect(await page.locator("#hops").textContent()).not.toContain("running");
    expect(await page.locator("#runs-list").textContent()).not.toContain("running");

    const second = await startServer(port, async () => ({ answer: "It is up." }), file);
    onTestFinished(async () => {
      await second.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    if (hasJournal) {
      await page.locator("#answer", { hasText: "It is up." }).waitFor();
      await page.locator("#run-status", { hasText: "answered" }).waitFor();
      expect(await page.locator("#problem").isHidden()).toBe(true);
    } else {
      await page.locator("#problem", { hasText: "Run not found." }).waitFor();
      expect(await page.locator("#run").isHidden()).toBe(true);
    }
    await page.goto(`${second.url}/#/`);
    await page.getByLabel("Question").fill("And now?");
    await page.keyboard.press("Enter");
    await page.locator("#answer", { hasText: "It is up." }).waitFor();
  });
});
