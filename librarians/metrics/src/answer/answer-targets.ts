import type { Response } from "@constellation/core";
import type { MetricsReader, Target } from "../reader/metrics-reader.js";
import { escapeMarkdown } from "./text.js";

/** Maximum number of targets that are shown one by one. */
const maxShown = 20;

/** Answers which endpoints are scraped, and why others are not. */
export function answerTargets(targets: readonly Target[], reader: MetricsReader): Response {
  const down = targets.filter(({ health }) => health === "down");
  const unknown = targets.filter(({ health }) => health === "unknown").length;
  const up = targets.length - down.length - unknown;
  const lines = [
    `**${up} of ${targets.length} targets are up, ${down.length} down${unknown > 0 ? `, ${unknown} not scraped yet` : ""}.**`,
    "",
    ...down.slice(0, maxShown).map(formatTarget),
    ...(down.length > maxShown ? [`- and ${down.length - maxShown} more`] : []),
  ];
  return {
    answer: lines.join("\n").trim(),
    confidence: targets.length === 0 ? 0.3 : 0.95,
    sources: [{ name: `${reader.name}: targets`, type: "metric" }],
    metadata: {
      facts: down.slice(0, maxShown).map(({ labels, lastError }) => ({
        signal_type: "TargetDown",
        query: `up{job="${labels.job ?? ""}",instance="${labels.instance ?? ""}"}`,
        value: 0,
        time: new Date(reader.now()).toISOString(),
        labels,
        error_message: escapeMarkdown(lastError),
      })),
    },
  };
}

function formatTarget({ labels, lastError }: Target): string {
  const name = escapeMarkdown(
    `${labels.job ?? "unnamed"} at ${labels.instance ?? "an unknown address"}`,
  );
  return `- ${name}: ${lastError === "" ? "no reason given" : escapeMarkdown(lastError)}`;
}
