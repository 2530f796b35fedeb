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

/** What is checked, in this order: what one has taken, the later ones do not see. */
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
