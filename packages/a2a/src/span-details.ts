import { attributes } from "@constellation/core";

/** Names and attributes of the spans of a call, on both sides: named after the method, as for other RPC. */
export const spanDetails = {
  name: "SendMessage",
  attributes: { [attributes.carrier]: "a2a", "rpc.method": "SendMessage" },
} as const;
