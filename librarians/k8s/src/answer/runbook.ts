import type { Context, Response, Source } from "@constellation/core";
import type { Finding } from "../diagnosis/finding.js";
import { quote } from "../diagnosis/quote.js";
import { maxAnswer } from "./compose.js";
import { code, escaped } from "./markdown.js";

/**
 * Asks a librarian what to do about a cause, and adds its answer and sources below. Without an answer the
 * response stays unchanged, and `metadata.runbook` reports why.
 *
 * It is not asked for a caller that wants only facts (`context.metadata.wants` is `facts`).
 */
export async function withRunbook(
  response: Response,
  first: Finding | undefined,
  {
    to,
    context,
    signal,
  }: { readonly to: string | undefined; readonly context: Context; readonly signal: AbortSignal },
): Promise<Response> {
  if (to === undefined || context.ask === undefined || context.metadata?.wants === "facts")
    return response;
  if (first === undefined || !first.current) return response;
  const {
    answer,
    sources = [],
    error,
  } = await context.ask(queryFor(first), {
    to,
    context: { reason: `what to do about ${first.signal}` },
  });
  signal.throwIfAborted();
  if (answer === undefined) {
    return { ...response, metadata: { ...response.metadata, runbook: { to, code: error?.code } } };
  }
  const { name = to } = context.availableDelegates?.find(({ id }) => id === to) ?? {};
  const text = `${response.answer ?? ""}\n\n**What to do, from ${escaped(quote(name, 100))}:**\n\n`;
  return {
    ...response,
    answer: text + adviceIn(answer, sources, maxAnswer - text.length),
    sources: [...(response.sources ?? []), ...sources],
    metadata: { ...response.metadata, runbook: { to, sources: sources.length } },
  };
}

/** Writes a query with the condition and its message, without object names: runbooks describe conditions. */
function queryFor({ signal, object, message }: Finding): string {
  const kind = object.kind === "Pod" ? "" : ` of a ${object.kind}`;
  const said =
    message === undefined ? "" : ` ${quote(message, 200).replaceAll(object.metadata.name, "")}`;
  return `How do I stop ${signal}${kind}?${said}`;
}

/** Keeps whole paragraphs while there is room, else links to the source. A block of code is never cut. */
function adviceIn(text: string, sources: readonly Source[], room: number): string {
  if (text.length <= room) return text;
  let kept = "";
  let whole = "";
  let isCode = false;
  for (const line of text.split("\n")) {
    if (kept.length + line.length + "\n…".length > room) break;
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    kept += `${line}\n`;
    if (!isCode && line.trim() === "") whole = kept;
  }
  if (whole.trim() !== "") return `${whole.trimEnd()}\n\n…`;
  const places = sources.slice(0, 3).map(({ name }) => code(quote(name, 100)));
  return places.length === 0 ? "It is too long to stand here." : `See ${places.join(", ")}.`;
}
