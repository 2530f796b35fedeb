/** A document and its score so far. */
export interface Candidate {
  readonly slot: number;
  readonly id: string;
  readonly score: number;
}

/** Keeps the best candidates. */
export interface BestOf {
  /** Whether a candidate with this score may be kept. */
  accepts(score: number): boolean;
  offer(candidate: Candidate): void;
  /** The kept candidates, in no particular order. */
  taken(): readonly Candidate[];
}

/** Keeps the `count` best candidates: highest score, then lowest id. A binary heap, worst on top. */
export function takeBest(count: number): BestOf {
  const heap: Candidate[] = [];
  return {
    accepts: (score) => heap.length < count || score >= (heap[0]?.score ?? 0),
    offer(candidate) {
      if (heap.length < count) {
        heap.push(candidate);
        rise(heap, heap.length - 1);
      } else if (heap[0] !== undefined && isWorse(heap[0], candidate)) {
        heap[0] = candidate;
        sink(heap);
      }
    },
    taken: () => heap,
  };
}

function isWorse(a: Candidate, b: Candidate): boolean {
  return a.score < b.score || (a.score === b.score && a.id > b.id);
}

function rise(heap: Candidate[], from: number): void {
  let at = from;
  while (at > 0) {
    const up = (at - 1) >> 1;
    if (!swapIfWorse(heap, at, up)) return;
    at = up;
  }
}

function sink(heap: Candidate[]): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const [a, b] = [heap[left], heap[left + 1]];
    if (a === undefined) return;
    const worst = b !== undefined && isWorse(b, a) ? left + 1 : left;
    if (!swapIfWorse(heap, worst, at)) return;
    at = worst;
  }
}

/** Puts the worse of the two nearer the top. */
function swapIfWorse(heap: Candidate[], lower: number, upper: number): boolean {
  const [a, b] = [heap[lower], heap[upper]];
  if (a === undefined || b === undefined || !isWorse(a, b)) return false;
  heap[lower] = b;
  heap[upper] = a;
  return true;
}
