/** The code spans of a line, and whether it has a run of backticks that is not closed. */
export interface CodeSpans {
  /** In order, each from its first backtick to the position after its last one. */
  readonly spans: readonly (readonly [start: number, end: number])[];
  readonly hasOpen: boolean;
}

const noSpans: CodeSpans = { spans: [], hasOpen: false };

/**
 * Finds the code spans of a line: a run of backticks up to the next run of the same length. Takes
 * time that grows linearly with the line.
 *
 * Source: CommonMark 0.31.2, 6.1 "Code spans".
 */
export function findCodeSpans(line: string): CodeSpans {
  if (!line.includes("`")) return noSpans;
  const closers = findClosers(line);
  const spans: [number, number][] = [];
  let hasOpen = false;
  for (let at = 0; at < line.length; ) {
    if (line[at] !== "`") {
      at += line[at] === "\\" ? 2 : 1; // an escaped backtick opens nothing
      continue;
    }
    const end = endOfRun(line, at);
    const length = end - at;
    const closer = takeFrom(closers.get(length), end);
    if (closer === undefined) {
      hasOpen = true;
      at = end;
    } else {
      spans.push([at, closer + length]);
      at = closer + length;
    }
  }
  return { spans, hasOpen };
}

/** Where runs of backticks begin, by their length, the last one first. */
function findClosers(line: string): ReadonlyMap<number, number[]> {
  const closers = new Map<number, number[]>();
  for (let at = line.indexOf("`"); at >= 0; ) {
    const end = endOfRun(line, at);
    const places = closers.get(end - at);
    if (places === undefined) closers.set(end - at, [at]);
    else places.push(at);
    at = line.indexOf("`", end);
  }
  for (const places of closers.values()) places.reverse();
  return closers;
}

function endOfRun(line: string, start: number): number {
  let end = start;
  while (line[end] === "`") end++;
  return end;
}

/** Finds the first position at or after `from`, and drops earlier ones, because the scan only moves forward. */
function takeFrom(places: number[] | undefined, from: number): number | undefined {
  for (;;) {
    const place = places?.pop();
    if (place === undefined || place >= from) return place;
  }
}
