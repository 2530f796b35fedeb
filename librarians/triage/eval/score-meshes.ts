/**
 * npm run triage:eval -w librarians/triage -- FOLDER...: how well triage routes in meshes that come as files, without a model.
 *
 *     -- FOLDER           with a folder for each mesh (`mesh.json`, `questions.jsonl`), and maybe `acts.jsonl` and
 *                         `followups.jsonl` for all of them; README.md has the forms
 *     -- --embedder       with the model of @constellation/embeddings too (npm run model -w packages/embeddings)
 *     -- --vectors FILE   keeps vectors there, so that the next run is faster
 *     -- --wrong          also prints each question that went wrong
 *     -- --json           one JSON document
 *
 * Each mesh is asked through a router three times: librarians with their descriptions alone, with three examples each,
 * and with examples and `canAnswer` from their content by `estimateAnswers`. A librarian answers where its own estimate
 * says that it can (`chance` of `answeringChance` or more), and else refuses; one with effects records its calls.
 *
 * - whole set: exactly the librarians that a question is for were asked. One that was asked besides on a narrow margin,
 *   and is shown as a second answer, is left out of account; "strictly" counts it. A librarian with effects that was
 *   offered where nothing was asked counts as asked. A question that is for no one is right when no one answers it.
 * - turned away: no one was asked or offered, though the librarian it is for answers it when asked directly.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRouter, type LibrarianDefinition, type Router } from "@constellation/core";
import { type ContentEstimate, type Embedder, estimateAnswers } from "@constellation/retrieval";
import { z } from "zod";
import { createTriageLibrarian, type TriageReport } from "../src/index.js";
import { keepVectors } from "./keep-vectors.js";

const librarianSchema = z.object({
  id: z.string(),
  description: z.string(),
  capabilities: z.array(z.string()).optional(),
  effects: z.enum(["read", "write"]).optional(),
  acts: z.array(z.string()).optional(),
  examples: z.array(z.string()).default([]),
  content: z.array(z.string()).default([]),
});
type LibrarianCase = z.infer<typeof librarianSchema>;
const meshSchema = z.object({ mesh: z.string(), librarians: z.array(librarianSchema) });
const questionSchema = z.object({ q: z.string(), to: z.array(z.string()), kind: z.string() });
const actSchema = z.object({
  mesh: z.string(),
  q: z.string(),
  kind: z.enum(["order", "read"]),
  writer: z.string().optional(),
  form: z.string().optional(),
});
const followUpSchema = z.object({
  mesh: z.string(),
  turns: z.array(
    z.object({ q: z.string(), answeredBy: z.string(), answer: z.string().optional() }),
  ),
  q: z.string(),
  to: z.array(z.string()),
});

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    embedder: { type: "boolean" },
    vectors: { type: "string" },
    wrong: { type: "boolean" },
    json: { type: "boolean" },
  },
});
if (folders.length === 0) throw new RangeError("Pass the folder with the meshes.");

const modes = ["descriptions", "examples", "content"] as const;
type Mode = (typeof modes)[number];
/** Chance of its own estimate from which on a librarian of the eval answers. */
const answeringChance = 0.5;

interface Share {
  readonly right: number;
  readonly of: number;
}
type Figures = Record<string, Share>;
const rows: { readonly name: string; readonly figures: Figures }[] = [];

for (const withEmbedder of values.embedder === true ? [false, true] : [false]) {
  const embedder = withEmbedder ? await openEmbedder() : undefined;
  const suffix = withEmbedder ? "embedder" : "words";
  for (const folder of folders) {
    const meshes = readMeshes(folder);
    const totals = new Map<string, Figures[]>();
    const add = (name: string, figures: Figures) => {
      rows.push({ name: `${name}, ${suffix}`, figures });
      const group = name.slice(name.indexOf(",") + 2);
      totals.set(group, [...(totals.get(group) ?? []), figures]);
    };
    const acts = readLines(join(folder, "acts.jsonl"), actSchema);
    const followUps = readLines(join(folder, "followups.jsonl"), followUpSchema);
    for (const { mesh, librarians, questions } of meshes) {
      const own = <Item extends { readonly mesh: string }>(items: readonly Item[]) =>
        items.filter((one) => one.mesh === mesh);
      for (const mode of modes) {
        const opened = await openMesh(librarians, mode, embedder);
        const name = (what: string) => `${mesh}, ${what} with ${mode}`;
        if (questions.length > 0)
          add(name("questions"), await scoreQuestions(opened, name(""), questions, librarians));
        if (own(acts).length > 0 && mode === "content")
          add(name("acts"), await scoreActs(opened, mesh, own(acts)));
        if (own(followUps).length > 0 && mode !== "examples")
          add(name("follow-ups"), await scoreFollowUps(opened, mesh, own(followUps)));
        await opened.router.close();
      }
    }
    for (const [group, all] of totals)
      if (all.length > 1) rows.push({ name: `ALL, ${group}, ${suffix}`, figures: sumFigures(all) });
  }
  await embedder?.close();
}

