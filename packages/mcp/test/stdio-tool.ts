/** A server of another party on standard streams, whose tool does to it what it is asked. */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { text, toolServer } from "./tool-server.js";

serveStdio(() =>
  toolServer((query) => {
    if (query === "die") process.exit(1);
    if (query === "hang") while (true); // not even a ping is answered
    if (query === "shout") return text("x".repeat(50_000_000));
    if (query === "babble") process.stdout.write("this is not a message\n{}\n");
    return text(
      `${process.pid}: ${process.env.TICKETS ?? "no"} tickets, ${process.env.SECRET ?? "no secret"}`,
    );
  }),
);
