import { AgentCard } from "@a2a-js/sdk";
import type { Router, User } from "@constellation/core";
import { envelopeExtension } from "../envelope-extension.js";
import {
  type AgentCardOptions,
  a2aHandlerDefaults,
  checkCardOptions,
  requireRouter,
} from "./options.js";

/** Media types of queries and of answers. */
const modes = { input: ["text/plain"], output: ["text/markdown", "application/json"] };

const noSecurity = { securitySchemes: {}, securityRequirements: [] };

const bearerSecurity: Pick<AgentCard, "securitySchemes" | "securityRequirements"> = {
  securitySchemes: {
    bearer: {
      scheme: {
        $case: "httpAuthSecurityScheme",
        value: { description: "A token of the mesh.", scheme: "Bearer", bearerFormat: "" },
      },
    },
  },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
};

/** The same in the form of protocol 0.3, whose fields are others. */
const legacyBearer = { type: "http", scheme: "Bearer", description: "A token of the mesh." };

/**
 * Describes a mesh to other agents: one skill for each librarian.
 *
 * @param options - The card's fields, `url`, the address of the agent, and the `user` who reads it: the
 *   card has only librarians that this user may ask.
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 */
export function createAgentCard(
  router: Router,
  options: AgentCardOptions & { readonly url: string; readonly user?: User | undefined },
): AgentCard {
  requireRouter(router);
  const { user, ...given } = options;
  const { name, description, version, provider, documentationUrl, url, auth, versions } =
    checkCardOptions(given);
  const skills = router.list({ user }).map((librarian) => ({
    id: librarian.id,
    name: librarian.name ?? librarian.id,
    description: librarian.description ?? librarian.id,
    tags: [...(librarian.capabilities ?? [])],
    examples: [...(librarian.examples ?? [])],
    inputModes: [],
    outputModes: [],
    securityRequirements: [],
  }));
  return {
    name: name ?? a2aHandlerDefaults.name,
    description: description ?? a2aHandlerDefaults.description,
    version: version ?? a2aHandlerDefaults.version,
    provider: provider && { ...provider },
    ...(documentationUrl !== undefined && { documentationUrl }),
    supportedInterfaces: (versions ?? a2aHandlerDefaults.versions).map((protocolVersion) => ({
      url,
      protocolBinding: "JSONRPC",
      protocolVersion,
      tenant: "",
    })),
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extensions: [
        {
          uri: envelopeExtension,
          description:
            "Carries the path and the remaining time of a call, and returns the whole response.",
          required: false,
          params: undefined,
        },
      ],
    },
    ...(auth === undefined ? noSecurity : bearerSecurity),
    defaultInputModes: [...modes.input],
    defaultOutputModes: [...modes.output],
    skills,
    signatures: [],
  };
}

/**
 * A card as JSON. Where it names 0.3, both revisions of the protocol read it: it has the fields of 1.0 and those
 * of 0.3, and each revision ignores the fields it does not know.
 *
 * @param version - The version that the request for it names.
 */
export function cardJson(
  card: AgentCard,
  version: string | undefined,
): Readonly<Record<string, unknown>> {
  const json = AgentCard.toJSON(card) as Readonly<Record<string, unknown>>; // a message is an object
  const isLegacy = card.supportedInterfaces.some(
    ({ protocolVersion }) => protocolVersion === "0.3",
  );
  if (version === "1.0" || !isLegacy) return json;
  const { bearer } = (json.securitySchemes ?? {}) as Readonly<Record<string, object>>; // of schemes
  return {
    ...json,
    ...(bearer !== undefined && {
      securitySchemes: { bearer: { ...bearer, ...legacyBearer } },
      security: [{ bearer: [] }],
    }),
    // 0.3 requires lists, also empty ones, which 1.0 leaves out.
    skills: card.skills.map(({ id, name, description, tags, examples }) => {
      return { id, name, description, tags, examples };
    }),
    protocolVersion: "0.3.0",
    url: card.supportedInterfaces[0]?.url,
    preferredTransport: "JSONRPC",
  };
}
