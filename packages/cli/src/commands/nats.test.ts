import { hasNatsServer, startNatsServer } from "@constellation/nats/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { folderWith } from "../../test/folder.js";
import { run } from "../../test/run.js";

describe("constellation nats setup", () => {
  it("prints what each role may do, without rights over streams or the subjects of others", async () => {
    const { exitCode, stdout } = await run(["nats", "setup", "--name", "shop"], {
      cwd: folderWith({}),
      env: {},
    });

    expect(exitCode).toBe(0);
    for (const user of ["caller", "librarian", "both"]) expect(stdout).toContain(`user: "${user}"`);
    const [members = ""] = stdout.split('user: "shop-admin"');
    expect(members).not.toContain("$JS.API.>");
    expect(members).not.toContain('"_INBOX');
  });

  it("refuses a member that it cannot read, and says what it expects", async () => {
    const { exitCode, stderr } = await run(["nats", "setup", "--caller", "desk"], {
      cwd: folderWith({}),
      env: {},
    });

    expect(exitCode).toBe(2);
    expect(stderr).toContain("desk=docs,deploy");
  });

  it.skipIf(!hasNatsServer())(
    "makes the buckets on a server that is set up as it prints",
    async () => {
      const words = [
        "nats",
        "setup",
        "--name",
        "shop",
        "--caller",
        "desk=docs",
        "--librarian",
        "ops=docs",
      ];
      const cwd = folderWith({});
      const { stdout } = await run(words, { cwd, env: {} });
      const configuration = stdout.replaceAll(/\$(\w+)_PASSWORD/g, "secret-of-$1");
      const server = await startNatsServer(configuration);
      onTestFinished(() => server.stop());

      const asMember = await run([...words, "--servers", server.url], {
        cwd,
        env: { NATS_USER: "desk", NATS_PASSWORD: "secret-of-DESK" },
      });
      const asAdministrator = await run([...words, "--servers", server.url], {
        cwd,
        env: { NATS_USER: "shop-admin", NATS_PASSWORD: "secret-of-SHOP_ADMIN" },
      });

      expect(asMember.exitCode).toBe(1);
      expect(asAdministrator.stderr).toContain("on one server");
      expect(asAdministrator.exitCode).toBe(0);
    },
  );
});
