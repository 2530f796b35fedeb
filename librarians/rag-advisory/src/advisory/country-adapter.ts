import { createHash } from "node:crypto";
import { type Context, MeshError } from "@constellation/core";
import { type Analyzer, createAnalyzer } from "@constellation/retrieval";
import type { RAGCountry } from "../contract/rag-response.js";
import { countries } from "../country/countries.js";
import type { Recorded } from "../evidence/file-recorder.js";
import type { Question } from "../question/question.js";
import type { VectorStore } from "../store/vector-store.js";
import { type ChosenStatements, chooseStatements } from "./choose-statements.js";
import { sourceName } from "./citation.js";
import { fitFigures } from "./fit-figures.js";
import { describePart, retrieve } from "./retrieve.js";
import { writeAdvisory } from "./write-advisory.js";

/** What an adapter may read and use while it works on one query. */
export interface RAGAdapterContext {
  /** What was read of the query. */
  readonly question: Question;
  /** The context of the hop: model, deadline, user. */
  readonly context: Context;
  /** Aborts at the deadline or when the caller cancels. Pass it on. */
  readonly signal: AbortSignal;
  /** Records what happened, for audit. */
  readonly record: (event: Recorded) => void;
}

/**
 * Makes the advisories of one country. Every country has one, and all have this interface.
 */
export interface RAGAdapter {
  readonly country: RAGCountry;
  /**
   * Gives the advisory of a query: a value of the locked schema, which is checked. One without sources
   * and of confidence 0 says that nothing was found. Rejecting, or anything else, is a data source
   * that failed. Must stop when `signal` aborts.
   */
  query(query: string, adapterContext: RAGAdapterContext): Promise<unknown>;
}

/** Options for {@link createCountryAdapter}. */
export interface CountryAdapterOptions {
  readonly country: RAGCountry;
  /** Opens the store, once, when it is first needed. */
  readonly store: () => Promise<VectorStore>;
  /** Names the store on spans. */
  readonly dataSource: string;
  readonly recordContent: boolean;
  /** Whether the sources' own words do where there is no model, or it fails. */
  readonly isExtractive: boolean;
  readonly now: () => number;
  readonly analyzer?: Analyzer | undefined;
}

/**
 * Makes the adapter of a country over a store: retrieves, computes, and quotes the sources; the model of the
 * context, where there is one, chooses what else is quoted.
 */
export function createCountryAdapter(options: CountryAdapterOptions): RAGAdapter {
  const { country, store, now, isExtractive, analyzer = createAnalyzer() } = options;
  const own = countries[country];
  return {
    country,
    async query(_query, { question: asked, context, signal, record }) {
      const found = await retrieve(asked, { ...options, store: await store(), signal });
      signal.throwIfAborted();
      const { question, rows, conventions, notices } = fitFigures(asked, found.rows, own);
      const retrieved = { ...found, rows };
      record({
        eventType: "RAG_ADVISORY_RETRIEVAL",
        payload: {
          country,
          passages: retrieved.passages.length,
          rows: retrieved.rows.length,
          chunks: retrieved.passages.map(({ chunk, closeness }) => ({
            id: chunk.id,
            source: sourceName(chunk),
            digest: createHash("sha256").update(chunk.text).digest("hex"),
            closeness: Math.round(closeness * 1_000) / 1_000,
          })),
        },
      });
      const write = (chosen?: ChosenStatements) =>
        writeAdvisory({
          question,
          retrieved,
          conventions,
          analyzer,
          chosen,
          notices: [...notices, ...describePart(asked, rows)],
          now: now(),
        });
      const written = write();
      if (written.violations.length > 0) {
        const pieces = written.violations
          .slice(0, 20)
          .map(({ rule, act, text }) => ({ rule, act, text }));
        record({
          eventType: "RAG_ADVISORY_CONTENT_REMOVED",
          payload: { count: written.violations.length, pieces },
        });
      }
      if (written.suspect.length > 0) {
        const documents = [...new Set(written.suspect.map(({ metadata }) => metadata.document))];
        record({ eventType: "RAG_ADVISORY_DOCUMENT_FLAGGED", payload: { documents } });
      }
      if (written.advisory.sources.length === 0) return written.advisory;
      if (context.ai === undefined) {
        if (!isExtractive) throw withoutModel(context, "no-model");
        return written.advisory;
      }
      const { chosen, report } = await chooseStatements(
        question.query,
        written.quotable,
        context,
        signal,
      );
      record({ eventType: "RAG_ADVISORY_MODEL", payload: { ...report } });
      if (chosen !== undefined) return write(chosen).advisory;
      if (!isExtractive) throw withoutModel(context, report.reason ?? "no-model");
      return written.advisory;
    },
  };
}

function withoutModel({ librarian }: Context, why: string): MeshError {
  return new MeshError("AI_UNAVAILABLE", `No model chose the sentences of the advisory: ${why}.`, {
    ...(librarian !== undefined && { librarian: librarian.id }),
    suggestion: "Give the context a model that works, or leave `extractive` on.",
  });
}
