/** Capability of a server that reads and writes envelopes, with the versions it knows. */
export const envelopeCapability = "dev.constellation/envelope";

/** Key of a call's envelope in `_meta` of a request. */
export const callKey = "dev.constellation/call";

/** Key of a reply's envelope in `_meta` of a result. */
export const replyKey = "dev.constellation/reply";
