/** How far a view goes in, and out. 1: as it was drawn. */
const scales = { max: 4, readable: 0.5, min: 0.02 };
/** A step of a button or a key. */
const step = 1.5;
/** A pointer that moves less than this, in pixels, clicks. */
const minDrag = 4;

/**
 * Lets one move a picture in its frame: drag it, zoom with buttons, keys, or the wheel and Ctrl.
 *
 * @param {HTMLElement} frame Has the focus for keys. Its width stays; its height is at most that of the picture.
 * @param {{ zoomIn: HTMLElement, zoomOut: HTMLElement, fit: HTMLElement }} buttons
 */
export function createPanZoom(frame, { zoomIn, zoomOut, fit }) {
  /** @type {SVGElement | undefined} */
  let svg;
  let size = { width: 1, height: 1 };
  const view = { x: 0, y: 0, scale: 1 };

  function apply() {
    const { clientWidth: width, clientHeight: height } = frame;
    svg?.setAttribute("width", String(width));
    svg?.setAttribute("height", String(height));
    svg?.setAttribute(
      "viewBox",
      `${view.x} ${view.y} ${width / view.scale} ${height / view.scale}`,
    );
  }

  /** @param {number} minScale Minimum scale: where the whole picture would be smaller, its middle is seen, from the left. */
  function fitFrom(minScale) {
    const wide = Math.min(1, frame.clientWidth / size.width);
    frame.style.height = `${Math.ceil(size.height * Math.max(minScale, wide)) + 2}px`; // what the page has room for
    view.scale = Math.max(minScale, Math.min(wide, frame.clientHeight / size.height));
    view.x = Math.min(0, (size.width - frame.clientWidth / view.scale) / 2);
    view.y = (size.height - frame.clientHeight / view.scale) / 2;
    apply();
  }

  const fitAll = () => fitFrom(scales.min);

  /**
   * @param {number} factor
   * @param {{ x: number, y: number }} at Stays where it is, in pixels of the frame.
   */
  function zoom(factor, at = { x: frame.clientWidth / 2, y: frame.clientHeight / 2 }) {
    const scale = Math.min(scales.max, Math.max(scales.min, view.scale * factor));
    view.x += at.x / view.scale - at.x / scale;
    view.y += at.y / view.scale - at.y / scale;
    view.scale = scale;
    apply();
  }

  /**
   * @param {number} x In pixels of the frame.
   * @param {number} y
   */
  function move(x, y) {
    view.x += x / view.scale;
    view.y += y / view.scale;
    apply();
  }

  frame.tabIndex = 0;
  /** @type {{ id: number, x: number, y: number, hasMoved: boolean } | undefined} */
  let drag;
  frame.addEventListener("pointerdown", (event) => {
    if (event.button === 0)
      drag = { id: event.pointerId, x: event.clientX, y: event.clientY, hasMoved: false };
  });
  frame.addEventListener("pointermove", (event) => {
    if (drag === undefined || drag.id !== event.pointerId) return;
    const [x, y] = [drag.x - event.clientX, drag.y - event.clientY];
    if (!drag.hasMoved && Math.hypot(x, y) < minDrag) return;
    if (!drag.hasMoved) frame.setPointerCapture(event.pointerId);
    drag = { id: drag.id, x: event.clientX, y: event.clientY, hasMoved: true };
    move(x, y);
  });
  // A pointer that is captured clicks the frame: the end of a drag picks nothing.
  const endDrag = () => {
    drag = undefined;
  };
  frame.addEventListener("pointerup", endDrag);
  frame.addEventListener("pointercancel", endDrag);
  frame.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // scrolls the page
      event.preventDefault();
      const { left, top } = frame.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 200), { x: event.clientX - left, y: event.clientY - top });
    },
    { passive: false },
  );
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: () => move(-60, 0),
    ArrowRight: () => move(60, 0),
    ArrowUp: () => move(0, -60),
    ArrowDown: () => move(0, 60),
    "+": () => zoom(step),
    "-": () => zoom(1 / step),
    0: fitAll,
  };
  frame.addEventListener("keydown", (event) => {
    const act = event.target === frame && !event.ctrlKey && !event.metaKey && keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  zoomIn.addEventListener("click", () => zoom(step));
  zoomOut.addEventListener("click", () => zoom(1 / step));
  fit.addEventListener("click", fitAll);

  return {
    /** @param {{ svg: SVGElement, width: number, height: number } | undefined} picture */
    show(picture) {
      svg = picture?.svg;
      frame.replaceChildren(svg ?? "");
      if (picture === undefined) return;
      size = picture;
      fitFrom(scales.readable);
    },
    /**
     * Moves a place of the picture into the middle.
     *
     * @param {{ x: number, y: number }} place
     */
    centre({ x, y }) {
      view.x = x - frame.clientWidth / view.scale / 2;
      view.y = y - frame.clientHeight / view.scale / 2;
      apply();
    },
  };
}
