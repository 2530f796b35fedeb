import { readFile } from "node:fs/promises";
import type { Librarian } from "@constellation/core";
import { aiFailure, scriptedAI } from "@constellation/testing";
import { afterAll, describe, expect, it, vi } from "vitest";
import { askOnPage, canBrowse, closeBrowser, inPage, openConsole } from "./chromium.js";
import { ask } from "./console-mesh.js";
import { echo, serveMesh } from "./served-mesh.js";

/** Delegates to five; one of them fails, one writes with the model. */
const desk: Librarian = async () => ({
  delegate: [{ to: "writer" }, { to: "docs" }, { to: "slow" }, { to: "broken" }, { to: "k8s" }],
});
const writer: Librarian = async (query, context) => {
  context?.report?.("collecting pages");
  const reply = await context?.ai?.complete({ system: "Be brief.", prompt: `About ${query}` });
  return { answer: reply?.text ?? "no model", sources: [{ name: "a.md" }] };
};
const slow: Librarian = async () => {
  await new Promise((resolve) => setTimeout(resolve, 60));
  return { answer: "slow" };
};
const broken: Librarian = () => {
  throw new TypeError("cannot read rota");
};
/** Asks another mesh, as an adapter does. */
const far: Librarian = async (query, context) => {
  const hop = { id: 1, to: "pods", startMs: 1, durationMs: 20, outcome: "error", code: "TIMEOUT" };
  const run = { mesh: "cluster", host: "node-7", runId: "r7", durationMs: 22, hops: [hop] };
  context?.openRemoteCall?.().end({
    run,
    spent: { hops: 1 },
    unsettled: [{ librarian: "pods", mesh: "cluster", host: "node-7" }],
  });
  return { answer: `You asked: ${query}` };
};
const usage = { inputTokens: 1_200, outputTokens: 34, costUsd: 0.0123 };
const librarians = { desk, writer, docs: echo, slow, broken, k8s: far };
const withModel = () => ({ ai: scriptedAI(() => ({ text: "**Written** by the model", usage })) });

afterAll(closeBrowser);

