import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

/** Debian's package, or what `CHROMIUM_BIN` names. */
const executablePath = process.env.CHROMIUM_BIN ?? "/usr/bin/chromium";

/** Whether the page can be tested here. In CI it must be. */
export const canBrowse: boolean = existsSync(executablePath) || process.env.CI !== undefined;

if (!canBrowse) {
  process.stderr.write(
    `\nSKIPPED: the console page is not tested, there is no ${executablePath}. Install it (apt-get install chromium), or name another in CHROMIUM_BIN.\n\n`,
  );
}

/** A page that reports everything that should not happen on it. */
export interface OpenedPage {
  readonly page: Page;
  /** Errors, warnings, refusals of the content security policy, and requests to anybody else. */
  readonly problems: readonly string[];
}

let browser: Promise<Browser> | undefined;

/** Opens the console of a server, and waits until its view is drawn. The page is closed when the test is over. */
export async function openConsole(
  url: string,
  options: {
    readonly path?: string;
    readonly dark?: boolean;
    readonly width?: number;
    readonly height?: number;
  } = {},
): Promise<OpenedPage> {
  browser ??= chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  const context = await (await browser).newContext({
    colorScheme: options.dark === true ? "dark" : "light",
    viewport: { width: options.width ?? 1_280, height: options.height ?? 800 },
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url)) problems.push(`request: ${request.url()}`);
  });
  await page.goto(`${url}/${options.path ?? ""}`);
  await untilDrawn(page);
  return { page, problems };
}

/**
 * Waits until the view that the address names has been read and drawn. A view is drawn again when it is read again, and
 * when its width changes, a frame later: what is measured before may be gone at the next step.
 */
export async function untilDrawn(page: Page): Promise<void> {
  await page.locator("main[aria-busy=false]").waitFor();
  await page.evaluate(
    "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))",
  );
}

/** Asks in the form of the page, and waits until the run is over and drawn as it is kept. */
export async function askOnPage(page: Page, question: string): Promise<void> {
  await page.getByLabel("Question").fill(question);
  await page.keyboard.press("Enter");
  await untilKept(page);
}

/** Waits until the run that the page has asked for is over and drawn as it is kept: nothing is drawn again after that. */
export async function untilKept(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Ask again", exact: true }).waitFor();
  await untilDrawn(page);
}

const inPageSource = readFileSync(new URL("./in-page.js", import.meta.url), "utf8");

/** Calls a function of in-page.js in a page: `pageWidth()`. */
export function inPage(page: Page, call: string): Promise<unknown> {
  return page.evaluate(
    `(() => { ${inPageSource.replaceAll(/^export /gm, "")}; return ${call}; })()`,
  );
}

/** What axe-core finds wrong on a page, all of its rules on: the rule and the elements. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source);
  const found: unknown = await page.evaluate(
    `axe.run({ rules: { "label-content-name-mismatch": { enabled: true } } }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 200)).join(" ")))`,
  );
  return found as readonly string[]; // made above
}

/**
 * Writes what a page shows, light and dark, to the folder that `CONSTELLATION_SCREENSHOTS` names: artefacts for
 * people to look at. Nothing where it names none.
 */
export async function keepScreenshots(page: Page, name: string): Promise<void> {
  const folder = process.env.CONSTELLATION_SCREENSHOTS;
  if (folder === undefined || folder === "") return;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
  }
}

/** Closes the browser, after the last test of a file. */
export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined; // for the next file
}
