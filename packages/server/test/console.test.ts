import { readdirSync } from "node:fs";
import type { Librarian } from "@constellation/core";
import { afterAll, describe, expect, it } from "vitest";
import {
  axeViolations,
  canBrowse,
  closeBrowser,
  inPage,
  keepScreenshots,
  openConsole,
} from "./chromium.js";
import { aborted, echo, heldLibrarian, serveMesh } from "./served-mesh.js";

const desk: Librarian = async () => ({
  delegate: [
    { to: "k8s", query: "why does it crash?", context: { reason: "it knows about crashes" } },
    { to: "docs", context: { reason: "it has the runbook" } },
    { to: "nobody" },
  ],
});
const k8s: Librarian = async () => ({
  answer: "The container was `OOMKilled`.",
  confidence: 0.9,
  sources: [{ name: "pods in shop", url: "https://example.com/pods" }],
});

describe.skipIf(!canBrowse)("the console page", { timeout: 60_000 }, () => {
  afterAll(closeBrowser);

  it("shows hops while they happen, then the answer, its sources and what is missing", async () => {
    const held = heldLibrarian();
    const mesh = await serveMesh({ desk, k8s, docs: held.librarian });
    const { page, problems } = await openConsole(mesh.url);

    await page.getByLabel("Question").fill("Why does checkout crash?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await held.asked;

    await page.getByRole("treeitem", { name: /^docs ?, running/ }).waitFor();
    await page.getByRole("treeitem", { name: /^k8s ?, answer/ }).waitFor();
    await page.getByRole("treeitem", { name: /^nobody ?, refused/ }).waitFor();
    expect(await page.locator("#answer").textContent()).toBe("");
    held.answer();
    await page.getByText("Here it is.").waitFor();
    expect(await page.locator("#answer code").allTextContents()).toEqual(["OOMKilled"]);
    expect(await page.locator(".missing").innerText()).toContain("nobody DELEGATION_FAILED");
    expect(await page.getByRole("link", { name: "pods in shop" }).getAttribute("href")).toBe(
      "https://example.com/pods",
    );
    expect(await page.locator("#run-status").innerText()).toMatch(/partial answer.*4 hops/s);
    expect(problems).toEqual([]);
  });

  it("shows why each hop was chosen, by keyboard alone", async () => {
    const mesh = await serveMesh({ desk, k8s, docs: echo });
    const { page, problems } = await openConsole(mesh.url);

    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").innerText()).toBe("Skip to the answer");
    await page.getByLabel("Question").focus();
    await page.keyboard.type("Why?");
    await page.keyboard.press("Enter");
    await page.locator(".missing").waitFor();
    while ((await page.locator(":focus").getAttribute("role")) !== "treeitem") {
      await page.keyboard.press("Tab");
    }
    expect(await page.locator(":focus").textContent()).toContain("nobody"); // the one that failed
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");

    const detail = page.getByRole("complementary", { name: "Selected hop" });
    expect(await detail.innerText()).toMatch(/k8s.*Chosen\s+it knows about crashes.*By\s+desk/s);
    await page.getByRole("tab", { name: "Why" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("tabpanel").innerText()).toContain("why does it crash?");
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("treeitem", { name: /^k8s/ }).focus();
    await page.keyboard.press("End");
    expect(await detail.innerText()).toContain("DELEGATION_FAILED");
    await page.keyboard.press("ArrowLeft"); // to its parent
    await page.keyboard.press("ArrowLeft"); // folds it
    expect(await page.getByRole("treeitem").count()).toBe(1);
    await page.keyboard.press("ArrowRight");
    expect(await page.getByRole("treeitem").count()).toBe(4);
    expect(await inPage(page, "focusOutline()")).toBe("solid");
    expect(problems).toEqual([]);
  });

  it("shows any run that is kept, as the same tree", async () => {
    const mesh = await serveMesh({ desk, k8s, docs: echo });
    await mesh.router.ask("asked elsewhere");
    const { page, problems } = await openConsole(mesh.url);

    await page.getByRole("link", { name: /asked elsewhere/ }).click();
    await page.getByRole("heading", { level: 1, name: "asked elsewhere" }).waitFor();

    expect(await page.getByRole("treeitem").count()).toBe(4);
    const bar = await page.locator(".hop .bar").nth(1).boundingBox();
    const lane = await page.locator(".hop .lane").nth(1).boundingBox();
    expect(bar?.width).toBeLessThanOrEqual(lane?.width ?? 0);
    expect(page.url()).toContain("#/run/");
    expect(await page.title()).toBe("asked elsewhere · Constellation");
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "asked elsewhere" }).waitFor();
    expect(problems).toEqual([]);
  });

  it("cancels the run on Stop, and when the page is closed", async () => {
    for (const leave of ["Stop", "close"]) {
      const held = heldLibrarian();
      const mesh = await serveMesh({ held: held.librarian });
      const { page } = await openConsole(mesh.url);
      await page.getByLabel("Question").fill("wait for it");
      await page.keyboard.press("Enter");
      const signal = await held.asked;
      await page.getByRole("treeitem").waitFor();

      if (leave === "Stop") await page.getByRole("button", { name: "Stop" }).click();
      else await page.close();

      await aborted(signal);
      if (leave === "Stop") await page.getByText("TIMEOUT The caller cancelled.").waitFor();
    }
  });

  it("shows untrusted text as text, and links only to http and https", async () => {
    const evil = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
    const mesh = await serveMesh({
      desk: async () => ({ delegate: [{ to: "evil", context: { reason: evil } }, { to: evil }] }),
      evil: async () => ({
        answer: `# ${evil}\n\n- ${evil}\n\n[click](javascript:alert(3)) **${evil}**\n\n\u202egnp\u2066.\u200bexe`,
        sources: [{ name: evil, url: "javascript:alert(4)" }],
      }),
    });
    const { page, problems } = await openConsole(mesh.url);

    await page.getByLabel("Question").fill(evil);
    await page.keyboard.press("Enter");
    await page.locator(".sources").waitFor();
    await page.locator(".hop").nth(1).click();

    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.locator("main a").count()).toBe(0);
    expect(await page.locator("#answer").innerText()).toContain("gnp.exe");
    expect(await page.locator("#run-title").textContent()).toBe(evil);
    expect(await page.locator("#detail").innerText()).toContain(evil);
    expect(problems).toEqual([]);
  });

  it("renders Markdown: links, tables, quotes, emphasis, and images as links", async () => {
    const mesh = await serveMesh({
      desk: async () => ({
        answer: [
          "See [the runbook](https://example.com/run) and *soon*\nthe same line.",
          "| pod | state |\n| --- | --- |\n| api | **down** |",
          "> quoted\n\n1. one\n   - nested\n\n---",
          "![chart](https://example.com/chart.png)",
        ].join("\n\n"),
      }),
    });
    const { page, problems } = await openConsole(mesh.url);

    await page.getByLabel("Question").fill("How?");
    await page.keyboard.press("Enter");
    const answer = page.locator("#answer");
    await answer.locator("table").waitFor();

    expect(await answer.getByRole("link", { name: "the runbook" }).getAttribute("href")).toBe(
      "https://example.com/run",
    );
    expect(await answer.getByRole("link", { name: "[image: chart]" }).count()).toBe(1);
    expect(await answer.locator("td strong").innerText()).toBe("down");
    expect(await answer.locator("blockquote, ol > li > ul > li, hr, em").count()).toBe(4);
    expect(problems).toEqual([]);
  });

  it("asks for a required token, and keeps it in memory only", async () => {
    const token = "the-token-of-ada";
    const mesh = await serveMesh({ echo }, { auth: { tokens: [{ token }] } });
    const { page } = await openConsole(mesh.url);

    await page.getByRole("dialog").waitFor();
    await page.getByLabel("Bearer token").fill(token);
    await page.getByRole("button", { name: "Use" }).click();
    await page.getByLabel("Question").fill("hello");
    await page.keyboard.press("Enter");
    await page.getByText("You asked: hello").waitFor();

    expect(await inPage(page, "keptThings()")).not.toContain(token);
    expect(await page.content()).not.toContain(token);
    await page.reload();
    await page.getByRole("dialog").waitFor();
    await page.getByLabel("Bearer token").fill(token);
    await page.keyboard.press("Enter");
    await page.getByText("You asked: hello").waitFor(); // the run that the address names
  });

  it("shows the mesh as a graph, with health, and asks the selected librarian", async () => {
    const mesh = await serveMesh({ desk, k8s, docs: echo });
    mesh.router.register({
      id: "feed",
      description: "market data",
      librarian: echo,
      delegatesTo: ["docs"],
      health: async () => ({ status: "down", message: "No feed." }),
    });
    await mesh.router.ask("once");
    const { page, problems } = await openConsole(mesh.url);

    await page.getByRole("link", { name: "Mesh" }).click();
    await page.locator(".node").first().waitFor();

    expect(await page.locator(".node").count()).toBe(4);
    expect(await page.locator(".edge.seen").count()).toBe(2); // desk to k8s and docs
    expect(await page.locator(".edge:not(.seen)").count()).toBe(1); // feed to docs
    expect(await page.locator(".node", { hasText: "feed" }).textContent()).toContain("✕ down");
    expect(await page.getByRole("listitem").filter({ hasText: "No feed." }).count()).toBe(1);
    await page.getByRole("button", { name: "Ask docs" }).click();
    await page.getByLabel("Question").fill("hello");
    await page.keyboard.press("Enter");
    await page.getByText("You asked: hello").waitFor();
    expect(problems).toEqual([]);
  });

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
    await page.getByLabel("Question").fill("Why?");
    await page.keyboard.press("Enter");
    await page.locator(".missing").waitFor();

    const asked = await inPage(page, "faintTexts()");
    await page.getByRole("link", { name: "Mesh" }).click();
    await page.locator(".node").first().waitFor();
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
    const ids = [await askFor(mesh, "one"), await askFor(mesh, "two")];
    const views = ["", "#/mesh", `#/run/${ids[0]}`, `#/compare/${ids.join("/")}`, "#/run/none"];
    const names = ["ask", "mesh", "run", "compare", "problem"];
    const ready = ["#runs-list li", ".librarians li", "#answer p", ".pairs", ".problem strong"];
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
    await page.getByLabel("Question").fill("Why?");
    await page.keyboard.press("Enter");
    await page.locator(".missing").waitFor();

    expect(await inPage(page, "pageWidth()")).toBeLessThanOrEqual(390);
    await page.getByRole("link", { name: "Mesh" }).click();
    await page.locator(".librarians li").first().waitFor();
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

describe("the files of the console page", () => {
  it("are small: less than 95 kB in all, packed, and load nothing else", async () => {
    const mesh = await serveMesh({ echo });
    let packed = 0;
    const html = await (await mesh.fetch("/")).text();
    const open = [
      "/",
      ...[...html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, at = ""]) => at),
    ];
    const seen = new Set<string>();
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const reply = await mesh.fetch(path, { headers: { "accept-encoding": "gzip" } });
      expect(reply.status).toBe(200);
      packed += Number(reply.headers.get("content-length"));
      const text = await reply.text();
      open.push(
        ...[...text.matchAll(/from "\.\/([\w-]+\.js)"/g)].map(([, name]) => `/console/${name}`),
      );
      if (path === "/console/markdown-it.js") continue; // it knows protocols, and opens nothing
      expect(text.replaceAll("http://www.w3.org/2000/svg", "")).not.toMatch(/https?:\/\//);
    }

    const files = readdirSync(new URL("../console", import.meta.url));
    const assets = files.filter((file) => /\.(?:js|css|svg)$/.test(file));
    const expected = ["/", "/console/markdown-it.js", ...assets.map((file) => `/console/${file}`)];
    expect([...seen].sort()).toEqual(expected.sort());
    expect(packed).toBeLessThan(95_000); // 45 kB of them are the parser of Markdown
  });

  it("are asked for again only when they have changed", async () => {
    const mesh = await serveMesh({ echo });
    const etag = (await mesh.fetch("/console/main.js")).headers.get("etag") ?? "";

    const again = await mesh.fetch("/console/main.js", { headers: { "if-none-match": etag } });

    expect(again.status).toBe(304);
  });

  it("can be left out", async () => {
    const mesh = await serveMesh({ echo }, { console: false });

    expect((await mesh.fetch("/")).status).toBe(404);
  });
});

async function askFor(mesh: Awaited<ReturnType<typeof serveMesh>>, query: string): Promise<string> {
  const reply = await mesh.post("/ask", { query });
  await reply.arrayBuffer();
  return reply.headers.get("x-run-id") ?? "";
}
