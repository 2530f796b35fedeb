import { recordAt } from "../../cluster/fields.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { parseQuantity } from "../quantity.js";

/** Share from which a quota is nearly full. */
const nearlyFull = 0.9;

/** A quota with little or nothing left. What it refuses is reported where it was refused. */
export const quota: Detector = (object, _view, { signals }) => {
  const used = recordAt(object, "status", "used");
  const rows = Object.entries(recordAt(object, "status", "hard")).flatMap(([key, hard]) => {
    const hardLimit = parseQuantity(hard);
    const now = parseQuantity(used[key]);
    if (hardLimit === undefined || now === undefined || hardLimit <= 0) return [];
    return [
      { key, text: `${key} ${String(used[key])} of ${String(hard)} used`, share: now / hardLimit },
    ];
  });
  const tight = rows.filter(({ share }) => share >= nearlyFull).sort((a, b) => b.share - a.share);
  if (tight.length === 0 || !(signals.has("QuotaExceeded") || signals.has("FailedCreate")))
    return [];
  const isFull = tight.some(({ share }) => share >= 1);
  return [
    finding({
      signal: isFull ? "QuotaExceeded" : "QuotaNearlyFull",
      severity: isFull ? "medium" : "low",
      object,
      confidence: 0.9,
      summary: `ResourceQuota ${object.metadata.name} is ${isFull ? "used up" : "nearly full"}: ${tight.map(({ text, share }) => `${text} (${Math.floor(share * 100)} %)`).join(", ")}`,
      evidence: [fieldEvidence(object, "status", rows.map(({ text }) => text).join(", "))],
      next: describeCommand(object),
      values: { quota: rows.map(({ text }) => text) },
    }),
  ];
};
