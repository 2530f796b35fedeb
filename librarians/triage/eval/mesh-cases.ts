/**
 * npm run triage:eval -w librarians/triage -- FOLDER: how well triage routes in meshes that come as files, without a model.
 *
 *     -- FOLDER           with mesh files (`{ librarians, questions }`), files of writers (`{ librarians, cases }`) and
 *                         files of follow-ups (a list); README.md has the forms
 *     -- --embedder       with the model of @constellation/embeddings too (npm run model -w packages/embeddings)
 *     -- --wrong          also prints each question that went wrong
 *     -- --threshold N    instead of triage's own
 *     -- --json           one JSON document
 *
 * Each mesh is asked through a router three times: librarians with their descriptions alone, with three examples each,
 * and with `canAnswer` from their content by `estimateAnswers`. A librarian answers from its content where one of its
 * texts has enough of the question, and refuses otherwise; one with effects records its calls. The set of delegates is
 * right when each librarian that a question is for was asked first (or, where it has effects, offered) and no other;
 * a second one that is asked beside the first on a narrow margin counts for "among the first two" only. A question that
 * is for no one is right when no one answers it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createRouter, type LibrarianDefinition, type Router } from "@constellation/core";
import { type Embedder, estimateAnswers } from "@constellation/retrieval";
import { z } from "zod";
import { createTriageLibrarian, type TriageReport } from "../src/index.js";

const librarianSchema = z.object({
  id: z.string(),
  description: z.string(),
  effects: z.enum(["read", "write"]).optional(),
  acts: z.array(z.string()).optional(),
  examples: z.array(z.string()).default([]),
  content: z.array(z.string()).default([]),
});
const meshSchema = z.object({
  mesh: z.string().optional(),
  librarians: z.array(librarianSchema),
  questions: z.array(z.object({ q: z.string(), to: z.array(z.string()), kind: z.string() })),
});
const extraSchema = z.object({ mesh: z.string(), questions: meshSchema.shape.questions });
const writersSchema = z.object({
  librarians: z.array(librarianSchema),
  cases: z.array(z.object({ q: z.string(), order: z.boolean(), librarian: z.string().optional() })),
});
const followUpsSchema = z.array(
  z.object({
    turns: z.array(
      z.object({ question: z.string(), librarian: z.string(), answerSummary: z.string() }),
    ),
    followUp: z.string(),
    isFollowUp: z.boolean(),
    staysWith: z.string(),
  }),
);
type LibrarianCase = z.infer<typeof librarianSchema>;
type MeshCase = z.infer<typeof meshSchema>;

/** Librarians as the follow-ups name them. */
const followUpLibrarians: readonly LibrarianCase[] = [
  {
    id: "k8s",
    description: "Reads a Kubernetes cluster: pods, deployments, nodes, events and logs",
  },
  { id: "docs", description: "Answers from the documentation: runbooks, guides and policies" },
  { id: "billing", description: "Invoices, payments and accounts of customers" },
  { id: "metrics", description: "Latency, traffic, error rates and saturation over time" },
  { id: "support-desk", description: "Tickets of customers and who works on them" },
].map((each) => ({ ...each, examples: [], content: [] }));

const modes = ["descriptions", "examples", "content"] as const;
type Mode = (typeof modes)[number];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    embedder: { type: "boolean" },
    wrong: { type: "boolean" },
    json: { type: "boolean" },
    threshold: { type: "string" },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new RangeError("Pass the folder with the cases.");

/** Share of right ones. */
interface Share {
  readonly right: number;
  readonly of: number;
}
const rows: { readonly name: string; readonly figures: Record<string, Share> }[] = [];

const files = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .map((name) => ({ name, data: JSON.parse(readFileSync(join(folder, name), "utf8")) as unknown }));
const meshes = files.flatMap(({ name, data }) => {
  const read = meshSchema.safeParse(data);
  return read.success ? [{ ...read.data, name: read.data.mesh ?? name }] : [];
});
const more = files.flatMap(({ name, data }) => {
  const read = extraSchema.safeParse(data);
  const mesh = meshes.find((each) => read.success && each.name.startsWith(read.data.mesh));
  const byFile = files.find((file) => read.success && file.name === `${read.data.mesh}.json`);
  const own = mesh ?? (byFile && meshSchema.safeParse(byFile.data).data);
  return read.success && own !== undefined && !meshSchema.safeParse(data).success
    ? [{ ...own, questions: read.data.questions, name: name.replace(/\.json$/, "") }]
    : [];
});

