import type { Librarian } from "@constellation/core";
import { createJournal, createMemoryStore } from "@constellation/journal";
import type { ServerOptions } from "@constellation/server";
import { afterAll, describe, expect, it, vi } from "vitest";
import {
  axeViolations,
  canBrowse,
  closeBrowser,
  inPage,
  keepScreenshots,
  openConsole,
  untilDrawn,
} from "./chromium.js";
import { ask } from "./console-mesh.js";
import { echo, serveMesh } from "./served-mesh.js";

afterAll(closeBrowser);

describe.skipIf(!canBrowse)("the list of runs on the console page", () => {
  it("is searched, filtered, and continued page by page", async () => {
    const mesh = await serveMesh({
      echo,
      lost: async () => ({ error: { code: "NOT_FOUND", message: "nothing" } }),
    });
    for (let index = 0; index < 60; index++) await mesh.router.ask(`question ${index}`);
    await mesh.router.ask("where is it?", { to: "lost" });
    const { page, problems } = await openConsole(mesh.url);
    const lines = page.locator("#runs-list li");

    await lines.nth(49).waitFor();
    await page.getByRole("button", { name: "Older runs" }).click();
    await lines.nth(60).waitFor();
    await page.getByLabel("Outcome of runs").selectOption("unanswered");
    await page.locator("#runs-list", { hasText: "where is it?" }).waitFor();
    await expect.poll(() => lines.count(), { timeout: 20_000 }).toBe(1);
    await page.getByLabel("Outcome of runs").selectOption("");
    await page.getByLabel("Search runs").fill("question 17");
    await expect
      .poll(() => lines.allInnerTexts())
      .toEqual([expect.stringContaining("question 17")]);
    await page.getByLabel("Search runs").fill("nothing like it");
    await page.getByText("No run matches.").waitFor();
    expect(problems).toEqual([]);
  });

  it("opens on a phone from the head of the page", async () => {
    const mesh = await serveMesh({ echo });
    await mesh.router.ask("asked elsewhere");
    const { page } = await openConsole(mesh.url, { width: 390 });
    const link = page.getByRole("link", { name: /asked elsewhere/ });

    await page.getByRole("button", { name: "Runs" }).click();
    await link.click();
    await page.getByText("You asked: asked elsewhere").waitFor();

    await expect.poll(() => link.isVisible()).toBe(false);
  });
});

describe.skipIf(!canBrowse)("the overview on the console page", () => {
  it("counts runs, lists those of a librarian by a click, and keeps what one thinks of an answer", async () => {
    const mesh = await serveMesh({
      echo,
      lost: () => Promise.reject(new Error("It is lost.")),
    });
    for (let index = 0; index < 5; index++) await mesh.router.ask(`question ${index}`);
    await mesh.router.ask("where is it?", { to: "lost" });
    const { page, problems } = await openConsole(mesh.url, { path: "#/overview", width: 1_440 });
    await page.locator(".figures tbody tr").nth(1).waitFor();

    expect(await page.locator(".figure", { hasText: "Runs" }).innerText()).toContain("6");
    expect(await page.locator(".figures tbody th").allInnerTexts()).toEqual([
      "lost",
      "echo",
      "(none)",
    ]);
    expect(await page.locator(".chart-runs").count()).toBe(24);
    await page.getByRole("button", { name: "lost" }).click();
    const lines = page.locator("#runs-list a");
    await expect.poll(() => lines.count(), { timeout: 20_000 }).toBe(1);
    await lines.first().click();
    await page.getByText("Clear").click();
    await expect.poll(() => lines.count(), { timeout: 20_000 }).toBe(6);
    await lines.nth(1).click();
    await page.getByRole("button", { name: "Bad answer" }).click();
    await page.getByLabel("Note on the answer").fill("It only repeats.");
    await page.getByRole("button", { name: "Save note" }).click();

    await expect
      .poll(async () => (await mesh.fetch("/runs/cases")).text(), { timeout: 20_000 })
      .toContain("thumbs-down");
    expect(problems).toEqual([]);
  });
});

