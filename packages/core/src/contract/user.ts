/** The user of a query. Reaches every librarian of a run unchanged. */
export interface User {
  /** Stable id in the application's own directory. */
  readonly id: string;
  readonly name?: string | undefined;
  readonly teams?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
}
