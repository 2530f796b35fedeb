import { afterAll, describe, expect, it } from "vitest";
import {
  askOnPage,
  canBrowse,
  closeBrowser,
  inPage,
  openConsole,
  untilDrawn,
  untilKept,
} from "./chromium.js";
import { desk, k8s } from "./console-mesh.js";
import { aborted, echo, heldLibrarian, serveMesh } from "./served-mesh.js";

describe.skipIf(!canBrowse)("a question on the console page", () => {
  afterAll(closeBrowser);

  it("shows why each hop was chosen, by keyboard alone", async () => {
    const mesh = await serveMesh({ desk, k8s, docs: echo });
    const { page, problems } = await openConsole(mesh.url);

    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").innerText()).toBe("Skip to the answer");
    await page.getByLabel("Question").focus();
    await page.keyboard.type("Why?");
    await page.keyboard.press("Enter");
    await untilKept(page);
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
    await untilDrawn(page);

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

    await askOnPage(page, evil);
    await page.locator(".hop").nth(1).click();

    expect(await page.locator("main img, main script").count()).toBe(0);
    expect(await page.locator("#view-ask a").count()).toBe(0);
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

    await askOnPage(page, "How?");
    const answer = page.locator("#answer");

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
    await untilDrawn(page);

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
});
