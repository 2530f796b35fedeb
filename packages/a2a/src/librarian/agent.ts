import { AgentCard } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "@a2a-js/sdk/client";
import { isLegacyAgentCard, parseLegacyAgentCard } from "@a2a-js/sdk/compat/v0_3/client";
import { sanitizeMarkdownLine } from "@constellation/authoring";
import { MeshError } from "@constellation/core";
import { envelopeExtension } from "../envelope-extension.js";
import { createAgentFetch } from "./agent-fetch.js";

/** Address and limits of an agent. */
export interface AgentOptions {
  readonly url: string | undefined;
  readonly card: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly allowedOrigins: readonly string[];
  readonly maxReplyBytes: number;
}

/** An agent whose card was read. */
export interface ResolvedAgent {
  readonly client: Client;
  /** Name on its card. */
  readonly name: string;
  /** Whether it is a mesh that reads and writes call envelopes. */
  readonly readsEnvelopes: boolean;
  /** Skills on its card, one text each. */
  readonly skills: readonly string[];
}

/** Reads an agent's card once, when it is first asked. */
export interface Agent {
  /** @throws MeshError for a card that cannot be fetched, or is not one. */
  resolve(signal: AbortSignal): Promise<ResolvedAgent>;
  /** The skills of the card that was read last; `undefined` before. */
  skills(): readonly string[] | undefined;
  /** The card is fetched again next time. */
  invalidate(): void;
}

export function createAgent(options: AgentOptions): Agent {
  const { url, card, headers, allowedOrigins, maxReplyBytes } = options;
  const origins = new Set(allowedOrigins);
  if (url !== undefined) origins.add(new URL(url).origin);
  let resolved: ResolvedAgent | undefined;
  let skills: readonly string[] | undefined;

  const fetchImpl = createAgentFetch({ origins, headers, maxBytes: maxReplyBytes });
  const legacyCompat = { enabled: true };
  const factory = new ClientFactory({
    transports: [
      new JsonRpcTransportFactory({ fetchImpl, legacyCompat }),
      new RestTransportFactory({ fetchImpl, legacyCompat }),
    ],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl, legacyCompat }),
  });

  async function find(signal: AbortSignal): Promise<ResolvedAgent> {
    const parsed = parseCard(card ?? (await fetchCard(signal)));
    // A card from the options is trusted to name the agent's origins.
    if (card !== undefined)
      for (const each of parsed.supportedInterfaces) addOrigin(origins, each.url);
    const usable = parsed.supportedInterfaces.filter((each) => isAllowed(each.url, origins));
    if (usable.length === 0) throw notUsable(parsed, origins);
    try {
      const client = await factory.createFromAgentCard({ ...parsed, supportedInterfaces: usable });
      const { extensions = [] } = parsed.capabilities ?? {};
      const readsEnvelopes = extensions.some(({ uri }) => uri === envelopeExtension);
      return { client, name: parsed.name, readsEnvelopes, skills: describeSkills(parsed) };
    } catch {
      throw notUsable(parsed, origins);
    }
  }

  async function fetchCard(signal: AbortSignal): Promise<unknown> {
    const response = await fetchImpl(cardAddress(url ?? ""), {
      signal,
      headers: { accept: "application/json", "a2a-version": "1.0" },
    });
    try {
      return await response.json();
    } catch {
      throw cardInvalid();
    }
  }

  return {
    async resolve(signal) {
      resolved ??= await find(signal);
      ({ skills } = resolved);
      return resolved;
    },
    skills: () => skills,
    invalidate() {
      resolved = undefined;
    },
  };
}

/** Reads a card of either revision, and checks the fields that are used. */
function parseCard(raw: unknown): AgentCard {
  try {
    const card = isLegacyAgentCard(raw) ? parseLegacyAgentCard(raw) : AgentCard.fromJSON(raw);
    if (card.name.trim() !== "" && card.supportedInterfaces.length > 0) return card;
  } catch {
    // A missing card counts as one without any field.
  }
  throw cardInvalid();
}

function describeSkills({ description, skills }: AgentCard): readonly string[] {
  const texts = skills.flatMap((skill) => {
    const about = [skill.name, skill.description, ...skill.tags].join("\n");
    return [about, ...skill.examples.map((example) => `${about}\n${example}`)];
  });
  return [description, ...texts];
}

function cardAddress(url: string): string {
  if (new URL(url).pathname.endsWith(".json")) return url;
  return new URL(".well-known/agent-card.json", url.endsWith("/") ? url : `${url}/`).href;
}

function addOrigin(origins: Set<string>, url: string): void {
  if (URL.canParse(url)) origins.add(new URL(url).origin);
}

function isAllowed(url: string, origins: ReadonlySet<string>): boolean {
  return URL.canParse(url) && origins.has(new URL(url).origin);
}

function cardInvalid(): MeshError {
  return new MeshError("DATA_SOURCE_ERROR", "No agent card was found at the agent's address.", {
    reason: "invalid-response",
    suggestion: "Check the librarian's url: an agent's card is at /.well-known/agent-card.json.",
  });
}

function notUsable(card: AgentCard, origins: ReadonlySet<string>): MeshError {
  const named = card.supportedInterfaces
    .slice(0, 10)
    .map(({ protocolBinding, url }) => sanitizeMarkdownLine(`${protocolBinding} ${url}`, 200));
  return new MeshError(
    "DATA_SOURCE_ERROR",
    "The agent's card names no usable interface: JSON-RPC or REST, at one of its own origins.",
    {
      suggestion: "If one of them is correct, add its origin to the librarian's allowedOrigins.",
      details: { interfaces: named, origins: [...origins] },
    },
  );
}
