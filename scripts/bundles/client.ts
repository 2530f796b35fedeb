import { createClient } from "@constellation/client";

const mesh = createClient({ url: "http://127.0.0.1:1", reconnect: { attempts: 0 } });
try {
  await mesh.ask("Is anyone there?");
} catch (thrown) {
  console.log(String(thrown));
}
try {
  for await (const { event } of mesh.watch("run-1")) console.log(event);
} catch (thrown) {
  console.log(String(thrown));
}
