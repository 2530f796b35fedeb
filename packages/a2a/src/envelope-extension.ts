/** URI of the A2A extension that carries call and reply envelopes, as key of metadata too. */
export const envelopeExtension = "https://constellation.dev/a2a/extensions/call-envelope/v1";

/** Header that asks an agent to use an extension. */
export const extensionsHeader = "a2a-extensions";
