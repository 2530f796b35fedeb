import type { EvalReport, EvalResult, EvalShare } from "@constellation/testing/evals";

/** The figures of an eval, by name. */
export function figuresOf(
  { total, byTag, results }: EvalReport,
  twoLevels: EvalReport,
): Readonly<Record<string, EvalShare>> {
  const inScope = results.filter(({ tags }) => !tags.includes("nobody"));
  const delegations = results.flatMap(({ delegates }) => delegates);
  return {
    "right set of librarians": total,
    "right set, through a triage of triages": twoLevels.total,
    "right set, one librarian": byTag.one ?? none,
    "right set, several librarians": byTag.several ?? none,
    "out of scope, refused": byTag.nobody ?? none,
    "in scope, wrongly refused": share(inScope, ({ delegates }) => delegates.length === 0),
    "in scope, a librarian too many or a wrong one": share(
      inScope,
      (result) => wrongOf(result).length > 0,
    ),
    "in scope, a librarian too few": share(inScope, (result) =>
      expectedOf(result).some((id) => !result.delegates.includes(id)),
    ),
    "delegations, wrong": { passed: results.flatMap(wrongOf).length, of: delegations.length },
  };
}

const none: EvalShare = { passed: 0, of: 0 };

function wrongOf(result: EvalResult): readonly string[] {
  return result.delegates.filter((id) => !expectedOf(result).includes(id));
}

/** Whom a question names as those to ask. */
export function expectedOf({ expectations }: EvalResult): readonly string[] {
  const expected = expectations.find(({ name }) => name === "delegates")?.expected;
  return (expected as { readonly exactly: readonly string[] }).exactly; // so is every question's
}

function share(all: readonly EvalResult[], test: (result: EvalResult) => boolean): EvalShare {
  return { passed: all.filter(test).length, of: all.length };
}
