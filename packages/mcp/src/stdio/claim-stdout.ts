import { Writable } from "node:stream";

/**
 * Reserves `process.stdout` for one writer: output of other code goes to `process.stderr`, so
 * that a stray `console.log` cannot break a protocol.
 */
export function claimStdout(): { readonly stream: Writable; release(): void } {
  const { stdout, stderr } = process;
  const write = stdout.write;
  const writeHere = write.bind(stdout);
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _encoding, done) {
      writeHere(chunk, (error) => done(error));
    },
  });
  // A closed pipe shows as an error of `process.stdout` itself: it ends the stream, not the process.
  const onError = (error: Error) => void stream.destroy(error);
  stdout.on("error", onError);
  stdout.write = stderr.write.bind(stderr);
  return {
    stream,
    release() {
      stdout.write = write;
      stdout.off("error", onError);
    },
  };
}
