import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { RequestLog } from "@constellation/server";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { echo, serveMesh } from "./served-mesh.js";

const token = "correct-horse-battery";
const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });

describe("a server with tokens", () => {
  it("admits a valid token, and passes its user to the librarians", async () => {
    const seen = vi.fn();
    const mesh = await serveMesh(
      {
        spy: async (_query, context) => {
          seen(context?.user);
          return { answer: "ok" };
        },
      },
      { auth: { tokens: [{ token, user: { id: "ada", teams: ["platform"] } }] } },
    );

    const reply = await mesh.post("/ask", { query: "hi" }, bearer(token));

    expect(reply.status).toBe(200);
    expect(seen).toHaveBeenCalledWith({ id: "ada", teams: ["platform"] });
  });

  it.each([
    ["no token", {}],
    ["another token", bearer("correct-horse-batterx")],
    ["a part of the token", bearer(token.slice(0, -1))],
    ["another scheme", { headers: { authorization: `Basic ${token}` } }],
    ["an endless token", bearer("x".repeat(9_000))],
  ])("refuses %s with 401, and calls no librarian", async (_what, init) => {
    const librarian = vi.fn(echo);
    const mesh = await serveMesh({ librarian }, { auth: { tokens: [{ token }] } });

    const reply = await mesh.post("/ask", { query: "hi" }, init);

    expect(reply.status).toBe(401);
    expect(reply.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(await reply.json()).toMatchObject({ error: { code: "UNAUTHORIZED" } });
    expect(librarian).not.toHaveBeenCalled();
  });

  it.each([
    ["/", 200],
    ["/console/main.js", 200],
    ["/healthz", 200],
    ["/readyz", 200],
    ["/metrics", 401],
    ["/librarians", 401],
    ["/openapi.json", 401],
    ["/runs", 401],
    ["/runs/1", 401],
    ["/ask/stream?query=a", 401],
  ])("answers %s without a token with %i", async (path, status) => {
    const mesh = await serveMesh({ echo }, { auth: { tokens: [{ token }] } });

    expect((await mesh.fetch(path)).status).toBe(status);
  });

  it("opens the endpoints that `open` names, and closes the rest", async () => {
    const mesh = await serveMesh({ echo }, { auth: { tokens: [{ token }] }, open: ["metrics"] });

    expect((await mesh.fetch("/metrics")).status).toBe(200);
    expect((await mesh.fetch("/healthz")).status).toBe(401);
    expect((await mesh.fetch("/")).status).toBe(401);
  });

  it("refuses an address that guesses with 429, and admits every valid token behind it", async () => {
    const mesh = await serveMesh(
      { echo },
      { auth: { tokens: [{ token }] }, limits: { requestsPerMinute: 3 } },
    );
    const guess = async (guessed: string) => (await mesh.fetch("/runs", bearer(guessed))).status;

    expect([await guess("a"), await guess("b"), await guess("c"), await guess("d")]).toEqual([
      401, 401, 401, 429,
    ]);
    expect((await mesh.fetch("/runs", bearer(token))).status).toBe(200);
  });

  it("refuses a wrong token that comes from many addresses with 429", async () => {
    const mesh = await serveMesh(
      { echo },
      {
        auth: { tokens: [{ token }] },
        trustedProxies: ["127.0.0.1"],
        limits: { requestsPerMinute: 2 },
      },
    );
    const guess = async (address: string) => {
      const headers = { authorization: "Bearer stolen", "x-forwarded-for": address };
      return (await mesh.fetch("/runs", { headers })).status;
    };

    expect([await guess("10.0.0.1"), await guess("10.0.0.2"), await guess("10.0.0.3")]).toEqual([
      401, 401, 429,
    ]);
  });

  it("reveals no token: not in answers, logs or metrics", async () => {
    const lines: RequestLog[] = [];
    const mesh = await serveMesh(
      { echo },
      { auth: { tokens: [{ token }] }, log: (line) => lines.push(line), open: ["metrics"] },
    );

    const texts = await Promise.all(
      [
        mesh.post("/ask", { query: "hi" }, bearer(token)),
        mesh.post("/ask", { query: "hi", token }, bearer(token)),
        mesh.fetch(`/ask/stream?query=${token}&${token}=1`, bearer(token)),
        mesh.fetch(`/no/${token}`, bearer(token)),
        mesh.fetch("/runs", bearer(`${token}x`)),
      ].map(async (reply) => (await reply).text()),
    );

    expect(texts[0]).not.toContain(token);
    expect(texts.slice(3).join()).not.toContain(token);
    expect(lines).toHaveLength(5);
    expect(JSON.stringify(lines)).not.toContain(token);
    expect(await (await mesh.fetch("/metrics")).text()).not.toContain(token);
  });
});

describe("a server with JWT", () => {
  it("verifies a token and reads the user from its claims", async () => {
    const { provider, seen, ask } = await serveWithProvider();

    const status = await ask(
      await provider.sign({ sub: "ada", name: "Ada", groups: ["platform"], roles: "ops admin" }),
    );

    expect(status).toBe(200);
    expect(seen).toHaveBeenCalledWith({
      id: "ada",
      name: "Ada",
      teams: ["platform"],
      roles: ["ops", "admin"],
    });
  });

  it("reads the claims that the mapping names, in objects too", async () => {
    const { provider, seen, ask } = await serveWithProvider({
      id: "email",
      roles: "realm_access.roles",
    });

    await ask(await provider.sign({ email: "ada@example.com", realm_access: { roles: ["ops"] } }));

    expect(seen).toHaveBeenCalledWith({ id: "ada@example.com", roles: ["ops"] });
  });

  it.each<[string, JWTPayload, SignOptions]>([
    ["of another issuer", { sub: "ada", iss: "https://evil.example" }, {}],
    ["for another audience", { sub: "ada", aud: "billing" }, {}],
    ["that has expired", { sub: "ada" }, { expiresInS: -31 }],
    ["that never expires", { sub: "ada" }, { expiresInS: null }],
    ["that is not valid yet", { sub: "ada", nbf: Math.floor(Date.now() / 1_000) + 60 }, {}],
    ["without a user", { name: "nobody" }, {}],
    ["with a key that is not there", { sub: "ada" }, { kid: "other" }],
  ])("refuses a token %s", async (_what, claims, options) => {
    const { provider, seen, ask } = await serveWithProvider();

    expect(await ask(await provider.sign(claims, options))).toBe(401);
    expect(seen).not.toHaveBeenCalled();
  });

  it("takes a clock that is a little off", async () => {
    const { provider, ask } = await serveWithProvider();

    expect(await ask(await provider.sign({ sub: "ada" }, { expiresInS: -10 }))).toBe(200);
  });

  it("refuses a token without a signature, or signed with a public key as a secret", async () => {
    const { provider, ask } = await serveWithProvider();
    const claims = { sub: "ada", iss: provider.issuer, aud: "mesh" };
    const secret = new TextEncoder().encode(JSON.stringify(provider.publicKey));

    const unsigned = new UnsecuredJWT(claims).setExpirationTime("5m").encode();
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", kid: "one" })
      .setExpirationTime("5m")
      .sign(secret);

    expect(await ask(unsigned)).toBe(401);
    expect(await ask(confused)).toBe(401);
  });

  it("answers 503, not 401, while the provider does not answer", async () => {
    const { provider, ask } = await serveWithProvider();
    const signed = await provider.sign({ sub: "ada" });
    await provider.stop();

    expect(await ask(signed)).toBe(503);
  });

  it("fetches the keys once for many requests", async () => {
    const { provider, ask } = await serveWithProvider();
    const signed = await provider.sign({ sub: "ada" });

    await Promise.all([ask(signed), ask(signed), ask(signed)]);
    await ask(signed);

    expect(provider.fetched()).toBe(1);
  });

  it("takes tokens that are known here beside it", async () => {
    const { mesh, provider, ask } = await serveWithProvider();

    expect((await mesh.post("/ask", { query: "hi" }, bearer(token))).status).toBe(200);
    expect(await ask(await provider.sign({ sub: "ada" }))).toBe(200);
  });
});

interface SignOptions {
  readonly expiresInS?: number | null;
  readonly kid?: string;
}

async function serveWithProvider(user?: { readonly id?: string; readonly roles?: string }) {
  const provider = await startProvider();
  const seen = vi.fn();
  const mesh = await serveMesh(
    {
      spy: async (_query, context) => {
        seen(context?.user);
        return { answer: "ok" };
      },
    },
    {
      auth: {
        tokens: [{ token }],
        jwt: {
          jwksUrl: `${provider.issuer}/keys`,
          issuer: provider.issuer,
          audience: "mesh",
          ...(user !== undefined && { user }),
        },
      },
    },
  );
  return {
    mesh,
    provider,
    seen,
    ask: async (signed: string) =>
      (await mesh.post("/ask", { query: "hi" }, bearer(signed))).status,
  };
}

/** An identity provider of our own: one key, published on loopback. */
async function startProvider() {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" };
  let fetched = 0;
  const http = createHttpServer((_request, response) => {
    fetched++;
    response.setHeader("content-type", "application/json").end(JSON.stringify({ keys: [jwk] }));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      http.closeAllConnections();
      http.close(() => resolve());
    });
  onTestFinished(stop);
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    issuer,
    publicKey: jwk,
    stop,
    fetched: () => fetched,
    /** Lasts 60 s, unless configured otherwise; `null`: for ever. */
    sign(claims: JWTPayload, { expiresInS = 60, kid = "one" }: SignOptions = {}) {
      const jwt = new SignJWT({ iss: issuer, aud: "mesh", ...claims })
        .setProtectedHeader({ alg: "ES256", kid })
        .setIssuedAt();
      if (expiresInS !== null) jwt.setExpirationTime(Math.floor(Date.now() / 1_000) + expiresInS);
      return jwt.sign(privateKey);
    },
  };
}

