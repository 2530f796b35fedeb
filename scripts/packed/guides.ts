import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { blocksOf, type MarkdownBlock } from "../../test/docs/markdown-blocks.js";
import { type PackedWorkspace, serveRegistry } from "./registry.js";
import { openShell, type Shell } from "./shell.js";

/** One guide: what is done in an empty folder, in this order. */
type Guide = (open: (name: string) => Shell) => Promise<void>;

const guides: Readonly<Record<string, Guide>> = {
  "README.md": async (open) => {
    const shell = open("readme");
    const blocks = blocksOf("README.md");
    await shell.run("npm init -y && npm pkg set type=module");
    for (const { text } of only(blocks, "sh", (each) => each.startsWith("npm install @"))) {
      await shell.run(text);
    }
    await program(
      shell,
      blocks.find(({ output, language }) => language === "ts" && output),
    );
  },

  "docs/guides/write-a-librarian.md": async (open) => {
    const shell = open("write-a-librarian");
    const blocks = blocksOf("docs/guides/write-a-librarian.md");
    for (const block of blocks) await step(shell, block, "js");
    const typed = open("write-a-librarian-ts");
    for (const name of ["package.json", "node_modules"]) {
      symlinkSync(join(shell.cwd, name), join(typed.cwd, name)); // installed once, for both
    }
    for (const block of blocks) {
      if (!block.text.includes("npm install")) await step(typed, block, "ts");
    }
  },

  "docs/guides/deploy.md": async (open) => {
    const shell = open("deploy");
    const blocks = blocksOf("docs/guides/deploy.md");
    for (const { text } of only(blocks, "sh")) {
      await shell.run(text.replace("--port 8080", "--port 0")); // which may be taken here
    }
    for (const { text } of only(blocks, "yaml")) {
      const mesh = join(shell.cwd, "constellation.yaml");
      writeFileSync(mesh, `${readFileSync(mesh, "utf8")}\n${text}\n`);
      await shell.run("npx @constellation/cli check");
    }
    for (const { text } of only(blocks, "dockerfile")) await image(shell, text, open("image"));
    await program(
      shell,
      blocks.find(({ output, language }) => language === "ts" && output),
    );
  },

  "packages/cli/README.md": async (open) => {
    const [first] = blocksOf("packages/cli/README.md");
    const printed = withoutTimes(await open("cli").run(first?.text ?? "")).trim();
    if (!printed.endsWith(withoutTimes(first?.output ?? "no output in the page").trim())) {
      throw new Error(`line ${first?.line} printed:\n${printed}`);
    }
  },

  "packages/create/README.md": async (open) => {
    const shell = open("create");
    for (const { text } of only(blocksOf("packages/create/README.md"), "sh")) await shell.run(text);
    await shell.run("(cd help-desk && npm install && npm test && npm run check)");
    await shell.run("(cd contacts && npm install && npm test && npx tsc --noEmit)");
  },
};

/**
 * Follows guides literally, each in an empty folder, with the packed packages as a registry would give them, all
 * guides at once: most of their time is npm's.
 *
 * @param pages - Those to follow; all where not given.
 * @returns What did not go as the page says.
 */
export async function guideProblems(
  folder: string,
  packed: readonly PackedWorkspace[],
  pages: readonly string[] = Object.keys(guides),
): Promise<readonly string[]> {
  const registry = await serveRegistry(folder, packed);
  // Not below the folder in which all packages are installed: a guide that forgets one would find it there.
  const work = mkdtempSync(join(tmpdir(), "guides-"));
  const { VITEST: _, CI: __, ...own } = process.env;
  const env = {
    ...own,
    NO_COLOR: "1",
    NPM_CONFIG_USERCONFIG: npmrc(folder, registry.url),
    npm_config_cache: ownCache(work),
  };
  try {
    const followed = Object.entries(guides)
      .filter(([page]) => pages.includes(page))
      .map(async ([page, follow]) => {
        const started = Date.now();
        try {
          await follow((name) => openShell(mkdtempSync(join(work, `${name}-`)), env));
          return [];
        } catch (thrown) {
          return [`${page}: ${thrown instanceof Error ? thrown.message : String(thrown)}`];
        } finally {
          console.log(`${page}: ${((Date.now() - started) / 1_000).toFixed(1)} s`);
        }
      });
    return (await Promise.all(followed)).flat();
  } finally {
    registry.close();
    rmSync(work, { recursive: true, force: true });
  }
}

