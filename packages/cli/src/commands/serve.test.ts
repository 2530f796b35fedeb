import { describe, expect, it, onTestFinished } from "vitest";
import { folderWith, shopMesh } from "../../test/folder.js";
import { run } from "../../test/run.js";
import { post, serving } from "../../test/serving.js";

describe("constellation serve", () => {
  it("answers over HTTP, MCP and A2A on loopback until it is interrupted", async () => {
    const { exitCode, stdout } = await serving([], {}, async (url) => {
      const asked = await post(`${url}/ask`, { query: "bread?" });
      expect(await asked.text()).toContain("**12** loaves");

      const mcp = await post(`${url}/mcp`, {
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "t", version: "1" },
        },
      });
      expect(await mcp.text()).toContain('"name":"town"');

      const card = await fetch(`${url}/.well-known/agent-card.json`);
      expect(await card.json()).toMatchObject({
        name: "town",
        supportedInterfaces: [{ url: `${url}/a2a` }, { url: `${url}/a2a` }],
      });
      expect((await fetch(`${url}/`)).status).toBe(200);
    });

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Listening on http:\/\/127\.0\.0\.1:\d+\n/);
  });

  it("checks the health of 20 librarians without a warning of too many listeners", async () => {
    const warnings: string[] = [];
    const warned = ({ name }: Error) => warnings.push(name);
    process.on("warning", warned);
    onTestFinished(() => void process.off("warning", warned));
    const ids = Array.from({ length: 20 }, (_, index) => `l${index}`);

    await serving(
      [],
      {},
      async (url) => {
        expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({
          librarians: { up: 20 },
        });
      },
      {
        "constellation.yaml": `librarians:\n${ids.map((id) => `  - { use: ./healthy.js, id: ${id} }`).join("\n")}`,
        "healthy.js": `export const createLibrarian = () => ({
          id: "healthy",
          description: "Is well.",
          librarian: async () => ({ answer: "yes" }),
          health: (signal) => new Promise((resolve) => {
            signal.addEventListener("abort", () => {});
            setImmediate(() => resolve({ status: "up" }));
          }),
        });`,
      },
    );

    expect(warnings).toEqual([]);
  });

  it("says what check would find, and serves all the same", async () => {
    const mesh = "librarians:\n  - use: ./desk.js\n";
    const desk = `export const createLibrarian = () => ({
      id: "desk", description: "asks", delegatesTo: ["runbok"],
      librarian: async () => ({ answer: "yes" }),
    });`;

    const { stderr } = await serving(
      [],
      {},
      async (url) => {
        expect((await post(`${url}/ask`, { query: "q" })).status).toBe(200);
      },
      { "constellation.yaml": mesh, "desk.js": desk },
    );

    expect(stderr).toMatch(/^Note: unknown-target: .*runbok/m);
  });

  it("requires a token where CONSTELLATION_TOKENS has some, and leaves out what is switched off", async () => {
    const token = "0123456789abcdef";

    await serving(
      ["--no-mcp", "--no-a2a", "--no-console", "--log"],
      { CONSTELLATION_TOKENS: `ann:${token}` },
      async (url) => {
        expect((await post(`${url}/ask`, { query: "bread?" })).status).toBe(401);
        const headers = { authorization: `Bearer ${token}` };
        expect((await post(`${url}/ask`, { query: "bread?" }, headers)).status).toBe(200);
        expect((await post(`${url}/mcp`, {}, headers)).status).toBe(404);
      },
    ).then(({ stderr }) => {
      expect(stderr).toContain('"userId":"ann"');
      expect(stderr).not.toContain(token);
    });
  });

  it("shows the agent card without a token, with how to get in, and nothing else of the agent", async () => {
    await serving([], { CONSTELLATION_TOKENS: "ann:0123456789abcdef" }, async (url) => {
      const card = await fetch(`${url}/.well-known/agent-card.json`);

      expect(card.status).toBe(200);
      expect(await card.json()).toMatchObject({
        securitySchemes: { bearer: { type: "http", scheme: "Bearer" } },
        security: [{ bearer: [] }],
      });
      expect((await fetch(`${url}/a2a/.well-known/agent-card.json`)).status).toBe(200);
      const asked = { jsonrpc: "2.0", id: 1, method: "SendMessage", params: {} };
      for (const path of [
        "/.well-known/agent-card.json",
        "/a2a",
        "/a2a/.well-known/agent-card.json",
      ]) {
        expect((await post(`${url}${path}`, asked)).status).toBe(401);
      }
    });
  });

  it("serves and lists what librarians offer, but for those with `services: false`", async () => {
    const files = {
      "mesh.yaml": `librarians:
  - { use: ./rota.js, id: rota }
  - { use: ./rota.js, id: quiet, services: false }
`,
      "rota.js": `export const createLibrarian = () => ({
  id: "rota",
  description: "Knows who is on call.",
  librarian: async () => ({ answer: "Ada." }),
  services: { routes: { "/on-call": ({ id }) => async () => Response.json({ id }) } },
});
`,
    };

    const served = async (url: string) => {
      expect(await (await fetch(`${url}/on-call/now`)).json()).toEqual({ id: "rota" });
    };
    const { stdout } = await serving([], {}, served, files);
    const twice = await run(["serve", "--port", "0"], {
      cwd: folderWith({
        ...files,
        "mesh.yaml": files["mesh.yaml"].replace(", services: false", ""),
      }),
    });

    expect(stdout).toMatch(/^ {2}rota +http:\/\/127\.0\.0\.1:\d+\/on-call$/m);
    expect(twice).toMatchObject({ exitCode: 2 });
    expect(twice.stderr).toContain('/on-call is a route of librarian "rota" and of "quiet"');
  });

  it("names the variable of a token that is too short, and not the token", async () => {
    const env = { CONSTELLATION_TOKENS: "ann:hush-hush" };

    const { exitCode, stderr } = await run(["serve", "--port", "0"], {
      cwd: folderWith(shopMesh),
      env,
    });

    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      "CONSTELLATION_TOKENS: expected 16 to 4096 visible ASCII characters, ",
    );
    expect(stderr).toContain("`openssl rand -hex 32` makes one.");
    expect(stderr).not.toContain("hush");
  });

  it("refuses to listen on a public host without authentication", async () => {
    const { exitCode, stderr } = await run(["serve", "--port", "0", "--host", "0.0.0.0"], {
      cwd: folderWith(shopMesh),
    });

    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      "Set CONSTELLATION_TOKENS, pass --jwks-url, or pass --allow-anonymous.",
    );
  });

  it.each([
    [["--port", "99999"], "from 0 to 65535"],
    [["--issuer", "x"], "need --jwks-url"],
    [["--jwks-url", "https://id.example/jwks"], "needs --issuer and --audience"],
    [["--trust-proxy", "example.com"], "trustedProxies.0: expected an address, or a network"],
    [["--url", "mesh"], "Expected an http or https URL"],
  ])("refuses %j", async (argv, problem) => {
    const { exitCode, stderr } = await run(["serve", ...argv], { cwd: folderWith(shopMesh) });

    expect(exitCode).toBe(2);
    expect(stderr).toContain(problem);
  });

  it("keeps runs in .constellation, unless it is not to, or cannot: then it says so", async () => {
    const kept: boolean[] = [];
    const outcomes = [];
    for (const argv of [[], ["--no-journal"]]) {
      const served = async (url: string) => {
        kept.push((await fetch(`${url}/waiting`)).ok);
      };
      outcomes.push(await serving(argv, {}, served));
    }
    const files = { ...shopMesh, ".constellation": "a file, not a folder" };
    const served = async (url: string) => {
      kept.push((await fetch(`${url}/waiting`)).ok);
    };
    outcomes.push(await serving([], {}, served, files));

    expect(kept).toEqual([true, false, false]);
    expect(outcomes.map(({ stderr }) => stderr.includes("Runs are not kept"))).toEqual([
      ...[false, false, true],
    ]);
  });

  it("takes limits, open endpoints and stored runs from the mesh file, and options before them", async () => {
    const server = `journal: journal.db
server:
  limits: { bodyBytes: 64, requestsPerMinute: 3 }
  open: [healthz]
`;
    const files = { ...shopMesh, "mesh.yaml": `${server}${shopMesh["mesh.yaml"]}` };
    const env = { CONSTELLATION_TOKENS: "ann:a-token-of-sixteen-or-more" };
    const authorization = "Bearer a-token-of-sixteen-or-more";

    const { exitCode } = await serving(
      ["--requests-per-minute", "2"],
      env,
      async (url) => {
        const [large, small, third, page] = [
          await post(`${url}/ask`, { query: "bread? ".repeat(20) }, { authorization }),
          await post(`${url}/ask`, { query: "bread?" }, { authorization }),
          await post(`${url}/ask`, { query: "bread?" }, { authorization }),
          await fetch(`${url}/`),
        ];
        expect([large.status, small.status, third.status, page.status]).toEqual([
          413, 200, 429, 401,
        ]);
      },
      files,
    );
    const wrong = await run(["check"], {
      cwd: folderWith({ ...files, "mesh.yaml": `server: { limit: 3 }\n${shopMesh["mesh.yaml"]}` }),
    });

    expect(exitCode).toBe(0);
    expect(wrong.stderr).toMatch(
      /mesh\.yaml:1:\d+: server\.limit: unknown key\. Did you mean "limits"/,
    );
  });
});
