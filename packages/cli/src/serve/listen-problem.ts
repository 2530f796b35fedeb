/** Where a command wanted to listen. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** The message for the user when the system refuses an address: what is wrong, and what to do. */
export function listenProblem(thrown: unknown, { host, port }: ListenAddress): string {
  const { code = "", message } = thrown as NodeJS.ErrnoException;
  switch (code) {
    case "EADDRINUSE":
      return `--port ${port} is in use. Choose another, or 0 for a free one.`;
    case "EACCES":
      return `--port ${port} needs rights that this process lacks. Choose a port from 1024 on, or 0 for a free one.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `--host ${host} is not an address of this machine. Use 127.0.0.1 for this machine alone, or 0.0.0.0 for all of its addresses.`;
    default:
      return `--host ${host} --port ${port}: ${message}. Choose another host or port.`;
  }
}