if (values.json === true) console.log(JSON.stringify(rows, undefined, 2));
else {
  for (const { name, figures } of rows) {
    console.log(name);
    for (const [what, { right, of }] of Object.entries(figures)) {
      const share = of === 0 ? "-" : (right / of).toFixed(3);
      console.log(`  ${what.padEnd(44)} ${`${right} of ${of}`.padStart(12)}  ${share}`);
    }
  }
}

function readMeshes(folder: string) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name, "mesh.json");
    if (!entry.isDirectory() || !existsSync(path)) return [];
    const mesh = meshSchema.parse(JSON.parse(readFileSync(path, "utf8")));
    return [
      {
        ...mesh,
        questions: readLines(join(folder, entry.name, "questions.jsonl"), questionSchema),
      },
    ];
  });
}

function readLines<Item>(path: string, schema: z.ZodType<Item>): readonly Item[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => schema.parse(JSON.parse(line)));
}

async function openEmbedder() {
  const { openModelEmbedder } = await import("@constellation/embeddings");
  return keepVectors(await openModelEmbedder(), values.vectors);
}

interface OpenMesh {
  readonly router: Router;
  /** Librarians with effects that were called. */
  readonly written: string[];
  /** What triage reported last. */
  report(): TriageReport | undefined;
}

