import type { Question } from "./questions.js";

/** A question and who was asked. */
export interface Asked extends Question {
  readonly asked: readonly string[];
}

/** Counts of right ones of how many. */
export interface Share {
  readonly right: number;
  readonly of: number;
}

/** The figures of an eval, by name. */
export function figuresOf(all: readonly Asked[]): Readonly<Record<string, Share>> {
  const inScope = all.filter(({ expect }) => expect.length > 0);
  const one = inScope.filter(({ expect }) => expect.length === 1);
  const several = inScope.filter(({ expect }) => expect.length > 1);
  const outOfScope = all.filter(({ expect }) => expect.length === 0);
  return {
    "right set of librarians": share(all, isRight),
    "right set, one librarian": share(one, isRight),
    "right set, several librarians": share(several, isRight),
    "out of scope, refused": share(outOfScope, isRight),
    "in scope, wrongly refused": share(inScope, ({ asked }) => asked.length === 0),
    "in scope, a librarian too many or a wrong one": share(inScope, hasWrong),
    "in scope, a librarian too few": share(inScope, ({ expect, asked }) =>
      expect.some((id) => !asked.includes(id)),
    ),
    "delegations, wrong": {
      right: all.reduce((sum, each) => sum + wrongOf(each).length, 0),
      of: all.reduce((sum, { asked }) => sum + asked.length, 0),
    },
  };
}

export function isRight(each: Asked): boolean {
  return each.asked.length === each.expect.length && !hasWrong(each);
}

function hasWrong(each: Asked): boolean {
  return wrongOf(each).length > 0;
}

function wrongOf({ expect, asked }: Asked): readonly string[] {
  return asked.filter((id) => !expect.includes(id));
}

function share(all: readonly Asked[], test: (each: Asked) => boolean): Share {
  return { right: all.filter(test).length, of: all.length };
}
