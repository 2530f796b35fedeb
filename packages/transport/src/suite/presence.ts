import { expect, it } from "vitest";
import { type SuiteMesh, untilPresent } from "./suite-mesh.js";

/** Processes that come and go. */
export function itKnowsWhoIsThere(mesh: SuiteMesh): void {
  it("is SERVICE_UNAVAILABLE at once where no process serves the librarian any more", async () => {
    const { process } = await mesh.start({ docs: async () => ({ answer: "so" }) });
    const { router } = await mesh.start({});
    await untilPresent(router, "docs");
    await process.crash();

    const { error } = await router.ask("q", { to: "docs" });

    expect(error?.code).toBe("SERVICE_UNAVAILABLE");
  });

  it("ends the calls in progress before it closes, and takes no more", async () => {
    let begun = () => {};
    const working = new Promise<void>((resolve) => (begun = resolve));
    let finish = () => {};
    const { process } = await mesh.start({
      docs: () =>
        new Promise((resolve) => {
          finish = () => resolve({ answer: "so" });
          begun();
        }),
    });
    const { router } = await mesh.start({});
    await untilPresent(router, "docs");

    const answering = router.ask("q", { to: "docs" });
    await working;
    const closed = process.transport.close();
    await expect.poll(() => router.list().map(({ id }) => id)).not.toContain("docs");
    finish();

    expect((await answering).answer).toBe("so");
    await closed;
  });

  it("forgets the librarians of a process that is lost", async () => {
    const { process } = await mesh.start({ docs: async () => ({ answer: "so" }) });
    const { router } = await mesh.start({});
    await untilPresent(router, "docs");
    expect(router.check().problems).toEqual([]);

    await process.crash();

    await expect
      .poll(() => router.list().map(({ id }) => id), { timeout: 20_000 })
      .not.toContain("docs");
  });
}
