/** One line about the work, or one piece of the answer, while a librarian is still busy. */
export type Progress =
  | {
      /** What is happening now, for people: at most 4,000 characters, the rest is cut. */
      readonly message: string;
    }
  | {
      /** The next piece of the answer, as it will be in it. At most 64 Ki characters, the rest is cut. */
      readonly text: string;
      /**
       * Withdraws all text that this call reported before, such as a draft that did not pass a check: `text`,
       * which may be empty, begins it anew.
       */
      readonly replaces?: true | undefined;
    };
