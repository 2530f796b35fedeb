import fc from "fast-check";

/** Values that look like responses, with something wrong in most of them. */
export const nearlyResponse = fc.record(
  {
    answer: fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
    sources: fc.oneof(
      fc.array(
        fc.record(
          {
            name: fc.oneof(fc.string(), fc.integer()),
            url: fc.oneof(fc.webUrl(), fc.boolean()),
            relevance: fc.oneof(fc.double(), fc.string()),
          },
          { requiredKeys: [] },
        ),
      ),
      fc.constant({}),
    ),
    delegate: fc.oneof(
      fc.record({ to: fc.string(), query: fc.oneof(fc.string(), fc.integer()) }),
      fc.array(fc.record({ to: fc.constantFrom("a", "") }, { requiredKeys: [] })),
    ),
    merge: fc.oneof(
      fc.constantFrom("merge-all", "race", "vote"),
      fc.record({ quorum: fc.integer({ min: -1, max: 3 }) }),
    ),
    confidence: fc.oneof(fc.double(), fc.double({ min: 0, max: 1, noNaN: true }), fc.string()),
    partial: fc.oneof(fc.boolean(), fc.constant("yes")),
    error: fc.record(
      {
        code: fc.constantFrom("TIMEOUT", "NOT_FOUND", "ERROR", ""),
        message: fc.oneof(fc.string(), fc.constant(undefined)),
        recoverable: fc.oneof(fc.boolean(), fc.constant("yes")),
        details: fc.oneof(fc.dictionary(fc.string(), fc.anything()), fc.constant([])),
      },
      { requiredKeys: ["code"] },
    ),
    metadata: fc.oneof(fc.dictionary(fc.string(), fc.anything()), fc.constant([])),
  },
  { requiredKeys: [] },
);
