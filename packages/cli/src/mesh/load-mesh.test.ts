/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how a mesh file names variables */
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { folderWith, shopMesh } from "../../test/folder.js";
import { ConfigurationError } from "../configuration-error.js";
import { loadMesh, loadTimeoutMs } from "./load-mesh.js";

type Files = Readonly<Record<string, string>>;

function load(files: Files, env: Readonly<Record<string, string>> = {}, file = "mesh.yaml") {
  return loadMesh(file, { cwd: folderWith(files), env });
}

/** The lines that a wrong mesh file is refused with. */
async function problems(mesh: string, env: Readonly<Record<string, string>> = {}) {
  const refused: unknown = await load({ ...shopMesh, "mesh.yaml": mesh }, env).catch(
    (thrown: unknown) => thrown,
  );
  expect(refused).toBeInstanceOf(ConfigurationError);
  return (refused as ConfigurationError).message.split("\n");
}

const echo = `export const createLibrarian = (options) => ({
  id: "echo",
  description: "Repeats its options.",
  librarian: async () => ({ answer: JSON.stringify(options) }),
});
`;

const answerOf = async (files: Files, env: Readonly<Record<string, string>> = {}) => {
  const { router } = await load({ "echo.js": echo, ...files }, env);
  const { answer = "" } = await router.ask("?");
  return JSON.parse(answer) as unknown;
};

