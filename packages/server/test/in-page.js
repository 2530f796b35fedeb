// What the tests of the console do inside the page.

/** Texts that are hard to read on what is behind them: contrast below 4.5, as WCAG 2.2 computes it. */
export function faintTexts() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  /** @param {readonly string[]} layers The lowest first. */
  const lightOf = (layers) => {
    if (brush === null) throw new Error("no canvas");
    for (const layer of layers) {
      brush.fillStyle = layer;
      brush.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = [...brush.getImageData(0, 0, 1, 1).data].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const faint = [];
  let looked = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const parent = node.parentElement;
    const text = node.textContent?.trim() ?? "";
    if (parent === null || text === "" || !parent.checkVisibility()) continue;
    if (parent.closest(".sr, :disabled, title, script, option, dialog") !== null) continue;
    looked++;
    const isSvg = parent instanceof SVGElement;
    const backgrounds = [];
    for (let up = /** @type {Element | null} */ (parent); up !== null; up = up.parentElement) {
      backgrounds.unshift(getComputedStyle(up).backgroundColor);
    }
    const box = isSvg ? parent.parentElement?.querySelector("rect") : undefined;
    if (box) backgrounds.push(getComputedStyle(box).fill);
    const style = getComputedStyle(parent);
    const behind = lightOf(backgrounds);
    const ink = lightOf([...backgrounds, isSvg ? style.fill : style.color]);
    const contrast = (Math.max(ink, behind) + 0.05) / (Math.min(ink, behind) + 0.05);
    if (contrast < 4.5) faint.push(`${contrast.toFixed(2)} ${text.slice(0, 40)}`);
  }
  return { looked, faint };
}

/** What one can use, and a screen reader could not name. */
export function namelessControls() {
  return [...document.querySelectorAll("button, a, input, select, textarea")]
    .filter((each) => {
      const hasLabel =
        "labels" in each && each.labels instanceof NodeList && each.labels.length > 0;
      return !hasLabel && !each.getAttribute("aria-label") && !each.textContent?.trim();
    })
    .map((each) => each.outerHTML);
}

/** Begins to count how often the tree of hops is changed. */
export function watchChanges() {
  const watched = { changes: 0 };
  Object.assign(window, { watched });
  const tree = document.querySelector("#hops");
  if (tree === null) throw new Error("no tree");
  new MutationObserver((changes) => {
    watched.changes += changes.length;
  }).observe(tree, { attributes: true, childList: true, subtree: true, characterData: true });
}

/** Everything that outlives the page, or shows in its address. */
export function keptThings() {
  return JSON.stringify([
    { ...localStorage },
    { ...sessionStorage },
    document.cookie,
    location.href,
  ]);
}

/** How the focus can be seen. */
export function focusOutline() {
  return document.activeElement && getComputedStyle(document.activeElement).outlineStyle;
}

export function pageWidth() {
  return document.documentElement.scrollWidth;
}

export function pageHeight() {
  return document.documentElement.scrollHeight;
}

/** Edges of the graph that run through the box of a librarian other than their own ends. */
export function edgesThroughBoxes() {
  const boxes = [...document.querySelectorAll(".node")].map((node) => {
    const box = node.querySelector("rect");
    return { id: node.getAttribute("data-id") ?? "", area: box?.getBBox() };
  });
  return [...document.querySelectorAll(".edge")].flatMap((edge) => {
    const path = edge.querySelector("path");
    const ends = [edge.getAttribute("data-from"), edge.getAttribute("data-to")];
    if (path === null) return [];
    const length = path.getTotalLength();
    const points = Array.from({ length: Math.ceil(length / 5) }, (_, index) =>
      path.getPointAtLength(index * 5),
    );
    const crossed = boxes.filter(
      ({ id, area }) =>
        area !== undefined &&
        !ends.includes(id) &&
        points.some(
          ({ x, y }) =>
            x > area.x && x < area.x + area.width && y > area.y && y < area.y + area.height,
        ),
    );
    return crossed.map(({ id }) => `${ends.join(" to ")} through ${id}`);
  });
}
