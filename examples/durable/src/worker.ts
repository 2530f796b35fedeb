import { createServer } from "node:http2";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import { openMesh } from "./mesh.js";

// A process that works: `worker.ts INGRESS LOG PORT`. Restate calls it at this port.

const [ingress = "", log = "", port = "0"] = process.argv.slice(2);
const { journal } = openMesh(ingress, log);
const services = [...journal.services];
createServer(createEndpointHandler({ services, logger: () => undefined })).listen(
  Number(port),
  "127.0.0.1",
  () => process.send?.("ready"),
);