describe("the metadata of a protected resource", () => {
  const jwt = {
    jwksUrl: "https://id.example.com/keys",
    issuer: "https://id.example.com",
    audience: "mesh",
  };
  const mounts = { "/mcp": async () => new Response("so") };

  it("leads an OAuth client from a 401 to the issuer, for the server and each mount", async () => {
    const mesh = await serveMesh({ echo }, { auth: { jwt }, mounts });

    for (const [path, resource] of [
      ["/ask", ""],
      ["/mcp/deep?x=1", "/mcp"],
    ] as const) {
      const refused = await mesh.post(path, {});
      const challenge = refused.headers.get("www-authenticate") ?? "";
      const metadata = `${mesh.url}/.well-known/oauth-protected-resource${resource}`;
      expect(refused.status).toBe(401);
      expect(challenge).toBe(`Bearer resource_metadata="${metadata}"`);
      expect(await (await fetch(metadata)).json()).toEqual({
        resource: `${mesh.url}${resource}`,
        authorization_servers: [jwt.issuer],
        bearer_methods_supported: ["header"],
      });
    }
  });

  it("is not there for what is no resource, nor without an identity provider", async () => {
    const path = "/.well-known/oauth-protected-resource";
    const mesh = await serveMesh({ echo }, { auth: { jwt }, mounts });
    const other = await serveMesh({ echo }, { auth: { tokens: [{ token }] }, mounts });

    expect((await mesh.fetch(`${path}/other`)).status).toBe(404);
    expect((await other.fetch(path, bearer(token))).status).toBe(404);
    expect((await other.post("/mcp", {})).headers.get("www-authenticate")).toBe("Bearer");
  });
});
