import type { Context, Librarian, Response } from "@constellation/core";
import type { Chain, FanOut, Mesh, Variant, Wired } from "./variant.js";
import { query } from "./variant.js";

/** A variant whose librarians have the router's own type: the same code runs in each of them. */
export function meshVariant(name: string, createMesh: () => Mesh): Variant {
  return {
    name,
    chain: (shape) => wire(createMesh(), (mesh) => addChain(mesh, shape)),
    fanOut: (shape) => wire(createMesh(), (mesh) => addFanOut(mesh, shape)),
  };
}

function wire(mesh: Mesh, add: (mesh: Mesh) => void): Wired {
  add(mesh);
  return {
    ask: (signal) => mesh.ask("l0", query, signal),
    answers: (result) => answersOf(result as Response),
  };
}

/** Adds librarians `l0`, `l1` and so on. */
export function addChain(mesh: Mesh, { delegations, wait, readsSignal = false }: Chain): void {
  for (let place = 0; place < delegations; place++) {
    mesh.add(`l${place}`, passesTo(`l${place + 1}`, readsSignal));
  }
  mesh.add(`l${delegations}`, leaf(wait, readsSignal));
}

function passesTo(to: string, readsSignal: boolean): Librarian {
  if (!readsSignal) return async () => ({ delegate: { to } });
  return async (_query, context) => {
    lookAt(context);
    return { delegate: { to } };
  };
}

function leaf(wait: Chain["wait"], readsSignal: boolean): Librarian {
  if (readsSignal) {
    return async (_query, context) => {
      lookAt(context);
      return { answer: "ok" };
    };
  }
  if (wait === undefined) return async () => ({ answer: "ok" });
  return async () => {
    await wait();
    return { answer: "ok" };
  };
}

function lookAt(context: Context | undefined): void {
  if (context?.signal?.aborted !== false) throw new Error("no signal, or one that has aborted");
}

function addFanOut(mesh: Mesh, { children, work }: FanOut): void {
  mesh.add("l0", async () => ({
    delegate: Array.from({ length: children }, (_, index) => ({ to: `c${index}` })),
  }));
  for (let index = 0; index < children; index++) mesh.add(`c${index}`, child(index, work));
}

function child(index: number, work: FanOut["work"]): Librarian {
  const answer = `answer ${index}`;
  if (work === undefined) return async () => ({ answer });
  return async (_query, context) => {
    if (context?.signal === undefined) throw new Error("no signal");
    await work(index, context.signal);
    return { answer };
  };
}

function answersOf({ answer, metadata, error }: Response): readonly unknown[] {
  const branches = metadata?.branches;
  if (branches !== undefined) return branches.flatMap(({ response }) => answersOf(response));
  return [answer ?? error?.code];
}
