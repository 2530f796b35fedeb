import {
  type BrokerOptions,
  type Context,
  type ServiceActionsSchema,
  ServiceBroker,
} from "moleculer";
import { type Chain, type FanOut, query, type Variant, type Wired } from "./variant.js";

type Params = Record<"query", string>;

/**
 * Local service calls of Moleculer, with what it has of these rules: registry, timeout, circuit
 * breaker, bulkhead and a limit to depth. It checks no loops and cancels nothing.
 */
export const moleculer: Variant = createMoleculer("moleculer");

/** Moleculer with options of its own beside those. */
export function createMoleculer(name: string, options: BrokerOptions = {}): Variant {
  return {
    name,
    chain: (shape) => wire(chainActions(shape), options),
    fanOut: (shape) => wire(fanOutActions(shape), options),
  };
}

async function wire(actions: ServiceActionsSchema, options: BrokerOptions): Promise<Wired> {
  const broker = new ServiceBroker({
    ...options,
    logger: false,
    requestTimeout: 30_000,
    maxCallLevel: 100,
    circuitBreaker: { enabled: true },
    bulkhead: { enabled: true, concurrency: 1_000_000, maxQueueSize: 1_000_000 },
  });
  broker.createService({ name: "mesh", actions });
  await broker.start();
  return {
    ask: () => broker.call("mesh.l0", { query }),
    answers: (result) => (Array.isArray(result) ? result : [result]),
    close: () => broker.stop(),
  };
}

function chainActions({ delegations, wait }: Chain): ServiceActionsSchema {
  const actions: ServiceActionsSchema = {};
  for (let place = 0; place < delegations; place++) {
    const next = `mesh.l${place + 1}`;
    actions[`l${place}`] = async (context: Context<Params>) =>
      await context.call(next, context.params);
  }
  actions[`l${delegations}`] =
    wait === undefined
      ? async () => "ok"
      : async () => {
          await wait();
          return "ok";
        };
  return actions;
}

function fanOutActions({ children }: FanOut): ServiceActionsSchema {
  const actions: ServiceActionsSchema = {
    l0: async (context: Context<Params>) =>
      await Promise.all(
        Array.from({ length: children }, (_, index) =>
          context.call(`mesh.c${index}`, context.params),
        ),
      ),
  };
  for (let index = 0; index < children; index++) {
    const answer = `answer ${index}`;
    actions[`c${index}`] = async () => answer;
  }
  return actions;
}
