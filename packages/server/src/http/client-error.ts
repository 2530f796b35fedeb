import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { Problem } from "./problem.js";
import { apiHeaders } from "./security-headers.js";

const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_INVALID_METHOD: 405,
};

/** Answers a malformed HTTP request in the same form as all problems, and closes the connection. */
export function handleClientError({ code = "" }: NodeJS.ErrnoException, socket: Socket): void {
  if (code !== "ECONNRESET" && socket.writable) {
    const status = statuses[code] ?? 400;
    const { info } = new Problem(status, "INVALID_QUERY", "The request cannot be read.", {
      suggestion: "Check its method, its URL and its headers.",
    });
    const body = JSON.stringify({ error: info });
    const headers = {
      ...apiHeaders,
      "content-type": "application/json; charset=utf-8",
      "content-length": String(Buffer.byteLength(body)),
      connection: "close",
      ...(status === 405 && { allow: "GET, POST" }),
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
  }
  socket.destroySoon();
}
