import { readdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { canBrowse, closeBrowser, openConsole, untilKept } from "./chromium.js";
import { desk, k8s } from "./console-mesh.js";
import { echo, heldLibrarian, serveMesh } from "./served-mesh.js";

describe.skipIf(!canBrowse)("the console page", () => {
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
    await page.getByText("Here it is.", { exact: true }).waitFor();
    await untilKept(page);
    expect(await page.locator("#answer code").allTextContents()).toEqual(["OOMKilled"]);
    expect(await page.locator(".missing").innerText()).toContain("nobody DELEGATION_FAILED");
    expect(await page.getByRole("link", { name: "pods in shop" }).getAttribute("href")).toBe(
      "https://example.com/pods",
    );
    expect(await page.locator("#run-status").innerText()).toMatch(/partial answer.*4 hops/s);
    expect(problems).toEqual([]);
  });
});

describe("the files of the console page", () => {
  it("are small: less than 130 kB in all, packed, and load nothing else", async () => {
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
    const expected = [
      "/",
      "/console/markdown-it.js",
      "/console/dagre.js",
      ...assets.map((file) => `/console/${file}`),
    ];
    expect([...seen].sort()).toEqual(expected.sort());
    expect(packed).toBeLessThan(130_000); // 62 kB of them are the parser of Markdown and the layout of graphs
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
