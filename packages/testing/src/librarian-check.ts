import type { LibrarianPart, LibrarianSuiteOptions } from "./suite-options.js";

/** One thing that every librarian does, and how to find out. */
export interface LibrarianCheck {
  /** Names it: kebab-case, stable. */
  readonly name: string;
  readonly part: LibrarianPart;
  /** What the librarian does, as a sentence, behind the ids of the requirements it proves. */
  readonly title: string;
  /** Option without which it cannot run. */
  readonly needs?:
    | "unanswerable"
    | "outOfDomain"
    | "failing"
    | "hanging"
    | "withOptions"
    | "quoting"
    | undefined;
  /**
   * Finds out, on a fresh librarian.
   *
   * @throws AssertionError saying what the librarian did instead.
   */
  run(options: LibrarianSuiteOptions): Promise<void>;
}
