export { createNatsTransport } from "./create-nats-transport.js";
export {
  type NatsCredentials,
  type NatsTls,
  type NatsTransportOptions,
  natsTransportDefaults,
  optionsSchema,
} from "./options.js";
