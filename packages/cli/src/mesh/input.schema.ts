import { count } from "./schema-fields.js";

/** Fields of a mesh file that bound what comes into a run. */
export const inputFields = {
  maxQueryLength: count(1)
    .meta({ description: "Maximum number of characters of a query. Default: 1000000." })
    .optional(),
  maxAnswerLength: count(1)
    .meta({ description: "Maximum number of characters of an answer. Default: 1000000." })
    .optional(),
  maxSources: count(0)
    .meta({ description: "Maximum number of sources of a response. Default: 10000." })
    .optional(),
  maxMetadataLength: count(1)
    .meta({ description: "Maximum number of characters of metadata. Default: 16777216." })
    .optional(),
  maxMetadataDepth: count(1)
    .meta({ description: "Maximum number of levels of metadata. Default: 64." })
    .optional(),
};
