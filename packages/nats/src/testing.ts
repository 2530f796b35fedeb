export { hasNatsServer, type NatsServer, startNatsServer } from "./testing/nats-server.js";
