import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { nkeys } from "@nats-io/transport-node";

/** Paths of a certificate and its key. */
export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A certificate authority in a folder, with the command `openssl`. */
export function createAuthority(folder: string) {
  const path = (name: string) => join(folder, name);
  const openssl = (...given: readonly string[]) => {
    execFileSync("openssl", given, { stdio: "ignore" });
  };
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const caFile = path("ca.pem");
  const caKey = path("ca.key");
  openssl(
    "req",
    "-x509",
    ...newKey,
    "-keyout",
    caKey,
    "-out",
    caFile,
    "-subj",
    "/CN=test authority",
  );

  return {
    caFile,
    /** Signs a certificate for the loopback address. */
    issue(name: string): Certificate {
      const [keyFile, request, certFile] = [
        path(`${name}.key`),
        path(`${name}.csr`),
        path(`${name}.pem`),
      ];
      const extensions = path(`${name}.ext`);
      writeFileSync(extensions, "subjectAltName=IP:127.0.0.1,DNS:localhost\n");
      openssl("req", ...newKey, "-keyout", keyFile, "-out", request, "-subj", `/CN=${name}`);
      openssl(
        ...["x509", "-req", "-in", request, "-CA", caFile, "-CAkey", caKey, "-CAcreateserial"],
        ...["-days", "2", "-extfile", extensions, "-out", certFile],
      );
      return { certFile, keyFile };
    },
  };
}

/**
 * An operator with accounts, as a server trusts it: the users of an account show a `.creds` file that holds
 * a JWT and the key that it is for.
 */
export function createOperator(folder: string) {
  const operator = nkeys.createOperator();
  const accounts = new Map<string, string>();
  const system = nkeys.createAccount();
  const limits = { subs: -1, conn: -1, leaf: -1, imports: -1, exports: -1, data: -1, payload: -1 };
  const storage = { mem_storage: 10_000_000, disk_storage: 10_000_000, streams: -1, consumer: -1 };
  const accountJwt = (key: nkeys.KeyPair, name: string, more: object) =>
    jwtOf(operator, key, name, {
      type: "account",
      version: 2,
      limits: { ...limits, wildcards: true, ...more },
      default_permissions: { pub: {}, sub: {} },
    });
  accounts.set(system.getPublicKey(), accountJwt(system, "SYS", {}));

  return {
    /** Adds an account. @returns Makes the `.creds` file of one of its users. */
    account(name: string): (user: string) => string {
      const account = nkeys.createAccount();
      accounts.set(account.getPublicKey(), accountJwt(account, name, storage));
      return (userName) => {
        const user = nkeys.createUser();
        const jwt = jwtOf(account, user, userName, {
          type: "user",
          version: 2,
          subs: -1,
          data: -1,
          payload: -1,
          pub: {},
          sub: {},
        });
        const file = join(folder, `${userName}.creds`);
        const seed = new TextDecoder().decode(user.getSeed());
        writeFileSync(
          file,
          `-----BEGIN NATS USER JWT-----\n${jwt}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`,
        );
        return file;
      };
    },
    /** Lines of a server's configuration. */
    configuration(): string {
      const jwt = jwtOf(operator, operator, "operator", {
        type: "operator",
        version: 2,
        system_account: system.getPublicKey(),
      });
      const preload = [...accounts].map(([key, account]) => `${key}: ${account}`);
      return `operator: ${jwt}\nsystem_account: ${system.getPublicKey()}\nresolver: MEMORY\nresolver_preload {\n${preload.join("\n")}\n}\n`;
    },
  };
}

/** A JWT as NATS signs it: with a key of Ed25519 in its own encoding. */
function jwtOf(issuer: nkeys.KeyPair, subject: nkeys.KeyPair, name: string, nats: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = {
    jti: `${name}-${Date.now()}`,
    iat: Math.floor(Date.now() / 1_000),
    iss: issuer.getPublicKey(),
    sub: subject.getPublicKey(),
    name,
    nats,
  };
  const signed = `${part({ typ: "JWT", alg: "ed25519-nkey" })}.${part(claims)}`;
  const signature = issuer.sign(new TextEncoder().encode(signed));
  return `${signed}.${Buffer.from(signature).toString("base64url")}`;
}