for (const withEmbedder of values.embedder === true ? [false, true] : [false]) {
  const embedder = withEmbedder ? await openEmbedder() : undefined;
  const suffix = withEmbedder ? ", embedder" : ", words";
  for (const mesh of [...meshes, ...more]) {
    for (const mode of modes) {
      const figures = await evaluateMesh(mesh, mode, embedder);
      rows.push({ name: `${mesh.name}, ${mode}${suffix}`, figures });
    }
  }
  for (const { name, data } of files) {
    const writers = writersSchema.safeParse(data);
    if (writers.success)
      rows.push({
        name: `${name}${suffix}`,
        figures: await evaluateWriters(writers.data, embedder),
      });
    const followUps = followUpsSchema.safeParse(data);
    if (followUps.success && followUps.data.length > 0)
      rows.push({
        name: `${name}${suffix}`,
        figures: await evaluateFollowUps(followUps.data, embedder),
      });
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

async function openEmbedder(): Promise<Embedder & { close(): Promise<void> }> {
  const { openModelEmbedder } = await import("@constellation/embeddings");
  const model = await openModelEmbedder();
  const known = new Map<string, Float32Array | readonly number[]>();
  return {
    id: model.id,
    dimensions: model.dimensions,
    close: () => model.close(),
    // The same texts are embedded for several meshes.
    async embed(texts, options) {
      const open = texts.filter((text) => !known.has(text));
      const made = open.length === 0 ? [] : await model.embed(open, options);
      for (const [at, text] of open.entries()) known.set(text, made[at] ?? []);
      return texts.map((text) => known.get(text) ?? []);
    },
  };
}

interface OpenMesh {
  readonly router: Router;
  readonly written: string[];
  /** What triage reported last. */
  report(): TriageReport | undefined;
}

/** A mesh of a file, and which librarians with effects were called. */
async function openMesh(
  librarians: readonly LibrarianCase[],
  mode: Mode,
  embedder: Embedder | undefined,
): Promise<OpenMesh> {
  const written: string[] = [];
  const router = createRouter({ entry: "triage", timeoutMs: 600_000 });
  const triage = createTriageLibrarian({
    ...(embedder && { embedder, embeddingTimeoutMs: 30_000 }),
    ...(values.threshold !== undefined && { threshold: Number(values.threshold) }),
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
  for (const { id, description, effects, acts, examples, content } of librarians) {
    const estimate = estimateAnswers(() => content, { embedder });
    const definition: LibrarianDefinition = {
      id,
      description,
      ...(effects !== undefined && { effects }),
      ...(acts !== undefined && { acts }),
      ...(mode !== "descriptions" && { examples }),
      ...(mode === "content" && content.length > 0 && { canAnswer: estimate }),
      async librarian(query) {
        if (effects === "write") {
          written.push(id);
          return { answer: `done: ${id}`, confidence: 1 };
        }
        const [vector] = embedder === undefined ? [] : await embedder.embed([query]);
        const { chance } = estimate({
          query,
          ...(embedder &&
            vector && { vector: { embedder: embedder.id, values: Float32Array.from(vector) } }),
        });
        return content.length === 0 || chance >= answering(embedder)
          ? { answer: `from ${id}`, confidence: chance }
          : { error: { code: "NOT_FOUND", message: `${id} has no information about it.` } };
      },
    };
    router.register(definition);
  }
  // Waits until everything is embedded: a cold embedder is measured by the figures for words.
  if (embedder !== undefined) {
    await embedder.embed(librarians.flatMap(({ content }) => content));
    for (let tries = 0; tries < 2_000; tries++) {
      await router.ask("what is a sonnet?");
      if (report?.meaning === "used") break;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  return { router, written, report: () => report };
}

/** Chance from which on a librarian of the eval answers. */
function answering(embedder: Embedder | undefined): number {
  return embedder === undefined ? 0.02 : 0.35;
}

interface Routed {
  readonly first: readonly string[];
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
  const record = run.explain();
  const report: Pick<TriageReport, "targets" | "candidates" | "alternatives" | "offered"> =
    lastReport() ?? { targets: [], candidates: [], alternatives: [], offered: [] };
  const answered = record.hops.filter(
    ({ to, outcome }) => to !== "triage" && (outcome === "answer" || outcome === "partial"),
  );
  const first = [
    ...report.targets.flatMap(({ to }) => (report.alternatives?.includes(to) ? [] : to)),
    ...(report.offered ?? []),
  ];
  const two = [...first, ...(report.alternatives ?? []), ...report.candidates.map(({ id }) => id)];
  return {
    first: [...new Set(first)],
    two: [...new Set(two)].slice(0, Math.max(2, first.length)),
    isAnswered: answered.length > 0 || (report.offered?.length ?? 0) > 0,
  };
}

async function evaluateMesh(mesh: MeshCase & { name: string }, mode: Mode, embedder?: Embedder) {
  const opened = await openMesh(mesh.librarians, mode, embedder);
  const tally = createTally();
  for (const { q, to, kind } of mesh.questions) {
    const { first, two, isAnswered } = await route(opened, q);
    const isWhole = to.length === 0 ? !isAnswered : sameSet(first, to);
    tally.count("whole set of delegates right", isWhole);
    tally.count(`- ${kind}`, isWhole);
    if (to.length > 0) {
      tally.count("first right", to.includes(first[0] ?? ""));
      tally.count("answered by somebody", isAnswered);
    }
    if (to.length === 1) tally.count("right one among the first two", two.includes(to[0] ?? ""));
    if (kind === "out-of-scope") tally.count("out of scope refused", !isAnswered);
    if (!isWhole) printWrong(mesh.name, mode, kind, to, first, q);
  }
  await opened.router.close();
  return tally.figures;
}

async function evaluateWriters(
  { librarians, cases }: z.infer<typeof writersSchema>,
  embedder?: Embedder,
) {
  const opened = await openMesh(librarians, "content", embedder);
  const tally = createTally();
  for (const { q, order, librarian } of cases) {
    opened.written.length = 0;
    const { first } = await route(opened, q);
    if (order) {
      const isRight = opened.written.length === 1 && opened.written[0] === librarian;
      tally.count("orders that called their writer", isRight);
      if (!isRight) printWrong("writers", "content", "order", [librarian ?? ""], opened.written, q);
      continue;
    }
    tally.count("reads that called no writer", opened.written.length === 0);
    if (opened.written.length > 0) printWrong("writers", "content", "read", [], opened.written, q);
    if (librarian === undefined) continue;
    tally.count("reads whose librarian was asked", first.includes(librarian));
  }
  await opened.router.close();
  return tally.figures;
}

async function evaluateFollowUps(cases: z.infer<typeof followUpsSchema>, embedder?: Embedder) {
  const opened = await openMesh(followUpLibrarians, "descriptions", embedder);
  const tally = createTally();
  for (const { turns, followUp, isFollowUp, staysWith } of cases) {
    const conversation = turns.map(({ question, librarian, answerSummary }) => ({
      query: question,
      answer: answerSummary,
      librarians: librarian === "none" ? [] : [librarian],
    }));
    const { first } = await route(opened, followUp, { conversation });
    const isRight = staysWith === "none" ? first.length === 0 : sameSet(first, [staysWith]);
    if (isFollowUp) tally.count("follow-ups right", isRight);
    else tally.count("new questions right", isRight);
    if (!isRight)
      printWrong("follow-ups", isFollowUp ? "follow-up" : "new", "", [staysWith], first, followUp);
  }
  await opened.router.close();
  return tally.figures;
}

function createTally() {
  const figures: Record<string, { right: number; of: number }> = {};
  return {
    figures,
    count(name: string, isRight: boolean) {
      const share = figures[name] ?? { right: 0, of: 0 };
      figures[name] = { right: share.right + (isRight ? 1 : 0), of: share.of + 1 };
    },
  };
}

function sameSet(some: readonly string[], others: readonly string[]): boolean {
  return some.toSorted().join() === others.toSorted().join();
}

function printWrong(
  mesh: string,
  mode: string,
  kind: string,
  wanted: readonly string[],
  got: readonly string[],
  query: string,
): void {
  if (values.wrong !== true) return;
  console.log(
    `${mesh} ${mode} ${kind} | ${wanted.join() || "-"} | ${got.join() || "-"} | ${query}`,
  );
}