describe("loadMesh", () => {
  it("makes a router with the options and librarians of the file", async () => {
    const { name, router } = await load(shopMesh);

    const { answer } = await router.ask("bread?");

    expect(name).toBe("town");
    expect(answer).toContain("12");
    expect(router.check().ok).toBe(true);
  });

  it("counts budgets of several runs in memory where no journal is named, and refuses wrong ones", async () => {
    const { journal, keepsJournal } = await load({
      ...shopMesh,
      "mesh.yaml": `${shopMesh["mesh.yaml"]}budgets: { userPerDay: { costUsd: 2 }, day: { tokens: 100 } }\n`,
    });

    expect(journal).toBeDefined();
    expect(keepsJournal).toBe(false);
    const [problem] = await problems(`${shopMesh["mesh.yaml"]}budgets: { day: { tokens: -1 } }\n`);
    expect(problem).toContain("budgets.day.tokens");
  });

  it("lets the fields of an entry override those of the package", async () => {
    const { router } = await load({
      "echo.js": echo,
      "mesh.yaml":
        'librarians: [{ use: ./echo.js, id: other, capabilities: [a.b], team: "T", delegatesTo: [] }]',
    });

    expect(router.list()).toMatchObject([
      { id: "other", capabilities: ["a.b"], team: "T", description: "Repeats its options." },
    ]);
  });

  it("lets only users ask a librarian whom its entry allows", async () => {
    const { router } = await load({
      "echo.js": echo,
      "mesh.yaml": "librarians: [{ use: ./echo.js, id: payroll, allow: { roles: [hr] } }]",
    });

    const clerk = await router.ask("?", { user: { id: "u1", roles: ["clerk"] } });
    const hr = await router.ask("?", { user: { id: "u2", roles: ["hr"] } });

    expect(clerk.error).toMatchObject({ code: "UNAUTHORIZED", details: { reason: "not-allowed" } });
    expect(hr.answer).toBeDefined();
    expect(await problems("librarians: [{ use: ./shop.js, allow: { role: [hr] } }]")).not.toEqual(
      [],
    );
  });

  it("gives a librarian what its entry asks for against failures", async () => {
    const flaky = `let calls = 0;
      export const createLibrarian = () => ({
        id: "flaky",
        description: "Fails the first time.",
        librarian: async () =>
          ++calls === 1 ? { error: { code: "DATA_SOURCE_ERROR", message: "no" } } : { answer: \`\${calls}\` },
      });
    `;
    const { router } = await load({
      "flaky.js": flaky,
      "mesh.yaml": `breaker: true
librarians: [{ use: ./flaky.js, retry: { attempts: 2, minDelayMs: 1 }, cache: { ttlMs: 60000 } }]`,
    });

    expect((await router.ask("?")).answer).toBe("2");
    expect((await router.ask("?")).answer).toBe("2"); // from the cache
    expect((await router.health()).flaky?.breaker).toBe("closed");
  });

  it("loads a package, and makes its path options relative to the file", async () => {
    const { router } = await load(
      {
        "meshes/mesh.yaml": `librarians:
  - use: "@constellation/librarian-docs"
    id: pages
    description: Runbooks of the billing service.
    options: { root: ../pages }
`,
        "pages/billing.md": "# Billing\n\n## Restart\n\nDrain the queue, then restart both pods.\n",
      },
      {},
      "meshes/mesh.yaml",
    );

    const { sources } = await router.ask("How do I restart billing?", { to: "pages" });

    expect(sources).toMatchObject([{ name: "billing.md#Restart" }]);
  });

  it("leaves a URL as it is where a path could be given", async () => {
    const { router } = await load({
      "catalog.yaml": "[]",
      "mesh.yaml": `librarians:
  - use: "@constellation/librarian-workflow-selector"
    options: { catalog: catalog.yaml, outcomes: "postgres://127.0.0.1:1/none?connect_timeout=1" }
`,
    });

    const { metadata } = await router.ask(JSON.stringify({ signal_type: "OOMKilled" }));

    // As a path it would have named a file, which is not there, and been read as empty.
    expect(JSON.stringify(metadata)).toContain("cannot be read and were not used");
  });

  it("finds a package beside the mesh file first, also one that can only be imported", async () => {
    const manifest = (exports: object) => JSON.stringify({ name: "x", type: "module", exports });
    const { router } = await load({
      "node_modules/@constellation/librarian-docs/package.json": manifest({
        ".": { types: "./none.d.ts", import: { node: "./echo.js" } },
      }),
      "node_modules/@constellation/librarian-docs/echo.js": echo,
      "node_modules/tools/package.json": manifest({ "./desk": { default: "./desk.js" } }),
      "node_modules/tools/desk.js": shopMesh["desk.js"] ?? "",
      "mesh.yaml": 'librarians: [{ use: "@constellation/librarian-docs" }, { use: tools/desk }]',
    });

    expect(router.list().map(({ id }) => id)).toEqual(["echo", "desk"]);
  });

  it("loads a module whose default export is a router", async () => {
    const core = import.meta.resolve("@constellation/core");
    const files = {
      "mesh.js": [
        `import { createRouter } from ${JSON.stringify(core)};`,
        "const router = createRouter();",
        'const librarian = async () => ({ answer: "yes" });',
        'router.register({ id: "a", description: "Answers.", librarian });',
        "export default router;",
      ].join("\n"),
      "none.js": "export const router = 1;",
    };

    const { router } = await load(files, {}, "mesh.js");

    expect(await router.ask("?")).toMatchObject({ answer: "yes" });
    await expect(load(files, {}, "none.js")).rejects.toThrow(
      "none.js: its default export is not a router",
    );
  });

  it("reports line and column of every mistake", async () => {
    expect(
      await problems(`name: town
entrie: desk
timeoutMs: -5
librarians:
  - use: ./desk.js
    delegateTo: [shop]
  - use: 12
`),
    ).toEqual([
      'mesh.yaml:2:1: entrie: unknown key. Did you mean "entry"? Valid keys: name, entry, timeoutMs, startTimeoutMs, maxDepth, maxHops, maxFanout, fanoutConcurrency, concurrency, maxQueue, maxQueryLength, maxAnswerLength, maxSources, maxMetadataLength, maxMetadataDepth, retry, breaker, singleFlight, merge, blendTimeoutMs, loops, budget, recordContent, secrets, transport, model, journal, budgets, telemetry, server, mcp, librarians.',
      "mesh.yaml:3:12: timeoutMs: expected milliseconds, 1 to 2147483647, got -5.",
      'mesh.yaml:6:5: librarians[0].delegateTo: unknown key. Did you mean "delegatesTo"? Options of the package belong under `options:`. Valid keys: use, options, id, name, description, team, capabilities, examples, vocabulary, delegatesTo, effects, acts, idempotent, version, timeoutMs, concurrency, retry, breaker, singleFlight, hedge, adaptiveConcurrency, cache, fallback, allow, services.',
      "mesh.yaml:7:10: librarians[1].use: expected the name of a package, or the path of a file, got 12.",
    ]);
  });

  it("points at the option of a package that is wrong, missing or unknown", async () => {
    expect(
      await problems(`librarians:
  - use: "@constellation/librarian-triage"
    options:
      maxDelegates: 99
      treshold: 0.4
  - use: "@constellation/librarian-docs"
    id: docs
    options: { root: . }
  - use: "@constellation/librarian-triage"
    id: "again"
    options: { id: twice }
`),
    ).toEqual([
      "mesh.yaml:4:21: librarians[0].options.maxDelegates: expected an integer from 1 to 16, got 99.",
      expect.stringMatching(
        /^mesh.yaml:5:7: librarians\[0\].options.treshold: unknown key. Did you mean "threshold"\?/,
      ),
      "mesh.yaml:8:5: librarians[1].options.description: expected a sentence about the pages, got nothing.",
      "mesh.yaml:11:20: librarians[2].options.id: is also given beside `options:`. Keep one of them.",
    ]);
  });

  it.each([
    [
      "librarians: [{ use: ./none.js }]",
      'mesh.yaml:1:21: librarians[0].use: "./none.js": file not found.',
    ],
    [
      "librarians: [{ use: not-there-at-all }]",
      'mesh.yaml:1:21: librarians[0].use: "not-there-at-all": is not installed. Run: npm install not-there-at-all.',
    ],
    [
      "librarians: [{ use: yaml }]",
      'mesh.yaml:1:21: librarians[0].use: "yaml" exports no createLibrarian, so it is not a librarian.',
    ],
    [
      'librarians: [{ use: "https://x.example/a.js" }]',
      'mesh.yaml:1:21: librarians[0].use: expected the name of a package, or a path that begins with ./, ../ or /, got "https://x.example/a.js".',
    ],
    [
      "librarians: []",
      "mesh.yaml:1:13: librarians: expected at least one librarian, got a list of 0.",
    ],
    ["name: x", "mesh.yaml:1:1: librarians: expected a list of librarians, got nothing."],
    ["[]", "mesh.yaml:1:1: expected a mesh: librarians, name, entry ..., got a list of 0."],
    ["", "mesh.yaml:1:1: expected a mesh: librarians, name, entry ..., got nothing."],
    [
      "librarians: [{ use: ./desk.js }, { use: ./desk.js }]",
      'mesh.yaml:1:34: librarians[1]: id: "desk" is registered already. Unregister it first, or choose another id.',
    ],
    [
      "name: a\n---\nname: b",
      "mesh.yaml:2:1: a mesh is one YAML document. Put the other in its own file.",
    ],
    ["name: *b\nentry: &b a", "mesh.yaml:1:7: *b: there is no &b before it."],
    [
      "name: a\nentry: ${NAME",
      'mesh.yaml:2:8: "${NAME" is not an environment variable. Write ${NAME} or ${NAME:-value}, or $${ for a text that begins so.',
    ],
    [
      'name: "a-${NAME:?needed}"',
      'mesh.yaml:1:7: "${NAME:?needed}" is not an environment variable. Write ${NAME} or ${NAME:-value}, or $${ for a text that begins so.',
    ],
    ["? [a]\n: b", "mesh.yaml:1:3: a key is text, not a map or a list."],
    ["name: a\nname: b", "mesh.yaml:2:1: name: is given twice. Keep one of them."],
    [
      "librarians: [{ use: ./desk.js }",
      "mesh.yaml:1:32: Flow sequence in block collection must be sufficiently indented and end with a ]",
    ],
    ["name: !!js/function x", "mesh.yaml:1:7: Unresolved tag: tag:yaml.org,2002:js/function"],
    [
      "model: { provider: antropic }\nlibrarians: [{ use: ./desk.js }]",
      'mesh.yaml:1:20: model.provider: expected provider: anthropic or openai-compatible, got "antropic".',
    ],
    [
      "model: { provider: anthropic, apiKey: x }\nlibrarians: [{ use: ./desk.js }]",
      expect.stringMatching(
        /^mesh.yaml:1:31: model.apiKey: unknown key. Secrets come from the environment/,
      ),
    ],
  ])("refuses %j", async (mesh, problem) => {
    expect(await problems(mesh)).toEqual([problem]);
  });

  it("names a librarian that rejects its options, and its message", async () => {
    await expect(
      load({
        "mesh.yaml": "librarians: [{ use: ./no.js }]",
        "no.js":
          'export const createLibrarian = () => { throw new TypeError("stock: is missing"); };',
      }),
    ).rejects.toThrow(
      'mesh.yaml:1:14: librarians[0]: "./no.js" rejected its options: stock: is missing',
    );
  });

  it("hides the value of a variable that a librarian repeats when it rejects its options", async () => {
    const files = {
      "mesh.yaml": 'librarians: [{ use: ./no.js, options: { key: "${SHOP_KEY}" } }]',
      "no.js":
        "export const createLibrarian = ({ key }) => { throw new TypeError(`key: ${key} is odd`); };",
    };

    await expect(load(files, { SHOP_KEY: "correct horse" })).rejects.toThrow(
      '"./no.js" rejected its options: key: ${SHOP_KEY} is odd',
    );
  });

  it("puts in environment variables, typed where the text is plain", async () => {
    const mesh = `timeoutMs: \${TIME:-5000}
librarians:
  - use: ./echo.js
    options:
      plain: \${COUNT}
      quoted: "\${COUNT}"
      within: a-\${COUNT}-\${NONE:-b}
      kept: $\${COUNT}
      empty: "\${NONE:-}"
`;

    expect(await answerOf({ "mesh.yaml": mesh }, { COUNT: "7" })).toEqual({
      plain: 7,
      quoted: "7",
      within: "a-7-b",
      kept: "${COUNT}",
      empty: "",
    });
  });

  it("never lets a variable change more than its own value", async () => {
    const mesh = "librarians:\n  - use: ./echo.js\n    options:\n      a: ${EVIL}\n";

    expect(await answerOf({ "mesh.yaml": mesh }, { EVIL: "x\n      b: 1 # ${COUNT}" })).toEqual({
      a: "x\n      b: 1 # ${COUNT}",
    });
  });

  it("reports a variable that is not set, and shows no value", async () => {
    const mesh = "name: ${NAME}\ntimeoutMs: ${SECRET}\nlibrarians: [{ use: ./desk.js }]\n";

    expect(await problems(mesh)).toEqual([
      "mesh.yaml:1:7: the environment variable NAME is not set. Set it, or give a default: ${NAME:-value}.",
      "mesh.yaml:2:12: the environment variable SECRET is not set. Set it, or give a default: ${SECRET:-value}.",
    ]);
    expect(await problems(mesh, { NAME: "a", SECRET: "hunter2" })).toEqual([
      "mesh.yaml:2:12: timeoutMs: expected milliseconds, 1 to 2147483647, got the value of SECRET.",
    ]);
  });

  it("does not repeat a password that is in a URL", async () => {
    const [line] = await problems(
      'entry: "postgres://ann:hunter2@db/x"\nlibrarians: [{ use: ./desk.js }]',
    );

    expect(line).toContain('got "postgres://[REDACTED]@db/x"');
  });

  it("works without a model where its key is not set, with a notice", async () => {
    const mesh = `model: { provider: anthropic }\n${shopMesh["mesh.yaml"]}`;
    const local = `model: { provider: openai-compatible, baseURL: "http://localhost:1/v1", model: m, apiKeyEnv: LOCAL_KEY }\n${shopMesh["mesh.yaml"]}`;

    const notices = await Promise.all([
      load({ ...shopMesh, "mesh.yaml": mesh }).then((one) => one.notices),
      load({ ...shopMesh, "mesh.yaml": mesh }, { ANTHROPIC_API_KEY: "k" }).then(
        (one) => one.notices,
      ),
      load({ ...shopMesh, "mesh.yaml": local }).then((one) => one.notices),
      load({ ...shopMesh, "mesh.yaml": local }, { LOCAL_KEY: "k" }).then((one) => one.notices),
    ]);

    expect(notices).toEqual([
      ["ANTHROPIC_API_KEY is not set: no model is used."],
      [],
      ["LOCAL_KEY is not set: no model is used."],
      [],
    ]);
  });

  it("gives librarians the model", async () => {
    const { router } = await load(
      {
        "mesh.yaml": "model: { provider: anthropic }\nlibrarians: [{ use: ./has.js }]",
        "has.js": `export const createLibrarian = () => ({
          id: "has",
          description: "Says whether there is a model.",
          librarian: async (query, context) => ({ answer: String(context.ai !== undefined) }),
        });`,
      },
      { ANTHROPIC_API_KEY: "k" },
    );

    expect(await router.ask("?")).toMatchObject({ answer: "true" });
  });

  it("waits no longer than a limit, or the signal, for what never loads", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const files = {
      "stuck.js": "export const createLibrarian = () => new Promise(() => {});",
      "mesh.yaml": "librarians: [{ use: ./stuck.js }]",
      "mesh.js": "export default new Promise(() => {});",
    };
    const cwd = folderWith(files);
    const late = async (file: string) => {
      const loading = loadMesh(file, { cwd, env: {} }).catch((thrown: Error) => thrown.message);
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { interval: 1, timeout: 20_000 });
      vi.advanceTimersByTime(loadTimeoutMs);
      return loading;
    };

    expect(await late("mesh.yaml")).toMatch(
      /^mesh\.yaml:1:14: librarians\[0\]: "\.\/stuck\.js" was not loaded after 30 s\./,
    );
    expect(await late("mesh.js")).toMatch(/^mesh\.js: its router was not loaded after 30 s\./);
    await expect(loadMesh("mesh.js", { cwd, signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "TIMEOUT",
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("reports a file that does not exist or is not a mesh", async () => {
    await expect(load({})).rejects.toThrow("mesh.yaml: file not found.");
    await expect(load({ "a.txt": "" }, {}, "a.txt")).rejects.toThrow("a mesh is a .yaml");
    await expect(loadMesh("m.yaml", { cwd: join("/", "nowhere") })).rejects.toThrow(
      "m.yaml: file not found.",
    );
  });
});
