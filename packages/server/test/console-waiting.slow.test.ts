import type { Librarian } from "@constellation/core";
import { createJournal, createMemoryStore } from "@constellation/journal";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { askOnPage, canBrowse, closeBrowser, openConsole } from "./chromium.js";
import { serveMesh } from "./served-mesh.js";

const operator: Librarian = async (query, context) => {
  const decision = await context?.approve?.({
    what: `Restart ${query} <b>now</b>?`,
    why: "It has no memory.",
    data: { replicas: 3 },
  });
  if (decision?.approved !== true) return { answer: `It was ${decision?.outcome}.` };
  const count = await context?.askUser?.("How many?", z.number());
  return { answer: `Restarted ${count?.outcome === "answered" ? count.value : "none"}.` };
};

afterAll(closeBrowser);

describe.skipIf(!canBrowse)("what runs wait for, on the console page", () => {
  it("is counted in the tab, approved and answered on its page, and its run shows the answer", async () => {
    const journal = createJournal({ store: createMemoryStore() });
    const mesh = await serveMesh({ operator }, { journal }, { journal });
    const { page, problems } = await openConsole(mesh.url, { width: 1_200, height: 900 });
    await askOnPage(page, "checkout");
    await page.locator("#waiting-count", { hasText: "1" }).waitFor();
    await page.locator("#run-actions button", { hasText: "Approve" }).waitFor();

    await page.locator("#tab-waiting").click();
    const line = page.locator("#waiting-list li");
    await line.locator("h2", { hasText: "Restart checkout <b>now</b>?" }).waitFor();
    expect(await line.locator("pre").textContent()).toContain('"replicas": 3');
    await line.locator("button", { hasText: "Approve" }).click();
    await line.locator("h2", { hasText: "How many?" }).waitFor();
    await line.locator("input").fill("2");
    const link = (await line.locator("a").getAttribute("href")) ?? "";
    await line.locator("input").press("Enter");
    await page.locator("#waiting-empty").waitFor();

    await page.goto(`${mesh.url}/${link}`);
    await page.locator("#answer", { hasText: "Restarted 2." }).waitFor();
    expect(problems).toEqual([]);
  });

  it("is refused from the run itself", async () => {
    const journal = createJournal({ store: createMemoryStore() });
    const mesh = await serveMesh({ operator }, { journal }, { journal });
    const { page, problems } = await openConsole(mesh.url, { width: 1_200, height: 900 });
    await askOnPage(page, "checkout");
    const notice = page.locator("#answer .waiting", { hasText: "waits for an approval" });
    await notice.locator("strong", { hasText: /^Waiting$/ }).waitFor();
    expect(await page.locator("#answer").textContent()).not.toContain("UNAUTHORIZED");
    await page.locator("#run-actions button", { hasText: "Refuse" }).click();

    await page.locator("#answer", { hasText: "It was refused." }).waitFor();
    expect(problems).toEqual([]);
  });

  it("has no tab without a journal", async () => {
    const mesh = await serveMesh({ operator });
    const { page, problems } = await openConsole(mesh.url, { width: 1_200, height: 900 });

    await page.locator("#health").waitFor();
    expect(await page.locator("#tab-waiting").isHidden()).toBe(true);
    expect(problems).toEqual([]);
  });
});

describe.skipIf(!canBrowse)("a run that is over, on the console page", () => {
  it("is replayed, and forked at a hop with another question, each beside the first", async () => {
    const asked: string[] = [];
    const desk: Librarian = async (_query, context) =>
      (await context?.ask?.("price?", { to: "shop" })) ?? { answer: "none" };
    const shop: Librarian = async (query) => {
      asked.push(query);
      return { answer: `It is about ${query}`, confidence: 1 };
    };
    const journal = createJournal({ store: createMemoryStore() });
    const mesh = await serveMesh({ desk, shop }, { journal }, { journal });
    const { page, problems } = await openConsole(mesh.url, { width: 1_200, height: 900 });
    await askOnPage(page, "bread");
    await page.locator("#run-actions button", { hasText: "Replay" }).click();
    await page.locator("#view-compare", { hasText: "The answer is the same." }).waitFor();
    expect(asked).toEqual(["price?"]);

    await page.goBack();
    await page.locator('#hops [role="treeitem"]', { hasText: "shop" }).click();
    await page.locator("#detail .fork summary").click();
    await page.locator("#detail .fork textarea").fill("rolls?");
    await page.locator("#detail .fork button", { hasText: "Ask from here" }).click();
    await page.locator("#view-compare", { hasText: "The answers differ." }).waitFor();
    expect(await page.locator("#view-compare").textContent()).toContain("It is about rolls?");
    expect(asked).toEqual(["price?", "rolls?"]);
    expect(problems).toEqual([]);
  });
});
