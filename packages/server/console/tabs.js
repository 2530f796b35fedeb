import { element } from "./element.js";

/** @typedef {{ name: string, show: () => Node }} Tab */

/**
 * Tabs with one panel. Arrow keys move between them, as the ARIA pattern has it.
 *
 * @param {string} id Begins the ids of its elements.
 * @param {readonly Tab[]} tabs
 * @param {{ label: string, chosen: string, onChoose: (name: string) => void }} options
 */
export function tabsOf(id, tabs, { label, chosen, onChoose }) {
  const panel = element("div", {
    class: "tab-panel",
    role: "tabpanel",
    id: `${id}-panel`,
    tabindex: 0,
  });
  const buttons = tabs.map(({ name }) =>
    element(
      "button",
      { type: "button", role: "tab", id: `${id}-${name}`, "aria-controls": `${id}-panel` },
      name,
    ),
  );
  const start = Math.max(
    0,
    tabs.findIndex(({ name }) => name === chosen),
  );

  /** @param {number} index */
  function choose(index) {
    for (const [each, button] of buttons.entries()) {
      button.ariaSelected = String(each === index);
      button.tabIndex = each === index ? 0 : -1;
    }
    panel.setAttribute("aria-labelledby", buttons[index]?.id ?? "");
    panel.replaceChildren(tabs[index]?.show() ?? "");
    panel.scrollTop = 0;
  }

  const list = element("div", { class: "tab-list", role: "tablist", "aria-label": label });
  list.append(...buttons);
  list.addEventListener("click", ({ target }) => {
    const index = buttons.findIndex((button) => target instanceof Node && button.contains(target));
    if (index === -1) return;
    choose(index);
    onChoose(tabs[index]?.name ?? "");
  });
  list.addEventListener("keydown", (event) => {
    const at = buttons.findIndex((button) => button.matches(":focus"));
    const moves = /** @type {Record<string, number>} */ ({
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: buttons.length - 1,
    });
    const move = moves[event.key];
    if (at === -1 || move === undefined) return;
    event.preventDefault();
    const index = (move + buttons.length) % buttons.length;
    choose(index);
    onChoose(tabs[index]?.name ?? "");
    buttons[index]?.focus();
  });
  choose(start);
  return element("div", { class: "tabs-part" }, list, panel);
}
