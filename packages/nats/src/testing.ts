export {
  hasNatsServer,
  type NatsServer,
  startNatsCluster,
  startNatsServer,
} from "./testing/nats-server.js";