describe.skipIf(!canBrowse)("datasets on the console page", () => {
  it("are made of runs, asked again, and show the answers side by side", async () => {
    let isBroken = false;
    const desk: Librarian = async (query) => {
      if (isBroken) throw new Error("It is broken.");
      return { answer: `You asked: ${query}` };
    };
    const mesh = await serveMesh({ desk });
    const ids = [await ask(mesh, "one?"), await ask(mesh, "two?")];
    const { page, problems } = await openConsole(mesh.url, { path: `#/run/${ids[0]}` });
    await page.getByLabel("Name of the dataset").fill("smoke");
    await page.getByRole("button", { name: "Keep as case" }).click();
    await page.getByRole("link", { name: "smoke" }).waitFor();
    await mesh.fetch(`/runs/${ids[1]}/dataset`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "smoke" }),
    });
    isBroken = true;
    await page.getByRole("link", { name: "smoke" }).click();
    await page.getByRole("button", { name: "Ask all again" }).click();

    const sums = page.locator("#dataset-table tfoot td");
    await sums.filter({ hasText: "0 of 2 answered" }).waitFor();
    expect(await page.locator("#dataset-table tbody th").allInnerTexts()).toEqual(["one?", "two?"]);
    expect(await sums.first().innerText()).toContain("2 of 2 answered");
    expect(await page.locator("#dataset-table tbody td").allInnerTexts()).toEqual([
      expect.stringContaining("answered"),
      expect.stringContaining("failed"),
      expect.stringContaining("answered"),
      expect.stringContaining("failed"),
    ]);
    await page.locator("#dataset-news:empty").waitFor({ state: "attached" });
    await untilDrawn(page);
    expect(await axeViolations(page)).toEqual([]);
    await keepScreenshots(page, "datasets");
    await page.locator("#dataset-table tbody a", { hasText: "failed" }).first().click();
    await page.getByText("The answers differ.").waitFor();
    await page.goto(`${mesh.url}/#/run/${ids[0]}`);
    await page.getByRole("button", { name: "Take out" }).click();
    await page.getByRole("button", { name: "Keep as case" }).waitFor();
    expect(problems).toEqual([]);
  });
});

