import { main, processIO } from "@constellation/cli";

const io = processIO(new AbortController().signal);
console.log(await main(["--version"], io), await main(["ask", "--help"], io));