describe.skipIf(!canBrowse)("a run on the console page", () => {
  it("is seen in one look: question, answer and waterfall, without scrolling the page", async () => {
    const mesh = await serveMesh(librarians, { debug: true, ...withModel() });
    const { page, problems } = await openConsole(mesh.url, { width: 1_440, height: 900 });
    await askOnPage(page, "Why is checkout down?");
    await page.locator("#run-status", { hasText: "partial answer" }).waitFor();

    const boxes = await Promise.all(
      ["#run-title", "#answer", "#hops .hop:last-child", "#detail"].map((part) =>
        page.locator(part).first().boundingBox(),
      ),
    );
    for (const box of boxes) expect((box?.y ?? 900) + 20).toBeLessThan(900);
    expect(await inPage(page, "pageHeight()")).toBeLessThanOrEqual(900);
    expect(await page.title()).toBe("Why is checkout down? · Constellation");
    expect(problems).toEqual([]);
  });

  it("shows the whole name of a librarian, and as much of why it was asked as fits", async () => {
    const reason = "it knows about checkout, crashing, production (match 0.95)";
    const mesh = await serveMesh({
      front: async () => ({ delegate: { to: "workflow-selector", context: { reason } } }),
      "workflow-selector": echo,
    });
    const id = await ask(mesh, "Why?");
    const { page } = await openConsole(mesh.url, {
      path: `#/run/${id}`,
      width: 1_440,
      height: 900,
    });

    await vi.waitFor(async () => {
      const [name, note] = await Promise.all(
        [".name", ".note"].map((part) =>
          page
            .locator("#hops .hop")
            .nth(1)
            .locator(part)
            .evaluate(({ clientWidth, scrollWidth }) => ({ clientWidth, scrollWidth })),
        ),
      );
      expect(name?.clientWidth).toBeGreaterThan(0);
      expect(name?.scrollWidth).toBe(name?.clientWidth);
      expect(note?.scrollWidth).toBeGreaterThan(note?.clientWidth ?? 0);
    }, 20_000);
  });

  it("has the failed hop selected, and a tab for each question about it", async () => {
    const mesh = await serveMesh(librarians, { debug: true, ...withModel() });
    const id = await ask(mesh, "Why?");
    const { page, problems } = await openConsole(mesh.url, { path: `#/run/${id}` });
    const panel = page.getByRole("tabpanel");

    await page.getByRole("treeitem", { selected: true, name: /^broken/ }).waitFor();
    expect(await panel.innerText()).toMatch(/TypeError: cannot read rota\s+at /);
    await page.getByRole("tab", { name: "Answered" }).click();
    expect(await panel.innerText()).not.toContain("rota");

    await page.getByRole("treeitem", { name: /^writer/ }).click();
    await page.getByRole("tab", { name: "Asked" }).click();
    expect(await panel.innerText()).toBe("Why?");
    await page.getByRole("tab", { name: "Answered" }).click();
    expect(await panel.locator("strong").first().innerText()).toBe("Written");
    expect(await panel.innerText()).toMatch(/a\.md.*collecting pages/s);
    await page.getByRole("tab", { name: "Model 1" }).click();
    expect(await panel.innerText()).toMatch(
      /1,200 in, 34 out.*\$0\.0123.*Be brief\..*About Why\?.*Written/s,
    );
    await page.getByRole("tab", { name: "Raw" }).click();
    expect(JSON.parse(await panel.innerText())).toMatchObject({ to: "writer", usage });
    await page.getByRole("treeitem", { name: /^docs/ }).click(); // keeps the tab
    expect(JSON.parse(await panel.innerText())).toMatchObject({ to: "docs" });
    await page.getByRole("button", { name: "Ask it again" }).waitFor();
    await page.getByRole("treeitem", { name: /^slow/ }).click();
    const spanMs = async () =>
      Number(
        /--total: ([\d.]+)/.exec((await page.locator("#hops").getAttribute("style")) ?? "")?.[1],
      );
    const whole = await spanMs();
    await page.keyboard.press("+");
    expect(await spanMs()).toBeCloseTo(whole / 2, 1);
    await page.getByRole("button", { name: "Zoom out" }).click();
    expect(await spanMs()).toBe(whole);

    await page.getByRole("treeitem", { name: /^k8s/ }).click();
    await page.getByRole("tab", { name: "Remote" }).click();
    expect(await panel.innerText()).toMatch(
      /cluster on node-7.*pods error: TIMEOUT, 20 ms.*Ignored their cancellation\s+pods on node-7/s,
    );
    expect(await page.locator("#run-status").innerText()).toContain("1,234 tokens, $0.0123");
    expect(problems).toEqual([]);
  });

  it("says which answers came without the model, and why", async () => {
    const ai = scriptedAI(() => aiFailure());
    const failing: Librarian = async (query, context) => {
      await context?.ai?.complete({ prompt: query }).catch(() => undefined);
      return { answer: "by rules" };
    };
    const mesh = await serveMesh({ failing }, { ai });
    const { page } = await openConsole(mesh.url, { path: `#/run/${await ask(mesh, "Why?")}` });

    await page.getByText("Answered without the model").waitFor();
    expect(await page.locator("#missing").innerText()).toContain(
      "failing AI_UNAVAILABLE The model could not be reached.",
    );
  });

  it("draws the reach of a parent to the end of what it delegated to", async () => {
    const mesh = await serveMesh(librarians, withModel());
    const { page } = await openConsole(mesh.url, { path: `#/run/${await ask(mesh, "Why?")}` });
    await page.locator(".hop").nth(5).waitFor();

    const ends = await page
      .locator(".reach")
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().right));

    expect(ends[0]).toBeGreaterThanOrEqual(Math.max(...ends.slice(1)) - 2);
    expect(await page.locator("[data-critical] .name").allTextContents()).toEqual(["desk", "slow"]);
  });

  it("draws a merge as part of the hop that delegated, and selects no failure that a retry mended", async () => {
    const mesh = await serveMesh({ desk, slow: echo });
    const replies = [{ error: { code: "SERVICE_UNAVAILABLE", message: "busy" } } as const];
    mesh.router.register({
      id: "merging",
      description: "asks two, and takes its time to merge",
      librarian: async () => {
        const startedAt = performance.now();
        return {
          delegate: [{ to: "slow" }, { to: "flaky" }],
          merge: async () => {
            // Much longer than its branches, however busy the machine is.
            const branchesMs = performance.now() - startedAt;
            await new Promise((resolve) => setTimeout(resolve, 50 + 4 * branchesMs));
            return { answer: "both" };
          },
        };
      },
    });
    mesh.router.register({
      id: "flaky",
      description: "fails once",
      retry: { attempts: 2, minDelayMs: 1, maxDelayMs: 1 },
      librarian: async () => replies.pop() ?? { answer: "fine" },
    });
    const asked = await mesh.post("/ask", { query: "Why?", to: "merging" });
    const { page } = await openConsole(mesh.url, {
      path: `#/run/${asked.headers.get("x-run-id")}`,
    });
    await page.locator(".hop").nth(3).waitFor();

    const widths = await page
      .locator(".reach")
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width));

    expect(widths[0]).toBeGreaterThan(2 * Math.max(...widths.slice(1)));
    expect(await page.locator("#detail h3").innerText()).toContain("merging");
    expect(await page.locator(".hop .note").allInnerTexts()).toContain("attempt 2");
  });

  it("gives its place to the mesh, and has it again on Back", async () => {
    const mesh = await serveMesh({ echo });
    const { page } = await openConsole(mesh.url, { width: 1_440, height: 900 });
    await askOnPage(page, "first");
    await page.getByText("You asked: first").waitFor();

    await page.getByRole("link", { name: "Mesh" }).click();
    await page.getByRole("heading", { level: 1, name: "Mesh" }).waitFor();

    expect(await page.getByText("You asked: first").isVisible()).toBe(false);
    expect(await page.title()).toBe("Mesh · Constellation");
    await page.goBack();
    await page.getByText("You asked: first").waitFor();
    await expect.poll(() => page.title()).toBe("first · Constellation");
  });

  it("is asked again, whole or edited, and Back leads to the one before", async () => {
    const forwarding: Librarian = async (query) => ({
      delegate: { to: "other", query: `${query}, please` },
    });
    const mesh = await serveMesh({ echo, other: echo, desk: forwarding });
    const { page, problems } = await openConsole(mesh.url);
    await askOnPage(page, "first");
    await page.getByText("You asked: first").waitFor();
    const first = page.url();

    await page.getByRole("button", { name: "Ask again" }).click();
    await page.waitForURL((url) => String(url) !== first && String(url).includes("#/run/"));
    await page.getByRole("button", { name: "Edit" }).click();
    expect(await page.getByLabel("Question").inputValue()).toBe("first");
    await page.getByLabel("Question").fill("second");
    await page.keyboard.press("Enter");
    await page.getByText("You asked: second").waitFor();
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "first" }).waitFor();
    await page.goBack();
    expect(page.url()).toBe(first);
    await page.goBack();
    await page.getByRole("heading", { name: "What would you like to know?" }).waitFor();
    await expect.poll(() => page.locator("#runs-list li").count()).toBe(3);

    const asked = await ask(mesh, "third", "desk");
    await page.goto(`${mesh.url}/#/run/${asked}`);
    await page.getByRole("treeitem", { name: /^other/ }).click();
    await page.getByRole("button", { name: "Ask it again" }).click();
    await page.getByRole("heading", { level: 1, name: "third, please" }).waitFor();
    await page.getByText("You asked: third, please").waitFor();
    await expect.poll(() => page.getByRole("treeitem").count()).toBe(1);
    expect(problems).toEqual([]);
  });

  it("is compared with another: outcomes, answers, and hops in pairs", async () => {
    const answers = ["yes", "no"];
    const mesh = await serveMesh({
      front: async () => ({ delegate: { to: "back" } }),
      back: async () => ({ answer: answers.shift() ?? "again" }),
    });
    await ask(mesh, "is it?");
    const { page, problems } = await openConsole(mesh.url, {
      path: `#/run/${await ask(mesh, "is it?")}`,
    });

    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByText("Choose the run to compare with.").waitFor();
    await page.locator("#runs-list a").nth(1).click();
    await page.getByRole("heading", { name: "Two runs" }).waitFor();

    expect(await page.locator(".side .prose").allInnerTexts()).toEqual(["no", "yes"]);
    expect(await page.locator(".pairs tbody th").allInnerTexts()).toEqual([
      "front",
      "front › back",
    ]);
    expect(await page.getByText("The answers differ.").count()).toBe(1);
    await page.goBack();
    await page.locator("#answer", { hasText: "no" }).waitFor();
    const id = await ask(mesh, "is it?");
    await page.evaluate(`location.hash = "#/compare/${id}/${id}"`);
    await page.getByText("Both are the same run: nothing differs.").waitFor();
    expect(problems).toEqual([]);
  });

  it("is exported as JSON and as Mermaid, and leads to its trace", async () => {
    const traceUrl = "http://jaeger.example/trace/{traceId}";
    const mesh = await serveMesh({ echo }, { traceUrl });
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    const reply = await mesh.post("/ask", { query: "hello" }, { headers: { traceparent } });
    await reply.arrayBuffer();
    const id = reply.headers.get("x-run-id") ?? "";
    const { page, problems } = await openConsole(mesh.url, { path: `#/run/${id}` });

    const textOf = async (name: string) => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name }).click(),
      ]);
      return readFile(await download.path(), "utf8");
    };

    expect(JSON.parse(await textOf("JSON"))).toMatchObject({
      run: { query: "hello" },
      response: { answer: "You asked: hello" },
    });
    expect(await textOf("Mermaid")).toMatch(/^flowchart TD\n/);
    expect(await page.getByRole("link", { name: "Trace" }).getAttribute("href")).toBe(
      `http://jaeger.example/trace/${traceId}`,
    );
    expect(problems).toEqual([]);
  });

  it.each(["#/%", "#/run/%", "#/compare/%E0%A4/%"])(
    "is not shown for the address %s, which breaks nothing",
    async (path) => {
      const mesh = await serveMesh({ echo });
      const { page } = await openConsole(mesh.url, { path });

      await page.locator("main[aria-busy=false]").waitFor();
      await page.evaluate(`location.hash = "#/run/${await ask(mesh, "hello")}"`);

      await page.getByText("You asked: hello").waitFor();
    },
  );

  it("that does not exist leaves no other run on the page", async () => {
    const mesh = await serveMesh({ echo });
    const { page } = await openConsole(mesh.url, { path: `#/run/${await ask(mesh, "hello")}` });
    await page.getByText("You asked: hello").waitFor();

    await page.evaluate("location.hash = '#/run/none'");
    await page.getByRole("alert").getByText("Run not found.").waitFor();

    expect(await page.getByText("You asked: hello").isVisible()).toBe(false);
  });
});
