import { attributes } from "@constellation/core";

/** What the spans of a call are called, and show, on both sides: named after the method, as for other RPC. */
export const spanDetails = {
  name: "SendMessage",
  attributes: { [attributes.carrier]: "a2a", "rpc.method": "SendMessage" },
} as const;
