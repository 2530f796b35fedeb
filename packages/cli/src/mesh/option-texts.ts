// Made by `npm run reference` from the comments of core: what options are, for editors of mesh files.
export const optionTexts = {
  router: {
    name: "Names the mesh in traces and records, and on the path of calls to other meshes.",
    entry:
      "Id of the librarian that is asked when `ask` names none. Default: the only one registered.",
    timeoutMs: "Time for a whole run, in milliseconds.",
    startTimeoutMs: "Maximum time for a librarian to start, in milliseconds.",
    maxDepth: "Maximum number of librarians on one path, the entry included.",
    maxHops: "Maximum number of librarians called in one run, all branches together.",
    maxFanout: "Maximum number of delegates of one response.",
    fanoutConcurrency: "Maximum number of delegates of one response that run at once.",
    concurrency: "Maximum number of librarians that work at once, in all runs together.",
    maxQueue:
      "Maximum number of calls that wait because of `concurrency`, of the router or of a librarian.",
    merge:
      "How the responses of a fan-out become one, where neither the response nor `ask` names a strategy.",
    blendTimeoutMs:
      "Maximum time for the model's text of `ai-blend`, its repair included, in milliseconds. Default: half of what remains.",
    loops: "What counts as a loop.",
    budget: "Maximum that one run may spend on models. Default: no limit.",
    recordContent: "Records queries, answers and error messages on spans.",
    secrets:
      "Keys of `metadata` that are secret, each with the ids of the librarians it is meant for.",
    maxQueryLength: "Maximum number of characters of a query, that of a delegate included.",
    maxAnswerLength: "Maximum number of characters of an answer.",
    maxSources: "Maximum number of sources of a response.",
    maxMetadataLength: "Maximum size of metadata, of a query or of a response.",
    maxMetadataDepth:
      "Maximum number of levels of objects and arrays in metadata, refused as `maxMetadataLength` is.",
    retry:
      "Calls a librarian again after errors that may be temporary. Default: off; for a librarian, the setting of its router.",
    breaker:
      "Stops calling a librarian while most of its calls fail. Default: off; for a librarian, the setting of its router.",
    singleFlight:
      "Whether equal calls of different runs that are under way share one. Default: within a run; for a librarian, the setting of its router.",
  },
  librarian: {
    description: "What it can answer, in a sentence or two.",
    allow: "Who may ask it. Default: any user, and a query without one.",
    timeoutMs: "Maximum time for one call, in milliseconds.",
    concurrency: "Maximum number of its calls at once, in all runs of the router.",
    adaptiveConcurrency:
      "Lowers `concurrency` while it answers `RATE_LIMITED`, and raises it again as calls succeed.",
    hedge: "Calls it a second time when it is slow. Default: off.",
    fallback:
      "Ids of librarians that are asked instead, in this order, when it fails or cannot be called.",
    cache: "Caches its answers. Default: off.",
    id: "Id of the librarian, unique in its router.",
    name: "Display name. Default: the id.",
    team: "The team that owns it.",
    capabilities: "What it can do, hierarchical.",
    examples: "Examples of questions it answers well.",
    vocabulary: "A sketch of its content.",
    delegatesTo: "Ids it may delegate to. Default: any; empty: none.",
    effects: "Whether asking it changes anything outside. Default: read.",
    acts: "Its actions where `effects` is `write`, as orders begin.",
    idempotent:
      "Whether a write with an unknown outcome may be repeated, because the other side recognises `context.idempotencyKey`.",
    version: "Version of its code.",
    retry:
      "Calls a librarian again after errors that may be temporary. Default: off; for a librarian, the setting of its router.",
    breaker:
      "Stops calling a librarian while most of its calls fail. Default: off; for a librarian, the setting of its router.",
    singleFlight:
      "Whether equal calls of different runs that are under way share one. Default: within a run; for a librarian, the setting of its router.",
  },
  budget: {
    tokens: "Tokens, input and output together.",
    costUsd: "US dollars.",
  },
} as const;