/**
 * A cache of npm with what was downloaded before, and without what npx has installed: it keeps a version of a package
 * that is packed here again with other contents.
 */
function ownCache(folder: string): string {
  const shared = execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim();
  const downloads = join(shared, "_cacache");
  mkdirSync(downloads, { recursive: true });
  const cache = join(folder, "npm-cache");
  mkdirSync(cache);
  symlinkSync(downloads, join(cache, "_cacache"));
  return cache;
}

/** The settings of npm as they are here, with the registry for our packages. */
function npmrc(folder: string, url: string): string {
  const before = execFileSync("npm", ["config", "get", "userconfig"], { encoding: "utf8" }).trim();
  const file = join(folder, "npmrc");
  const settings = existsSync(before) ? readFileSync(before, "utf8") : "";
  writeFileSync(
    file,
    `${settings}\n@constellation:registry=${url}\naudit=false\nfund=false\nyes=true\nprefer-offline=true\n`,
  );
  return file;
}

function only(
  blocks: readonly MarkdownBlock[],
  language: string,
  isWanted: (text: string) => boolean = () => true,
): readonly MarkdownBlock[] {
  return blocks.filter((block) => block.language === language && isWanted(block.text));
}

/** Does one block of a page whose programs are JavaScript and TypeScript, and name their files. */
async function step(shell: Shell, block: MarkdownBlock, language: "js" | "ts"): Promise<void> {
  if (block.language === "sh") await shell.run(block.text);
  const [, name] = /^\/\/ ([\w.]+)\.js or \1\.ts$/m.exec(block.text) ?? [];
  if (name === undefined) return;
  const file = `${name}.${language}`;
  if (name.endsWith(".test")) writeFileSync(join(shell.cwd, file), `${block.text}\n`);
  else await program(shell, block, file);
}

/** Runs a program of a page, and compares what it prints. */
async function program(
  shell: Shell,
  block: MarkdownBlock | undefined,
  file?: string,
): Promise<void> {
  if (block === undefined) throw new Error("the page has no program with an output");
  const { text, line, output = "" } = block;
  const name = file ?? `line-${line}.ts`;
  writeFileSync(join(shell.cwd, name), `${text}\n`);
  const run = name.endsWith(".ts") ? `npx tsx@4.23.15 ${name}` : `node ${name}`;
  const printed = withoutTimes(await shell.run(run)).trim();
  if (printed !== withoutTimes(output).trim()) {
    throw new Error(`line ${line} printed:\n${printed}\nexpected:\n${output}`);
  }
}

function withoutTimes(text: string): string {
  return text.replaceAll(/\d+(?:\.\d+)? ms|N ms/g, "N ms").replaceAll(/ +/g, " ");
}

/** Does what a Dockerfile says, as far as that goes without an engine: copies, runs, and starts its command. */
async function image(context: Shell, dockerfile: string, target: Shell): Promise<void> {
  const ignored = new Set(["node_modules", ".constellation"]);
  for (const line of dockerfile.split("\n")) {
    const [instruction = "", ...words] = line.split(" ");
    if (instruction === "COPY") {
      for (const source of words.slice(0, -1)) {
        const from = join(context.cwd, source);
        const to = source === "." ? target.cwd : join(target.cwd, source);
        mkdirSync(target.cwd, { recursive: true });
        cpSync(from, to, { recursive: true, filter: (file) => !ignored.has(basename(file)) });
      }
    } else if (instruction === "RUN") await target.run(words.join(" "));
    else if (instruction === "CMD") {
      const argv = JSON.parse(words.join(" ")) as readonly string[];
      const command = argv.map((word) => `'${word}'`).join(" ");
      const tokens = "CONSTELLATION_TOKENS=ann:0123456789abcdef0123456789abcdef";
      await target.run(`${tokens} ${command.replace("8080", "0")}`);
    }
  }
}
