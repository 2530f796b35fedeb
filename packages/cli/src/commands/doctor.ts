import { sanitizeText } from "@constellation/authoring";
import { type LibrarianInfo, MeshError } from "@constellation/core";
import { type CommandIO, exitCodes } from "../command-io.js";
import { engines } from "../init/template.js";
import { findPackage } from "../mesh/find-package.js";
import type { Mesh } from "../mesh/load-mesh.js";
import { findRoutingWarnings, isRouted } from "../mesh/routing-warnings.js";
import { withOpenMesh } from "../open-mesh.js";
import { countText } from "../terminal/format.js";
import { paintFor } from "../terminal/paint.js";
import { type OutputFormat, printData } from "../terminal/printable-data.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";
import { downIn, notStartedIn } from "./check.js";

/** Command-line options of `doctor`. */
export interface DoctorFlags {
  readonly mesh?: string;
  readonly output: OutputFormat;
}

/** What one examination found. */
interface Finding {
  readonly about: "node" | "mesh" | "model" | "librarians" | "routing" | "embedder";
  /** `advice` does not make the command fail. */
  readonly state: "ok" | "advice" | "problem";
  readonly message: string;
}

const marks = { ok: ["green", "✓"], advice: ["yellow", "!"], problem: ["red", "✗"] } as const;

/** `constellation doctor`: finds what keeps a mesh from answering, or from choosing the right librarian. */
export async function doctor(flags: DoctorFlags, io: CommandIO): Promise<number> {
  return withOpenMesh(flags.mesh, io, {}, async (mesh) => {
    const findings = [
      examineNode(),
      ...examineMesh(mesh),
      ...(await examineModel(mesh, io.signal)),
      ...(await examineLibrarians(mesh, io.signal)),
      ...examineRouting(mesh.router.list()),
      examineEmbedder(io.cwd),
    ];
    const ok = findings.every(({ state }) => state !== "problem");
    if (flags.output === "table") {
      const paint = paintFor(io.stdout, io.env);
      for (const { about, state, message } of findings) {
        const [colour, mark] = marks[state];
        io.stdout.write(`${paint(colour, mark)} ${about}: ${sanitizeLine(message)}\n`);
      }
    } else await printData({ ok, findings }, flags.output, io);
    return ok ? exitCodes.answered : exitCodes.failed;
  });
}

function examineNode(): Finding {
  const [major = 0, minor = 0] = engines.node.replace(/^\D+/, "").split(".").map(Number);
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split(".").map(Number);
  const isEnough = ownMajor > major || (ownMajor === major && ownMinor >= minor);
  return {
    about: "node",
    state: isEnough ? "ok" : "problem",
    message: `Node.js ${process.versions.node}${isEnough ? "" : `, and ${engines.node} is needed`}`,
  };
}

function examineMesh({ router }: Mesh): readonly Finding[] {
  const { problems, warnings } = router.check();
  const found = [
    ...problems.map(({ message }) => ({ state: "problem" as const, message })),
    ...warnings.map(({ message }) => ({ state: "advice" as const, message })),
  ].map((each) => ({ about: "mesh" as const, ...each }));
  const size = countText(router.list().length, "librarian");
  return [{ about: "mesh", state: "ok", message: `${size} loaded` }, ...found];
}

/** Maximum time for the model to reply, in milliseconds. */
const modelTimeoutMs = 20_000;

/** Asks the model for a word, because a wrong key, address or package would only show at the first question. */
async function examineModel({ ai }: Mesh, signal: AbortSignal): Promise<readonly Finding[]> {
  if (ai === undefined) return [];
  try {
    const asked = { prompt: "Reply with one word: ok", maxTokens: 16, timeoutMs: modelTimeoutMs };
    const { model } = await ai.complete({ ...asked, signal });
    return [{ about: "model", state: "ok", message: `${model} replies` }];
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    const { message, details, suggestion } = MeshError.from(thrown, "model");
    const problem = details?.problem === undefined ? undefined : `(${String(details.problem)})`;
    const said = [message, problem, suggestion].filter((part) => part !== undefined);
    return [{ about: "model", state: "problem", message: said.join(" ") }];
  }
}

async function examineLibrarians(mesh: Mesh, signal: AbortSignal): Promise<readonly Finding[]> {
  const failed = [...(await notStartedIn(mesh, signal)), ...(await downIn(mesh))];
  if (failed.length === 0)
    return [{ about: "librarians", state: "ok", message: "each starts, and none is down" }];
  return failed.map(({ message }) => ({
    about: "librarians",
    state: "problem",
    message: sanitizeText(message),
  }));
}

/**
 * Reports descriptions that are too thin or too alike, examples that are routed wrongly, and the most useful change.
 */
function examineRouting(all: readonly LibrarianInfo[]): readonly Finding[] {
  const warnings = findRoutingWarnings(all);
  const chosen = all.filter(isRouted);
  const without = chosen.filter(({ examples = [] }) => examples.length === 0);
  const examples = chosen.reduce((sum, { examples: own = [] }) => sum + own.length, 0);
  const wrong = warnings.filter(({ kind }) => kind === "misleading-example").length;
  const summary =
    examples === 0
      ? "no librarian has examples, so there is nothing to check"
      : `by words alone, ${examples - wrong} of ${countText(examples, "example")} would reach the librarian that has it`;
  const advice = warnings.map(({ message }) => ({ state: "advice" as const, message }));
  if (chosen.length > 2 && without.length > 0) {
    const names = without.slice(0, 10).map(({ id }) => id);
    advice.push({
      state: "advice",
      message: `${countText(without.length, "librarian")} without examples (${names.join(", ")}): three questions each, as people ask them, bring more than anything but \`canAnswer\`.`,
    });
  }
  return [
    { about: "routing", state: wrong === 0 ? "ok" : "advice", message: summary },
    ...advice.map((each) => ({ about: "routing" as const, ...each })),
  ];
}

function examineEmbedder(cwd: string): Finding {
  const isThere = findPackage("@constellation/embeddings", cwd) !== undefined;
  return isThere
    ? { about: "embedder", state: "ok", message: "@constellation/embeddings is installed" }
    : {
        about: "embedder",
        state: "advice",
        message:
          "@constellation/embeddings is not installed: librarians are chosen and pages found by words alone.",
      };
}
