import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { EvidenceEvent, EvidenceRecorder } from "./evidence-recorder.js";

/** Options for {@link createFileRecorder}. */
export interface FileRecorderOptions {
  /**
   * Bytes after which the file is put aside and a new one begun. Integer, 1 or more.
   *
   * @default 10_485_760
   */
  readonly maxBytes?: number | undefined;
}

const defaultMaxBytes = 10 * 1024 * 1024;
/** Lines that wait for the disk; more are refused, so that a disk that hangs takes no memory. */
const longestQueue = 10_000;

/**
 * Records evidence as JSON lines, one for each event, in a file that only its owner may read. The file
 * is only appended to; when it is full it is put aside as `{file}.{time}` and never touched again.
 */
export function createFileRecorder(
  file: string,
  options: FileRecorderOptions = {},
): EvidenceRecorder {
  const { maxBytes = defaultMaxBytes } = options;
  if (!Number.isInteger(maxBytes) || maxBytes < 1) {
    throw new RangeError(`maxBytes: expected an integer, 1 or more, got ${maxBytes}.`);
  }
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();
  let isThere = false;

  async function write(line: string): Promise<void> {
    if (!isThere) {
      await mkdir(dirname(file), { recursive: true });
      isThere = true;
    }
    const { size } = await stat(file).catch(() => ({ size: 0 }));
    if (size > 0 && size + Buffer.byteLength(line) > maxBytes)
      await rename(file, await freeName(file));
    await appendFile(file, line, { mode: 0o600 });
  }

  return {
    async record(event: EvidenceEvent) {
      if (waiting >= longestQueue)
        throw new Error("The evidence waits for the disk; more is not taken.");
      const line = `${JSON.stringify(event)}\n`;
      waiting++;
      const written = last.then(() => write(line)).finally(() => waiting--);
      last = written.catch(() => undefined);
      await written;
    },
    close: () => last,
  };
}

/** A name for a full file that no other has. */
async function freeName(file: string): Promise<string> {
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  for (let number = 0; ; number++) {
    const name = `${file}.${time}${number === 0 ? "" : `-${number}`}`;
    const isFree = await stat(name).then(
      () => false,
      () => true,
    );
    if (isFree) return name;
  }
}
