import type { Context, Response } from "@constellation/core";
import type { Finding } from "../diagnosis/finding.js";
import { quote } from "../diagnosis/quote.js";
import { escaped } from "./markdown.js";

/** Most characters of what another librarian says. */
const longestAdvice = 2_500;

/**
 * Asks a librarian that knows what to do about a cause, and puts its words below the answer, with its
 * sources. Where it has nothing to say the answer stays as it is, and `metadata.runbook` tells why.
 *
 * Nobody is asked for a caller that wants facts alone (`context.metadata.wants` is `facts`).
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
  return {
    ...response,
    answer: `${response.answer ?? ""}\n\n**What to do, from ${escaped(name)}:**\n\n${shortened(answer)}`,
    sources: [...(response.sources ?? []), ...sources],
    metadata: { ...response.metadata, runbook: { to, sources: sources.length } },
  };
}

/** Names the condition and what was said of it, and no object: runbooks know conditions. */
function queryFor({ signal, object, message }: Finding): string {
  const kind = object.kind === "Pod" ? "" : ` of a ${object.kind}`;
  const said =
    message === undefined ? "" : ` ${quote(message, 200).replaceAll(object.metadata.name, "")}`;
  return `How do I stop ${signal}${kind}?${said}`;
}

/** Whole paragraphs, as many as there is room for. A block of code is never cut. */
function shortened(text: string): string {
  if (text.length <= longestAdvice) return text;
  let kept = "";
  let isCode = false;
  let whole = "";
  for (const line of text.split("\n")) {
    if (kept.length + line.length > longestAdvice) break;
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    kept += `${line}\n`;
    if (!isCode && line.trim() === "") whole = kept;
  }
  return whole === "" ? `${text.slice(0, longestAdvice)}…` : `${whole.trimEnd()}\n\n…`;
}
