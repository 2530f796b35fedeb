import {
  type DelegateDescription,
  type MatchDelegateOptions,
  matchDelegate,
} from "./match-delegate.js";

/** A delegate with the reason. It is a `DelegateRequest` of a response. */
export interface OutOfDomainDelegate {
  readonly to: string;
  readonly context: { readonly reason: string };
}

/** Options for {@link delegateOutOfDomain}. */
export interface OutOfDomainOptions extends Omit<MatchDelegateOptions, "exclude"> {
  /** Id of the delegating librarian; it is never chosen. */
  readonly id: string;
}

/**
 * Delegates a query outside the librarian's own domain to the delegate whose description fits best.
 *
 * @returns The delegate, with the reason in its context; `undefined` when none fits.
 */
export function delegateOutOfDomain(
  query: string,
  delegates: readonly DelegateDescription[],
  { id, ...options }: OutOfDomainOptions,
): OutOfDomainDelegate | undefined {
  const match = matchDelegate(query, delegates, { ...options, exclude: id });
  if (match === undefined) return undefined;
  const percent = Math.round(match.share * 100);
  const reason = `outside the domain of ${id}; the description of ${match.to} has ${percent} % of its words`;
  return { to: match.to, context: { reason } };
}
