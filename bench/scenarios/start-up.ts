import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ServiceBroker } from "moleculer";
import { coreModule } from "../core.js";
import { interleave } from "../measure.js";
import type { Scenario } from "./scenario.js";

/** What an import costs over none, in fresh processes. */
export const importScenario: Scenario = {
  name: "import",
  title: "import of core, over no import",
  async measure({ checkout, effort }) {
    const core = coreModule(checkout);
    const folder = dirname(dirname(fileURLToPath(core)));
    const { dependencies, peerDependencies } = manifestOf(folder);
    const needed = [
      ...Object.keys(dependencies),
      ...Object.keys(peerDependencies).filter((name) => name === "@opentelemetry/api"),
    ].filter((name) => name !== "zod");
    const items = [
      { name: "none", modules: [] },
      { name: "constellation", modules: [core] },
      { name: "its dependencies alone, zod left out", modules: needed },
      { name: "moleculer", modules: [import.meta.resolve("moleculer")] },
    ];

    const megabytes = new Map<string, number[]>(items.map(({ name }) => [name, []]));
    const ms = await interleave(items, effort.slowRounds, async ({ name, modules }) => {
      const measured = importIn(folder, modules);
      megabytes.get(name)?.push(measured.rss / 1e6);
      return measured.ms;
    });
    return [
      { name: "import", unit: "ms over none", samples: overNone(ms) },
      {
        name: "import-memory",
        unit: "MB over none",
        samples: overNone(Object.fromEntries(megabytes)),
      },
    ];
  },
};

/** Imports modules in a fresh process that resolves them as a file of `folder` would. */
function importIn(folder: string, modules: readonly string[]): { ms: number; rss: number } {
  const code = `
    const started = performance.now();
    for (const each of ${JSON.stringify(modules)}) await import(each);
    const ms = performance.now() - started;
    console.log(JSON.stringify({ ms, rss: process.memoryUsage.rss() }));`;
  const args = ["--input-type=module", "--eval", code];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" }));
}

function overNone(samples: Readonly<Record<string, readonly number[]>>) {
  const { none = [], ...others } = samples;
  return Object.fromEntries(
    Object.entries(others).map(([name, values]) => [
      name,
      values.map((value, round) => value - (none[round] ?? Number.NaN)),
    ]),
  );
}

interface CoreManifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

function manifestOf(folder: string): CoreManifest {
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Partial<CoreManifest>;
  return { dependencies, peerDependencies };
}

/** What core takes on disk, packed and installed with all it needs. Needs npm and its registry. */
export const installScenario: Scenario = {
  name: "install",
  title: "core on disk, installed alone",
  isSlow: true,
  async measure({ checkout }) {
    const core = dirname(dirname(fileURLToPath(coreModule(checkout))));
    const folder = mkdtempSync(join(tmpdir(), "constellation-install-"));
    try {
      npm(core, ["pack", "--silent", "--pack-destination", folder]);
      const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
      if (tarball === undefined) throw new Error("npm pack made no tarball");
      const samples: Record<string, number[]> = {};
      for (const [name, wanted] of [
        ["constellation", `../${tarball}`],
        ["moleculer", `moleculer@${ServiceBroker.MOLECULER_VERSION}`],
      ] as const) {
        const application = join(folder, name);
        mkdirSync(application);
        writeFileSync(join(application, "package.json"), '{ "private": true }');
        npm(application, ["install", "--silent", "--prefer-offline", "--ignore-scripts", wanted]);
        samples[name] = [sizeOf(join(application, "node_modules")) / 1e6];
      }
      return [{ name: "install", unit: "MB on disk", samples }];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function npm(cwd: string, args: readonly string[]): void {
  execFileSync("npm", args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, each) => sum + statSync(join(each.parentPath, each.name)).blocks * 512, 0);
}
