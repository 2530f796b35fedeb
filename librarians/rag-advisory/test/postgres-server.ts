import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A Postgres server of a test's own. */
export interface PostgresServer {
  /** URL of its database, over a socket that no other server uses. */
  readonly url: string;
  stop(): void;
}

/** Where Debian and others keep a server's programs, beside the ones in PATH. */
const installed = "/usr/lib/postgresql";

/** Folder of `initdb` and `pg_ctl`; `undefined` where no server is installed. */
export function findPostgres(): string | undefined {
  const versions = existsSync(installed) ? readdirSync(installed).sort().reverse() : [];
  const folders = [
    ...versions.map((version) => join(installed, version, "bin")),
    ...(process.env.PATH ?? "").split(":"),
  ];
  return folders.find(
    (folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "pg_ctl")),
  );
}

/** Starts a server with an empty database in a folder of its own. It refuses to run as root, and runs as `postgres` then. */
export function startPostgres(bin: string): PostgresServer {
  const folder = mkdtempSync(join(tmpdir(), "pg-"));
  const user = process.getuid?.() === 0 ? accountOf("postgres") : undefined;
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const data = join(folder, "data");
  const run = (program: string, args: readonly string[]) =>
    execFileSync(join(bin, program), args, {
      cwd: folder,
      stdio: "ignore",
      env: { ...process.env, LC_ALL: "C" },
      timeout: 120_000,
      ...user,
    });
  run("initdb", ["-D", data, "-A", "trust", "-U", "test", "--no-sync", "-E", "UTF8"]);
  const server = `-k ${folder} -c listen_addresses='' -c fsync=off`;
  run("pg_ctl", ["-D", data, "-w", "-l", join(folder, "log"), "-o", server, "start"]);
  return {
    url: `postgres://test@localhost/postgres?host=${encodeURIComponent(folder)}`,
    stop() {
      run("pg_ctl", ["-D", data, "-w", "-m", "immediate", "stop"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function accountOf(name: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string) =>
    Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout.trim());
  return { uid: id("-u"), gid: id("-g") };
}