async function openMesh(
  librarians: readonly LibrarianCase[],
  mode: Mode,
  embedder: Embedder | undefined,
): Promise<OpenMesh> {
  const written: string[] = [];
  const router = createRouter({ entry: "triage", timeoutMs: 600_000 });
  const triage = createTriageLibrarian({
    ...(embedder && { embedder, embeddingTimeoutMs: 30_000 }),
  });
  let report: TriageReport | undefined;
  router.register({
    ...triage,
    async librarian(query, context) {
      const response = await triage.librarian(query, context);
      report = response.metadata?.triage as TriageReport | undefined;
      return response;
    },
  });
  const estimates: ((probe: { query: string }) => ContentEstimate)[] = [];
  for (const { id, description, capabilities, effects, acts, examples, content } of librarians) {
    const canAnswer = estimateAnswers(() => content, { embedder });
    estimates.push(canAnswer);
    const definition: LibrarianDefinition = {
      id,
      description,
      ...(capabilities !== undefined && { capabilities }),
      ...(effects !== undefined && { effects }),
      ...(acts !== undefined && { acts }),
      ...(mode !== "descriptions" && { examples }),
      ...(mode === "content" && content.length > 0 && { canAnswer }),
      async librarian(query) {
        if (effects === "write") {
          written.push(id);
          return { answer: `done: ${id}`, confidence: 1 };
        }
        const [vector] = embedder === undefined ? [] : await embedder.embed([query]);
        const { chance } = canAnswer({
          query,
          ...(embedder &&
            vector && { vector: { embedder: embedder.id, values: Float32Array.from(vector) } }),
        });
        return content.length === 0 || chance >= answeringChance
          ? { answer: `from ${id}`, confidence: chance }
          : { error: { code: "NOT_FOUND", message: `${id} has no information about it.` } };
      },
    };
    router.register(definition);
  }
  // Waits until everything is embedded: a cold embedder is measured by the figures for words.
  if (embedder !== undefined) {
    const query = "what is a sonnet?";
    const [vector = []] = await embedder.embed([query]);
    const probe = { query, vector: { embedder: embedder.id, values: Float32Array.from(vector) } };
    for (let tries = 0; tries < 20_000; tries++) {
      await router.ask(query);
      const isEmbedded = estimates.every(
        (each, at) => librarians[at]?.content.length === 0 || each(probe).similarity !== undefined,
      );
      if (report?.meaning === "used" && isEmbedded) break;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  return { router, written, report: () => report };
}

interface Routed {
  /** Whom it was for: asked, or offered where nothing was asked. */
  readonly asked: readonly string[];
  /** Also those that were asked on a narrow margin. */
  readonly strictly: readonly string[];
  /** The first two: of those asked, then of the candidates. */
  readonly two: readonly string[];
  readonly isAnswered: boolean;
}

async function route(
  { router, report: lastReport }: OpenMesh,
  query: string,
  metadata?: Readonly<Record<string, unknown>>,
): Promise<Routed> {
  const run = router.start(query, { metadata });
  await run.response;
  const { hops } = run.explain();
  const none = { targets: [], candidates: [], alternatives: [], offered: [] };
  const {
    targets,
    candidates,
    alternatives = [],
    offered = [],
  }: Pick<TriageReport, "targets" | "candidates" | "alternatives" | "offered"> = lastReport() ??
  none;
  const strictly = targets.length > 0 ? targets.map(({ to }) => to) : offered;
  const asked = strictly.filter((id) => !alternatives.includes(id));
  const two = [...new Set([...strictly, ...candidates.map(({ id }) => id)])];
  return {
    asked: [...new Set(asked)],
    strictly: [...new Set(strictly)],
    two: two.slice(0, Math.max(2, asked.length)),
    isAnswered: hops.some(
      ({ to, outcome }) => to !== "triage" && (outcome === "answer" || outcome === "partial"),
    ),
  };
}

async function scoreQuestions(
  opened: OpenMesh,
  name: string,
  questions: readonly z.infer<typeof questionSchema>[],
  librarians: readonly LibrarianCase[],
): Promise<Figures> {
  const tally = createTally();
  const isWriter = (id: string) => librarians.find((one) => one.id === id)?.effects === "write";
  for (const { q, to, kind } of questions) {
    const { asked, strictly, two, isAnswered } = await route(opened, q);
    const isWhole = to.length === 0 ? !isAnswered : sameSet(asked, to);
    tally.count("whole set right", isWhole);
    tally.count("whole set right, strictly", to.length === 0 ? !isAnswered : sameSet(strictly, to));
    tally.count(`- ${kind}`, isWhole);
    if (to.length === 1) tally.count("right one among the first two", two.includes(to[0] ?? ""));
    if (to.length === 0) tally.count("out of scope refused", !isAnswered);
    for (const id of to.filter((each) => !isWriter(each))) {
      const { answer } = await opened.router.ask(q, { to: id });
      if (answer !== undefined)
        tally.count("answered directly, not turned away", strictly.length > 0);
    }
    if (!isWhole) printWrong(name, kind, to, strictly, q);
  }
  return tally.figures;
}

async function scoreActs(
  opened: OpenMesh,
  mesh: string,
  acts: readonly z.infer<typeof actSchema>[],
): Promise<Figures> {
  const tally = createTally();
  for (const { q, kind, writer = "", form = "" } of acts) {
    opened.written.length = 0;
    await route(opened, q);
    const called = [...opened.written];
    const isRight = kind === "order" ? sameSet(called, [writer]) : called.length === 0;
    tally.count(
      kind === "order" ? "orders that called their writer" : "reads that called none",
      isRight,
    );
    if (!isRight) printWrong(mesh, `${kind} ${form}`, kind === "order" ? [writer] : [], called, q);
  }
  return tally.figures;
}

async function scoreFollowUps(
  opened: OpenMesh,
  mesh: string,
  followUps: readonly z.infer<typeof followUpSchema>[],
): Promise<Figures> {
  const tally = createTally();
  for (const { turns, q, to } of followUps) {
    const conversation = turns.map(({ q: query, answeredBy, answer = "" }) => ({
      query,
      answer,
      librarians: [answeredBy],
    }));
    const { asked } = await route(opened, q, { conversation });
    const isRight = sameSet(asked, to);
    tally.count("follow-ups right", isRight);
    const stays = to.includes(turns.at(-1)?.answeredBy ?? "");
    tally.count(stays ? "- that stay" : "- that go elsewhere", isRight);
    if (!isRight) printWrong(mesh, "follow-up", to, asked, `${turns.at(-1)?.q ?? ""} | ${q}`);
  }
  return tally.figures;
}

function createTally() {
  const figures: Figures = {};
  return {
    figures,
    count(name: string, isRight: boolean) {
      const share = figures[name] ?? { right: 0, of: 0 };
      figures[name] = { right: share.right + (isRight ? 1 : 0), of: share.of + 1 };
    },
  };
}

function sumFigures(all: readonly Figures[]): Figures {
  const sums: Figures = {};
  for (const [name, { right, of }] of all.flatMap((each) => Object.entries(each))) {
    const before = sums[name] ?? { right: 0, of: 0 };
    sums[name] = { right: before.right + right, of: before.of + of };
  }
  return sums;
}

function sameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join() === others.toSorted().join();
}

function printWrong(
  name: string,
  kind: string,
  wanted: readonly string[],
  got: readonly string[],
  query: string,
): void {
  if (values.wrong !== true) return;
  console.log(`${name} ${kind} | ${wanted.join() || "-"} | ${got.join() || "-"} | ${query}`);
}
