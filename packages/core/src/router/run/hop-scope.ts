import type { MergeStrategy } from "../../contract/response.js";
import type { User } from "../../contract/user.js";
import type { BudgetLedger } from "./budget-ledger.js";

/** What hops of one path have in common, until one of them asks for something else. */
export interface HopScope {
  /** With the rights that the hops above left it. */
  readonly user: User | undefined;
  readonly metadata: Readonly<Record<string, unknown>> | undefined;
  /** Why its librarian was chosen; may be anything. */
  readonly reason: unknown;
  readonly merge: MergeStrategy | undefined;
  readonly ledger: BudgetLedger | undefined;
}
