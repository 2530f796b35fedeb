/** Who is asking. Travels unchanged to every librarian of a run. */
export interface User {
  /** Stable id in the application's own directory. */
  readonly id: string;
  readonly name?: string | undefined;
  readonly teams?: readonly string[] | undefined;
  readonly roles?: readonly string[] | undefined;
}
