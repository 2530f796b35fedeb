import { redactSecrets, sanitizeMarkdown } from "@constellation/authoring";
import type { Response } from "@constellation/core";
import type { ClusterReader, KubernetesObject } from "../cluster/cluster-reader.js";
import { readContainers } from "../diagnosis/container-state.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { quote } from "../diagnosis/quote.js";
import { findPods } from "../fields/pods-of.js";
import type { Investigation } from "../investigation.js";
import { estimateLookup } from "./confidence.js";
import { code, escaped } from "./markdown.js";

/** Maximum number of logs that are shown, and of their lines together. */
const maxLogs = 4;
const maxLines = 40;
/** Lines of each log where the question gives no number. */
const usual = 10;
/** Maximum number of characters of a line, and of bytes of a log. */
const maxLine = 200;
const limitBytes = 64 * 1_024;

/** A container whose log is shown: without a name the only one of its pod. */
interface Place {
  readonly pod: KubernetesObject;
  readonly container: string | undefined;
}

/**
 * The last lines of the logs of what a question names, at most 40 of at most 4 containers: without what looks
 * like a secret, each line cut at 200 characters.
 */
export async function answerLogs(
  { objects, view, subject, question }: Investigation,
  reader: ClusterReader,
  signal: AbortSignal,
): Promise<Response> {
  const pods = [...new Set(objects.flatMap((object) => findPods(object, view)))];
  const all = pods.flatMap((pod): readonly Place[] => {
    const running = readContainers(pod).filter(({ isInit }) => !isInit);
    const meant = running.filter(({ name }) => question.names.includes(name));
    const containers = meant.length > 0 ? meant : running;
    return containers.length === 0
      ? [{ pod, container: undefined }]
      : containers.map(({ name }) => ({ pod, container: name }));
  });
  const shown = all.slice(0, maxLogs);
  const asked = Number(/\b(\d{1,4}) (?:log )?lines?\b/i.exec(question.query)?.[1] ?? usual);
  const each = Math.max(1, Math.min(asked, Math.floor(maxLines / Math.max(1, shown.length))));
  const previous = /\bprevious|\bbefore (?:the|its) (?:last )?restart/i.test(question.query);
  const logs = await Promise.all(
    shown.map(async ({ pod, container }) => {
      const read = (run: boolean) =>
        reader.logs({
          namespace: pod.metadata.namespace ?? "default",
          pod: pod.metadata.name,
          container,
          tailLines: each,
          limitBytes,
          previous: run,
          signal,
        });
      const first = await read(previous);
      const isEmpty = first.text === undefined || first.text.trim() === "";
      // What has just started again has written nothing yet: the run before has.
      const other = isEmpty ? await read(!previous) : first;
      const { text, problem } = (other.text ?? "").trim() === "" ? first : other;
      const isBefore = text !== undefined && (text === first.text ? previous : !previous);
      // A key of several lines is known as one only where they stand together.
      const lines = redactSecrets(text ?? "")
        .split("\n")
        .filter((line) => line.trim() !== "")
        .slice(-each)
        .map((line) => quote(line, maxLine));
      const title = `${toObjectId(pod)}${container === undefined ? "" : ` (${container})`}${isBefore ? ", the run before" : ""}`;
      return {
        title,
        lines,
        problem: text === undefined ? (problem?.code ?? "not read") : undefined,
      };
    }),
  );
  signal.throwIfAborted();
  const read = logs.filter(({ problem }) => problem === undefined);
  const unread = logs.filter(({ problem }) => problem !== undefined);
  const count = read.reduce((sum, { lines }) => sum + lines.length, 0);
  const head =
    shown.length === 0
      ? `${subject}: no pod of it was read, so no log could be read`
      : read.length === 0
        ? `${subject}: no log could be read`
        : `${subject}: the last ${count} lines of ${read.length} ${read.length === 1 ? "log" : "logs"}`;
  const blocks = read.map(({ title, lines }) =>
    [
      code(title),
      "",
      ...(lines.length === 0 ? ["- it is empty"] : lines.map((line) => `- ${code(line)}`)),
    ].join("\n"),
  );
  const tail = [
    ...(unread.length === 0
      ? []
      : [
          `Not read: ${unread.map(({ title, problem }) => `log of ${title} (${problem})`).join(", ")}.`,
        ]),
    ...(all.length > shown.length ? [`${all.length - shown.length} more logs are not shown.`] : []),
  ];
  const isPartial = read.length === 0 || unread.length > 0;
  return {
    answer: sanitizeMarkdown(
      [`**${escaped(head)}.**`, ...blocks, tail.join("\n")]
        .filter((part) => part !== "")
        .join("\n\n"),
    ),
    confidence: estimateLookup(question.query, isPartial),
    ...(isPartial && { partial: true }),
    sources: (shown.length === 0 ? objects : shown.map(({ pod }) => pod))
      .slice(0, maxLogs)
      .map((one) => ({ name: toObjectId(one), type: "object" })),
    metadata: {
      facts: [],
      lookup: { kind: "logs", text: head, lines: read.flatMap(({ lines }) => lines) },
    },
  };
}