describe.skipIf(!canBrowse)("threads on the console page", () => {
  it("begin with a question, go on in what was said, and are renamed and deleted", async () => {
    const journal = createJournal({ store: createMemoryStore() });
    const recalling: Librarian = async (query, context) => ({
      answer: `${query} after ${context?.thread?.turns.length}`,
    });
    const mesh = await serveMesh({ recalling }, { journal }, { journal });
    const { page, problems } = await openConsole(mesh.url, { path: "#/threads", width: 390 });
    const ask = async (question: string, answer: string) => {
      await page.getByLabel("Ask in this thread").fill(question);
      await page.locator("#thread-send").click();
      await page.getByText(answer).waitFor();
    };

    await ask("Is checkout healthy?", "Is checkout healthy? after 0");
    await ask("And payments?", "And payments? after 1");
    expect(await inPage(page, "pageWidth()")).toBeLessThanOrEqual(390);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel("Title of the thread").fill("Health");
    await page.getByLabel("Title of the thread").blur();
    await page.locator("#threads-list", { hasText: "Health" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete for good" }).click();
    await page.getByText("No threads yet.").waitFor();
    expect(problems).toEqual([]);
  });
});

describe.skipIf(!canBrowse)("the mesh on the console page", () => {
  /** Librarians of some teams, each with a few delegates. */
  async function largeMesh(count: number, options: ServerOptions = {}) {
    const mesh = await serveMesh({ echo }, options);
    for (let index = 0; index < count; index++) {
      mesh.router.register({
        id: `l-${index}`,
        description: `knows topic ${index}`,
        team: `team-${index % 8}`,
        librarian: echo,
        delegatesTo: [0, 3, 7].map((step) => `l-${(index * 5 + step) % count}`),
      });
    }
    return mesh;
  }

  it("with 40 librarians is a graph whose edges cross no box, and a list by team", async () => {
    const mesh = await largeMesh(40);
    const { page, problems } = await openConsole(mesh.url, { path: "#/mesh", width: 1_440 });
    await page.locator(".node").nth(40).waitFor();

    expect(await inPage(page, "edgesThroughBoxes()")).toEqual([]);
    expect(await page.locator("details.team[open]").count()).toBe(9);
    await page.getByLabel("Search librarians").fill("topic 17");
    expect(await page.locator(".librarians li").allInnerTexts()).toEqual([
      expect.stringContaining("knows topic 17"),
    ]);
    expect(await page.locator("#mesh-count").innerText()).toBe("1 of 41 librarians");
    expect(await page.locator(".node:not(.faint)").count()).toBe(1);
    const widthOf = async () =>
      (await page.locator(".node rect").first().boundingBox())?.width ?? 0;
    const before = await widthOf();
    await page.getByRole("button", { name: "Zoom in on the graph" }).click();
    expect((await widthOf()) / before).toBeCloseTo(1.5);
    await page.getByRole("button", { name: "Zoom out of the graph" }).click();
    expect(await widthOf()).toBeCloseTo(before);
    const leftOf = async () => (await page.locator(".node rect").first().boundingBox())?.x ?? 0;
    const left = await leftOf();
    const frame = await page.locator("#graph").boundingBox();
    await page.mouse.move((frame?.x ?? 0) + 5, (frame?.y ?? 0) + 5);
    await page.mouse.down();
    await page.mouse.move((frame?.x ?? 0) + 65, (frame?.y ?? 0) + 5);
    await page.mouse.up();
    expect((await leftOf()) - left).toBeCloseTo(60);
    await page.getByRole("button", { name: "Fit the graph" }).click();
    const {
      x = 0,
      y = 0,
      width = 0,
      height = 0,
    } = (await page.locator("#graph").boundingBox()) ?? {};
    for (const box of await page.locator(".node rect").all()) {
      const at = await box.boundingBox();
      expect(at?.x).toBeGreaterThanOrEqual(x);
      expect(at?.y).toBeGreaterThanOrEqual(y);
      expect((at?.x ?? 0) + (at?.width ?? 0)).toBeLessThanOrEqual(x + width);
      expect((at?.y ?? 0) + (at?.height ?? 0)).toBeLessThanOrEqual(y + height);
    }
    expect(problems).toEqual([]);
  });

  it("with 400 is a graph of teams that open, and a list by team, folded, that a search unfolds", async () => {
    const mesh = await largeMesh(400);
    const { page, problems } = await openConsole(mesh.url, { path: "#/mesh", width: 1_440 });
    await page.locator("details.team").nth(8).waitFor();

    expect(await page.locator(".node").count()).toBe(9);
    await page.locator(".node", { hasText: "team-3" }).click();
    await page.locator(".node").nth(57).waitFor();
    expect(await inPage(page, "edgesThroughBoxes()")).toEqual([]);
    expect(await inPage(page, "pageHeight()")).toBeLessThanOrEqual(1_500);
    await page.getByLabel("Search librarians").fill("l-399");
    await page.getByText("knows topic 399").waitFor();
    expect(problems).toEqual([]);
  });

  it("is seen in spite of many problems, which are folded after the first", async () => {
    const mesh = await serveMesh({ echo });
    for (let index = 0; index < 30; index++) {
      mesh.router.register({
        id: `l-${index}`,
        description: `knows topic ${index}`,
        librarian: echo,
        delegatesTo: [`missing-${index}`],
      });
    }
    const { page } = await openConsole(mesh.url, { path: "#/mesh", width: 1_440, height: 900 });
    const lines = page.locator("#mesh-problems li:visible");
    await page.locator(".node").first().waitFor();

    expect(await lines.count()).toBe(3);
    expect((await page.locator("#graph").boundingBox())?.y).toBeLessThan(400);
    await page.getByText(/^\d+ more problems$/).click();
    expect(await lines.count()).toBeGreaterThanOrEqual(30);
  });

  it.each([1_440, 390])("has Ask beside the name of each librarian, %i wide", async (width) => {
    const mesh = await serveMesh({ echo });
    mesh.router.register({
      id: "a-long-id-of-a-librarian-that-fills-its-line",
      name: "Name in Words",
      description: "has a long head",
      librarian: echo,
    });
    const { page } = await openConsole(mesh.url, { path: "#/mesh", width });
    const card = page.locator(".librarians li", { hasText: "has a long head" });
    // Read together and until shown: the page may draw its list anew, and a card out of the page measures 0.
    const { askTop, nameBottom } = await vi.waitFor(async () => {
      const measured = await card.evaluate((item) => ({
        askTop: item.querySelector("button")?.getBoundingClientRect().top ?? 0,
        nameBottom: item.querySelector("strong")?.getBoundingClientRect().bottom ?? 0,
      }));
      expect(measured.askTop).toBeGreaterThan(0);
      return measured;
    }, 20_000);

    expect(askTop).toBeLessThan(nameBottom);
    expect(await inPage(page, "pageWidth()")).toBeLessThanOrEqual(width);
  });

  it("on a phone is a list, without a graph that no one could follow", async () => {
    const replica = { id: "p1", host: "node-1", pid: 7, since: Date.now() };
    const replicas = [replica, replica, { ...replica, host: "node-2" }];
    const presence = () => [{ info: { id: "l-3" }, replicas }];
    const mesh = await largeMesh(10, { presence });
    const { page } = await openConsole(mesh.url, { path: "#/mesh", width: 390 });
    await page.locator(".librarians li").nth(10).waitFor();

    expect(await page.locator("#librarian-l-3").innerText()).toMatch(
      /Runs on\s+3 processes: node-1 \(2\) since .*, node-2 since /,
    );
    expect(await page.locator(".node").count()).toBe(0);
    expect(await inPage(page, "pageWidth()")).toBeLessThanOrEqual(390);
  });
});
