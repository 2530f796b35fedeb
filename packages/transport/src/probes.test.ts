import {
  type AnswerEstimates,
  type AnswerProbe,
  createRouter,
  type LibrarianDefinition,
  type User,
} from "@constellation/core";
import { expect, it, onTestFinished, vi } from "vitest";
import { processes } from "../test/linked-processes.js";
import { type ServeLibrariansOptions, serveLibrarians } from "./serve-librarians.js";

const answers: Omit<LibrarianDefinition, "id"> = {
  description: "has content",
  librarian: async () => {
    throw new Error("A probe must not call the librarian.");
  },
};

/** A process with librarians, and one that probes them: messages of probes are counted. */
async function meshOf(
  librarians: readonly (Partial<LibrarianDefinition> & { readonly id: string })[],
  serving: ServeLibrariansOptions = {},
) {
  let messages = 0;
  const start = processes((link) => ({
    ...link,
    get isConnected() {
      return link.isConnected;
    },
    publish: (subject, payload, reply) => {
      if (subject.includes(".probe.")) messages++;
      link.publish(subject, payload, reply);
    },
  }));
  const open = async (definitions: typeof librarians) => {
    const { transport } = await start("probed");
    const router = createRouter({ entry: "entry", transport });
    for (const each of definitions) router.register({ ...answers, ...each });
    serveLibrarians(router, transport, { ...serving, librarians: definitions.map(({ id }) => id) });
    onTestFinished(() => router.close());
    await router.open();
    return { router, transport };
  };
  await open(librarians);
  const { router, transport } = await open([]);
  let found: AnswerEstimates = new Map();
  router.register({
    id: "entry",
    description: "probes",
    librarian: async (query, context) => {
      found = await context.probe(query, {
        vector: { embedder: "small", values: Float32Array.of(0.5, -1) },
        timeoutMs: 1_000,
      });
      return { answer: "probed" };
    },
  });
  await vi.waitFor(() => expect(transport.present().length).toBe(librarians.length), {
    timeout: 10_000,
  });
  return {
    probe: async (query: string, user?: User) => {
      await router.ask(query, { user });
      return found;
    },
    countMessages: () => messages,
  };
}

it("asks all librarians of another process by one message, and none of them is called", async () => {
  const probes: AnswerProbe[] = [];
  const { probe, countMessages } = await meshOf([
    {
      id: "umbrellas",
      canAnswer: (each) => {
        probes.push(each);
        return { chance: 0.92, coverage: 1, matches: 3 };
      },
    },
    { id: "parcels", canAnswer: () => ({ chance: 0.1 }) },
    { id: "silent" },
  ]);
  const found = await probe("where is my umbrella?");

  expect([...found.keys()].toSorted()).toEqual(["parcels", "umbrellas"]);
  expect(found.get("umbrellas")?.chance).toBeCloseTo(0.9);
  expect(countMessages()).toBe(1);
  expect(probes[0]?.query).toBe("where is my umbrella?");
  expect(probes[0]?.vector).toEqual({ embedder: "small", values: Float32Array.of(0.5, -1) });
});

it("keeps an estimate for as long as the content has the same version", async () => {
  let version = "1";
  const { probe, countMessages } = await meshOf([
    { id: "umbrellas", canAnswer: () => ({ chance: version === "1" ? 0.5 : 0.8, version }) },
  ]);
  await probe("umbrellas?");
  await probe("umbrellas?");
  expect(countMessages()).toBe(1);

  version = "2";
  await probe("another question");
  expect((await probe("umbrellas?")).get("umbrellas")?.chance).toBeCloseTo(0.8);
  expect(countMessages()).toBe(3);
});

it("probes as the user that a trusted process names, and as none for others", async () => {
  const canAnswer = ({ user }: AnswerProbe) => ({ chance: user?.id === "anna" ? 1 : 0.2 });
  const open = { id: "open", canAnswer };
  const closed = { id: "closed", canAnswer, allow: { teams: ["shop"] } };
  const anna = { id: "anna", teams: ["shop"] };

  const trusting = await meshOf([open, closed], { trustedPeers: "all" });
  expect(Object.fromEntries(await trusting.probe("q", anna))).toMatchObject({
    open: { chance: 1 },
    closed: { chance: 1 },
  });
  const others = await meshOf([open, closed]);
  const found = await others.probe("q", anna);
  expect([...found.keys()]).toEqual(["open"]);
  expect(found.get("open")?.chance).toBeCloseTo(0.2);
});
