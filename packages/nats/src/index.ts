export { createNatsTransport } from "./create-nats-transport.js";
export {
  type NatsCredentials,
  type NatsTls,
  type NatsTransportOptions,
  natsTransportDefaults,
  optionsSchema,
} from "./options.js";
export {
  listNatsPermissions,
  type NatsMember,
  type NatsPermissions,
} from "./permissions.js";
export { printNatsAccounts, setUpNatsMesh } from "./set-up.js";
