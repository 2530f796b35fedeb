import { spawn } from "node:child_process";

/** Opens an address in the user's browser. Without one nothing happens. */
export function openPage(url: string): void {
  const [command = "", ...args] = findCommand(process.platform);
  const child = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  child.on("error", () => undefined); // no browser: the address is printed
  child.unref();
}

function findCommand(platform: NodeJS.Platform): readonly string[] {
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return ["xdg-open"];
}
