import { clusterParsers } from "./cluster.js";
import { documentParsers } from "./documents.js";
import type { Parser } from "./parser.js";
import { textParsers } from "./text.js";
import { wireParsers } from "./wire.js";

/** Everything that reads text of others: measured by `parser-cost`, attacked by `fuzz`. */
export const parsers: readonly Parser[] = [
  ...clusterParsers,
  ...documentParsers,
  ...wireParsers,
  ...textParsers,
];
