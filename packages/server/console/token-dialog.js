import { byId } from "./element.js";
import * as server from "./server.js";

/**
 * The dialog for the token, which stays in memory.
 *
 * @param {() => void} onUse
 * @returns Opens it.
 */
export function createTokenDialog(onUse) {
  const dialog = byId("token-dialog", HTMLDialogElement);
  const input = byId("token", HTMLInputElement);
  const opener = byId("token-open", HTMLElement);

  /** @param {string} token */
  function use(token) {
    server.setToken(token);
    input.value = "";
    opener.textContent = server.hasToken() ? "Token ✓" : "Token";
  }

  function open() {
    if (!dialog.open) dialog.showModal();
  }

  opener.addEventListener("click", open);
  byId("token-forget", HTMLElement).addEventListener("click", () => {
    use("");
    dialog.close();
  });
  byId("token-form", HTMLFormElement).addEventListener("submit", () => {
    use(input.value);
    onUse();
  });
  return open;
}
