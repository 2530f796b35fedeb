import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A Postgres server of a test's own. */
export interface PostgresServer {
  /** URL of its database, over a socket that no other server uses. */
  readonly url: string;
  /** Ends it as a crash would, and starts it again. */
  restart(): void;
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

/**
 * Starts a server with an empty database in a folder of its own. It refuses to run as root, and runs as `postgres` then.
 *
 * @param settings - `name=value` each; without `fsync`, nothing waits for the disk.
 */
export function startPostgres(
  bin: string,
  settings: readonly string[] = ["fsync=off"],
): PostgresServer {
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
  const control = (...args: readonly string[]) => run("pg_ctl", ["-D", data, "-w", ...args]);
  const options = [
    `-k ${folder}`,
    ...["listen_addresses=''", ...settings].map((each) => `-c ${each}`),
  ];
  const start = () => control("-l", join(folder, "log"), "-o", options.join(" "), "start");
  run("initdb", ["-D", data, "-A", "trust", "-U", "test", "--no-sync", "-E", "UTF8"]);
  start();
  return {
    url: `postgres://test@localhost/postgres?host=${encodeURIComponent(folder)}`,
    restart() {
      control("-m", "immediate", "stop");
      start();
    },
    stop() {
      control("-m", "immediate", "stop");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function accountOf(name: string): { readonly uid: number; readonly gid: number } {
  const id = (flag: string) =>
    Number(spawnSync("id", [flag, name], { encoding: "utf8" }).stdout.trim());
  return { uid: id("-u"), gid: id("-g") };
}
