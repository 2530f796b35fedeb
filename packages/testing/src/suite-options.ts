import type { Context, Delegate, Librarian, LibrarianDefinition } from "@constellation/core";

/** The subject of the suite: a librarian, or a definition, whose `start` and `close` are called too. */
export type LibrarianUnderTest = Librarian | LibrarianDefinition<Librarian>;

/** Makes one, fresh for every check. */
export type MakeLibrarian = () => LibrarianUnderTest | Promise<LibrarianUnderTest>;

/**
 * What the suite needs to know about the librarian under test. `create` and `query` are enough;
 * checks that need more are skipped, each under its title with the option it lacks.
 */
export interface LibrarianSuiteOptions {
  /** Makes the librarian with its I/O faked. */
  readonly create: MakeLibrarian;
  /** A query it can answer, without a model. */
  readonly query: string;
  /** A query in its own domain for which it finds nothing. */
  readonly unanswerable?: string | undefined;
  /** A query out of its domain, and the librarian that could answer it. */
  readonly outOfDomain?: { readonly query: string; readonly delegate: Delegate } | undefined;
  /**
   * Makes the librarian with a dependency that fails with `thrown` whenever it is used. The suite
   * looks for the text of `thrown` in the response.
   */
  readonly failing?:
    | ((thrown: Error) => LibrarianUnderTest | Promise<LibrarianUnderTest>)
    | undefined;
  /** Makes the librarian with a dependency that never settles and ignores its signal. */
  readonly hanging?: MakeLibrarian | undefined;
  /**
   * Makes the librarian with `options` laid over those it needs. It may throw, as a factory does: the
   * suite gives it wrong ones.
   */
  readonly withOptions?:
    | ((
        options: Readonly<Record<string, unknown>>,
      ) => LibrarianUnderTest | Promise<LibrarianUnderTest>)
    | undefined;
  /**
   * For a librarian that repeats what machines wrote, such as logs and alerts: creates one whose data contains
   * `text`, so that the answer to `query` repeats it. The suite puts secrets into the text.
   */
  readonly quoting?:
    | ((text: string) => LibrarianUnderTest | Promise<LibrarianUnderTest>)
    | undefined;
  /** Fields of its context in every check, such as required `metadata`. */
  readonly context?: Pick<Context, "user" | "metadata" | "availableDelegates"> | undefined;
  /** Parts of the suite that do not apply: their checks do not appear at all. */
  readonly without?: readonly LibrarianPart[] | undefined;
  /**
   * Maximum time for one call of the librarian, beyond a deadline set for it, in milliseconds: after
   * it a check fails. Real time, so leave room for a busy machine.
   *
   * @default 10_000
   */
  readonly timeoutMs?: number | undefined;
}

/** A part of the suite. */
export type LibrarianPart =
  | "answer"
  | "sources"
  | "error"
  | "delegation"
  | "timeout"
  | "cancel"
  | "no-ai"
  | "context"
  | "options"
  | "secrets";
