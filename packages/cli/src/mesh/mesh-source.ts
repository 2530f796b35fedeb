import { dirname, relative } from "node:path";
import { redactSecrets } from "@constellation/authoring";
import {
  Alias,
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  Scalar,
  visit,
} from "yaml";
import { ConfigurationError } from "../configuration-error.js";
import { readTextFile } from "../read-text-file.js";
import {
  collectionKeys,
  describeFault,
  meshFileLimits,
  parseYaml,
  repeatedKeys,
} from "./parse-yaml.js";
import { substituteEnvironment } from "./substitute-environment.js";

/** The text of a mesh file, read, with the place of everything in it. */
export interface MeshSource {
  /** Path of the file. */
  readonly file: string;
  /** Folder that its paths are relative to. */
  readonly folder: string;
  /** Its value, with environment variables substituted. Not validated. */
  readonly value: unknown;
  /** A line with place and problem: `mesh.yaml:7:5: entry: expected ...`. */
  problem(path: readonly PropertyKey[], message: string, place?: "key" | "value"): string;
  /** Offset of a value in characters from the start of the file; of its parent where it is missing. */
  findOffset(path: readonly PropertyKey[], place?: "key" | "value"): number;
  /** A value as an error may show it. A value from the environment is shown as the name of its variable. */
  describe(path: readonly PropertyKey[]): string;
  /** A message with values from the environment replaced by the names of their variables. */
  redact(message: string): string;
}

/** Of mesh files in YAML, which JSON is too. */
export const yamlExtensions: ReadonlySet<string> = new Set([".yaml", ".yml", ".json"]);

const maxFaults = 20;
/** Shorter values, such as `true` or `80`, are not secrets, and occur in any message. */
const minSecretLength = 4;

/**
 * Reads a YAML mesh file.
 *
 * @throws ConfigurationError with a line for each thing that is wrong.
 */
export async function readMeshSource(
  file: string,
  {
    env,
    cwd,
  }: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
): Promise<MeshSource> {
  const shown = relative(cwd, file).startsWith("..") ? file : relative(cwd, file) || file;
  const lineCounter = new LineCounter();
  const lineAt = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return `${shown}:${line}:${col}`;
  };
  const text = await readTextFile({
    path: file,
    shown,
    maxBytes: meshFileLimits.bytes,
    advice: "`constellation init` makes a mesh.",
  });
  const doc = parseYaml(text, lineCounter, shown);
  const faults = [...doc.errors, ...doc.warnings]
    .slice(0, maxFaults)
    .map(({ pos, code, message }) => `${lineAt(pos[0])}: ${describeFault(code, message)}`);
  if (faults.length > 0) throw new ConfigurationError(faults.join("\n"));

  const fromEnvironment = new Map<unknown, readonly string[]>();
  const anchors = new Set<string>();
  visit(doc, {
    Node(_key, node) {
      if (!(node instanceof Alias) && node.anchor !== undefined) anchors.add(node.anchor);
      return faults.length < maxFaults ? undefined : visit.BREAK;
    },
    Map(_key, map) {
      for (const key of collectionKeys(map)) {
        faults.push(`${lineAt(key.range?.[0] ?? 0)}: a key is text, not a map or a list.`);
      }
      for (const key of repeatedKeys(map)) {
        const place = lineAt(key.range?.[0] ?? 0);
        faults.push(`${place}: ${String(key.value)}: is given twice. Keep one of them.`);
      }
    },
    Scalar(key, node) {
      if (key === "key" || typeof node.value !== "string") return;
      const given = substituteEnvironment(node.value, env);
      const { text: replaced, variables, unset, malformed } = given;
      const place = lineAt(node.range?.[0] ?? 0);
      for (const reference of malformed.slice(0, maxFaults)) {
        faults.push(
          `${place}: ${JSON.stringify(reference)} is not an environment variable. Write \${NAME} or \${NAME:-value}, or $\${ for a text that begins so.`,
        );
      }
      for (const name of unset.slice(0, maxFaults)) {
        faults.push(
          `${place}: the environment variable ${name} is not set. Set it, or give a default: \${${name}:-value}.`,
        );
      }
      if (variables.length > 0) fromEnvironment.set(node, variables);
      node.value = node.type === Scalar.PLAIN && variables.length > 0 ? typed(replaced) : replaced;
    },
    Alias(_key, node) {
      if (!anchors.has(node.source)) {
        faults.push(
          `${lineAt(node.range?.[0] ?? 0)}: *${node.source}: there is no &${node.source} before it.`,
        );
      }
    },
  });
  if (faults.length > 0) throw new ConfigurationError(faults.slice(0, maxFaults).join("\n"));

  let value: unknown;
  try {
    value = doc.toJS({ maxAliasCount: meshFileLimits.aliases });
  } catch (thrown) {
    throw new ConfigurationError(`${shown}: ${(thrown as Error).message}`);
  }
  return {
    file,
    folder: dirname(file),
    value,
    problem(path, message, place = "value") {
      const where = lineAt(findOffset(doc, path, place));
      return `${where}: ${[formatPath(path), message].filter((part) => part !== "").join(": ")}`;
    },
    findOffset: (path, place = "value") => findOffset(doc, path, place),
    describe(path) {
      const { node } = walk(doc, path);
      const variables = fromEnvironment.get(node);
      if (variables !== undefined) return `the value of ${variables.join(" and ")}`;
      return describeNode(node);
    },
    redact(message) {
      let redacted = message;
      for (const name of new Set([...fromEnvironment.values()].flat())) {
        const secret = env[name] ?? "";
        if (secret.length >= minSecretLength) redacted = redacted.replaceAll(secret, `\${${name}}`);
      }
      return redactSecrets(redacted);
    },
  };
}

/** Converts text as YAML does: to a number or a boolean where it looks like one. */
function typed(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return /^[-+]?(?:\d+|\d*\.\d+|\d+\.)(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : text;
}

interface Found {
  /** The node at the path, or the last one on the way that exists. */
  readonly node: Node | undefined;
  /** The previous key. */
  readonly key: Node | undefined;
}

function walk(doc: Document.Parsed, path: readonly PropertyKey[]): Found {
  let found: Found = { node: doc.contents ?? undefined, key: undefined };
  for (const step of path) {
    const node: Node | undefined =
      found.node instanceof Alias ? found.node.resolve(doc) : found.node;
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => isScalar(key) && String(key.value) === String(step),
      );
      if (pair === undefined) return { node: undefined, key: found.key };
      found = { node: (pair.value ?? undefined) as Node | undefined, key: pair.key as Node };
    } else if (isSeq(node) && typeof step === "number") {
      found = { node: node.items[step] as Node | undefined, key: undefined };
    } else return { node: undefined, key: found.key };
  }
  return found;
}

/** Offset of a value; of its parent where the value is missing. */
function findOffset(
  doc: Document.Parsed,
  path: readonly PropertyKey[],
  place: "key" | "value",
): number {
  for (let length = path.length; length >= 0; length--) {
    const { node, key } = walk(doc, path.slice(0, length));
    const best = place === "key" || length < path.length ? (key ?? node) : (node ?? key);
    if (best?.range != null) return best.range[0];
  }
  return 0;
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
}

function describeNode(node: Node | undefined): string {
  if (isMap(node)) return "a map";
  if (isSeq(node)) return `a list of ${node.items.length}`;
  if (!isScalar(node) || node.value === null) return "nothing";
  const written = typeof node.value === "string" ? JSON.stringify(node.value) : String(node.value);
  return redactSecrets(written.slice(0, 1_000), { maxLength: 60 });
}
