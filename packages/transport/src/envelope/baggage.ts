import { type ActiveSpan, loadedApi, otelApi } from "@constellation/core/checks";

type OtelContext = ActiveSpan["within"];

// Source: W3C Baggage, https://www.w3.org/TR/baggage/

/** Maximum number of members and of characters that are sent, and read. */
const limits = { members: 64, length: 8_192 };

/** Which members of the active baggage are sent with a call: all, none, or those with these names. */
export type BaggageChoice = "all" | "none" | readonly string[];

/** Writes the baggage of a context. @returns `undefined` where there is none to send. */
export function formatBaggage(from: OtelContext, choice: BaggageChoice): string | undefined {
  const entries = loadedApi().propagation.getBaggage(from)?.getAllEntries() ?? [];
  const members: string[] = [];
  let length = 0;
  for (const [name, { value, metadata }] of entries) {
    if (choice !== "all" && !choice.includes(name)) continue;
    const properties = metadata === undefined ? "" : `;${metadata.toString()}`;
    const member = `${encodeURIComponent(name)}=${encodeURIComponent(value)}${properties}`;
    length += member.length + 1;
    if (members.length >= limits.members || length > limits.length) break;
    members.push(member);
  }
  return members.length === 0 ? undefined : members.join(",");
}

/**
 * Adds the baggage of a caller to a context, without unreadable members.
 *
 * @beta
 */
export function withBaggage(context: OtelContext, header: string | undefined): OtelContext {
  const api = otelApi();
  if (api === undefined || header === undefined || header.length > limits.length) return context;
  const { baggageEntryMetadataFromString, propagation } = api;
  let baggage = propagation.getBaggage(context) ?? propagation.createBaggage();
  for (const member of header.split(",").slice(0, limits.members)) {
    const [pair = "", ...properties] = member.split(";");
    const [name, value] = pair.split("=").map(decode);
    if (!name || value === undefined) continue;
    const metadata = properties.join(";").trim();
    baggage = baggage.setEntry(name, {
      value,
      ...(metadata !== "" && { metadata: baggageEntryMetadataFromString(metadata) }),
    });
  }
  return propagation.setBaggage(context, baggage);
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part.trim());
  } catch {
    return undefined; // not percent-encoded text
  }
}
