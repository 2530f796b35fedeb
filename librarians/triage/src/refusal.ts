import { type Delegate, type ErrorInfo, MeshError } from "@constellation/core";
import { plainLine } from "./plain-line.js";

/** Maximum number of librarians that a suggestion names. */
const maxNamed = 4;
/** Maximum number of characters of what one librarian says about itself. */
const maxTextLength = 90;

/** No one fits: says what can be asked instead, beginning with who came closest. `note` ends the message. */
export function outOfDomain(
  id: string,
  delegates: readonly Delegate[],
  closest: readonly Delegate[],
  note: string,
): ErrorInfo {
  const named = [...new Set([...closest, ...delegates.slice(0, maxNamed)])].slice(0, maxNamed);
  const message =
    named.length === 0
      ? "No librarian is available to delegate the query to."
      : `The query is out of domain: no available librarian answers it${note}.`;
  const error = new MeshError("NOT_FOUND", message, { librarian: id, reason: "out-of-domain" });
  return {
    ...error.toInfo(),
    recoverable: false,
    suggestion: suggestionFor(named, delegates.length),
  };
}

/** Several fit equally well: asks the caller which of them is meant. `note` ends the message. */
export function askBack(id: string, tied: readonly Delegate[], note: string): ErrorInfo {
  const named = tied.slice(0, maxNamed);
  const names = named.map(({ id: own, name }) => short(name ?? own));
  return new MeshError("INVALID_QUERY", `Several librarians fit the query equally well${note}.`, {
    librarian: id,
    suggestion: `Which is meant: ${names.join(" or ")}? Ask again with its name, or with more words.`,
    details: { candidates: tied.slice(0, 16).map((each) => each.id) },
  }).toInfo();
}

function suggestionFor(named: readonly Delegate[], total: number): string {
  if (named.length === 0) return "Register a librarian that it may delegate to, then ask again.";
  const subjects = named.map((delegate) => {
    const { id, name, description = "", examples = [] } = delegate;
    const [example] = examples;
    const what = example === undefined ? short(description) : `"${short(example)}"`;
    return what === "" ? short(name ?? id) : `${short(name ?? id)}: ${what}`;
  });
  const more = total > named.length ? "; and more" : "";
  return `Ask about what a librarian knows. ${subjects.join("; ")}${more}.`;
}

/** Without an end mark that would be before ours. */
function short(text: string): string {
  return plainLine(text, maxTextLength).replace(/\.$/, "");
}
