import { arnPattern } from "./arn.js";
import { commandPattern } from "./command.js";
import { configKeyPattern } from "./config-key.js";
import { environmentVariablePattern } from "./environment-variable.js";
import { errorTextPattern } from "./error-text.js";
import { flagPattern } from "./flag.js";
import { identifierPattern } from "./identifier.js";
import { numberPattern } from "./number.js";
import { pathPattern } from "./path.js";
import type { Pattern } from "./pattern.js";
import { urlPattern } from "./url.js";
import { versionPattern } from "./version.js";

/** All patterns, in this order: a token that one has matched is hidden from the later ones. */
export const patterns: readonly Pattern[] = [
  arnPattern,
  urlPattern,
  errorTextPattern,
  pathPattern,
  commandPattern,
  flagPattern,
  environmentVariablePattern,
  versionPattern,
  configKeyPattern,
  identifierPattern,
  numberPattern,
];
