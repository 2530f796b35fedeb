import type { Librarian } from "@constellation/core";
import { afterAll, describe, expect, it } from "vitest";
import {
  askOnPage,
  axeViolations,
  canBrowse,
  closeBrowser,
  inPage,
  keepScreenshots,
  openConsole,
  untilDrawn,
  untilKept,
} from "./chromium.js";
import { ask, desk, k8s } from "./console-mesh.js";
import { echo, serveMesh } from "./served-mesh.js";

describe.skipIf(!canBrowse)("the look of the console page", () => {
  afterAll(closeBrowser);

  it("stays smooth with 500 hops, live and kept", async () => {
    const crowd: Librarian = async () => ({
      delegate: Array.from({ length: 20 }, (_, index) => ({ to: `team-${index}` })),
    });
    const team: Librarian = async () => ({
      delegate: Array.from({ length: 24 }, (_, index) => ({ to: `worker-${index}` })),
    });
    const worker: Librarian = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { answer: "done" };
    };
    const many = (name: string, count: number, librarian: Librarian) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`${name}-${index}`, librarian]),
      );
    const mesh = await serveMesh(
      { crowd, ...many("team", 20, team), ...many("worker", 24, worker) },
      {},
      { maxHops: 600, maxFanout: 100, fanoutConcurrency: 8 },
    );
    const { page, problems } = await openConsole(mesh.url);
    await inPage(page, "watchChanges()");

    await page.getByLabel("Question").fill("everybody");
    await page.keyboard.press("Enter");
    await page.locator("#run-status", { hasText: "501 hops" }).waitFor();
    await page.locator("#run-status", { hasText: "answered" }).waitFor();
    await untilKept(page);

    expect(await page.getByRole("treeitem").count()).toBe(501);
    // Once a frame for those that run: painting after each event changes it some 400 times a hop.
    expect(await inPage(page, "watched.changes")).toBeLessThan(501 * 60);
    await page.reload();
    await page.getByRole("treeitem").nth(500).waitFor();
    expect(problems).toEqual([]);
  });

  it.each([
    ["light", false],
    ["dark", true],
  ])("can be read in %s: every text has a contrast of 4.5 or more", async (_scheme, dark) => {
    const mesh = await serveMesh({ desk, k8s, docs: echo });
    const { page } = await openConsole(mesh.url, { dark });
    await askOnPage(page, "Why?");

    const asked = await inPage(page, "faintTexts()");
    await page.getByRole("link", { name: "Mesh" }).click();
    await page.locator(".node").first().waitFor();
    await untilDrawn(page);
    const meshed = await inPage(page, "faintTexts()");

    expect(asked).toEqual({ looked: expect.any(Number), faint: [] });
    expect(asked).not.toMatchObject({ looked: 0 });
    expect(meshed).toMatchObject({ faint: [] });
  });

  it.each([
    { dark: false, width: 1_440 },
    { dark: true, width: 390 },
  ])("has no violation that axe knows in any view, $width wide, dark $dark", async (screen) => {
    const mesh = await serveMesh({ desk, k8s, docs: echo }, { recordContent: true });
    const ids = [await ask(mesh, "one"), await ask(mesh, "two")];
    const views = [
      "",
      "#/overview",
      "#/mesh",
      `#/run/${ids[0]}`,
      `#/compare/${ids.join("/")}`,
      "#/run/none",
    ];
    const names = ["ask", "overview", "mesh", "run", "compare", "problem"];
    const ready = [
      "#runs-list li",
      ".figure",
      ".librarians li",
      "#answer p",
      ".pairs",
      ".problem strong",
    ];
    for (const [index, path] of views.entries()) {
      const { page } = await openConsole(mesh.url, { path, ...screen });
      await page
        .locator(ready[index] ?? "")
        .first()
        .waitFor({ state: "attached" });

      expect({ path, violations: await axeViolations(page) }).toEqual({ path, violations: [] });
      await keepScreenshots(page, `${names[index]}-${screen.width < 760 ? "phone" : "desktop"}`);
      await page.close();
    }
  });

  it("fits a phone, without scrolling sideways", async () => {
    const mesh = await serveMesh({ desk, k8s, docs: echo });
    const { page } = await openConsole(mesh.url, { width: 390 });
    await askOnPage(page, "Why?");

    expect(await inPage(page, "pageWidth()")).toBeLessThanOrEqual(390);
    await page.getByRole("link", { name: "Mesh" }).click();
    await page.locator(".librarians li").first().waitFor();
    await untilDrawn(page);
    expect(await inPage(page, "pageWidth()")).toBeLessThanOrEqual(390);
  });

  it("gives every control a name", async () => {
    const mesh = await serveMesh({ desk, k8s, docs: echo });
    await mesh.router.ask("once");
    const { page } = await openConsole(mesh.url);
    await page.locator(".runs li").waitFor();

    expect(await inPage(page, "namelessControls()")).toEqual([]);
  });
});
