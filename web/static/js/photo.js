// Photographs: taken by the phone, shown with their outlines, and single pieces cut out of them.

import { h, svg } from "./dom.js";
import { t } from "./texts.js";

const LONGEST_SIDE = 2400;
const SIDE = 220;
const MARGIN = 0.1;
const AROUND = 0.04;

/** The phone's own camera, or a picture that it has; works without HTTPS. */
export function photoInput(take) {
  const chosen = (event) => {
    const [photo] = event.target.files;
    event.target.value = "";
    if (photo) take(photo);
  };
  return h("input.unseen", { type: "file", accept: "image/*", capture: "environment", onchange: chosen });
}

/** A photograph as the table takes it, with what is said about it. */
export async function asForm(photo, about) {
  const form = new FormData();
  for (const [name, value] of Object.entries(about)) form.append(name, value);
  form.append("photo", await smaller(photo), "photo.jpg");
  return form;
}

/** The photograph no larger than the eyes need, to be quick on a weak Wi-Fi; as it is where a phone cannot do that. */
async function smaller(photo) {
  try {
    const picture = await createImageBitmap(photo, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
    if (scale === 1) return photo;
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    return (await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.9))) || photo;
  } catch {
    return photo;
  }
}

/** A scan's photograph with its outlines; a tap opens all of it in full size. `changed` pieces get a new label {corners, text}. */
export function photograph(scan, changed = []) {
  const src = `/api/scans/${scan.id}/photo`;
  const { x, y, wide, high } = part(scan);
  const [width, height] = scan.size;
  const place = { width: `${(100 * width) / wide}%`, left: `${(-100 * x) / wide}%`, top: `${(-100 * y) / high}%` };
  const alt = t("The photograph; every piece that was found is outlined and named");
  return h(
    "a.photograph",
    {
      href: src,
      target: "_blank",
      rel: "noopener",
      "aria-label": t("The photograph in full size"),
      style: { "aspect-ratio": `${wide} / ${high}` },
    },
    h("img.photo", { src, width, height, alt, style: place }),
    changed.length > 0 &&
      svg("svg", { viewBox: `${x} ${y} ${wide} ${high}`, "aria-hidden": "true" }, changed.map(label)),
  );
}

/** The part of a photograph where pieces were found, so that they are as large as can be; all of it if there are none. */
function part({ size: [width, height], pieces }) {
  const corners = pieces.flatMap((piece) => piece.corners || []);
  if (!corners.length) return { x: 0, y: 0, wide: width, high: height };
  const around = (axis, whole) => {
    const along = corners.map((corner) => corner[axis]);
    const low = Math.max(0, Math.min(...along) - AROUND * width);
    return [low, Math.min(whole, Math.max(...along) + AROUND * width) - low];
  };
  const [x, wide] = around(0, width);
  const [y, high] = around(1, height);
  return { x, y, wide, high: Math.max(high, Math.min(height - y, wide / 3)) };
}

function label({ corners, text }) {
  const [x, y] = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length);
  const side = 0.62 * Math.hypot(corners[1][0] - corners[0][0], corners[1][1] - corners[0][1]);
  return svg(
    "g",
    { transform: `translate(${x} ${y})` },
    svg("rect", { x: -side / 2, y: -side / 2, width: side, height: side, rx: side / 8 }),
    svg("text", { "text-anchor": "middle", y: side / 6, "font-size": side / 2 }, text),
  );
}

/** One piece of the photograph, turned upright, so that it is clear which one is meant; drawn by `drawCrops`. */
export function crop(piece) {
  const props = { key: `crop-${piece.index}`, width: SIDE, height: SIDE, "aria-hidden": "true" };
  return h("canvas.crop", { ...props, "data-corners": JSON.stringify(piece.corners) });
}

let plain = { id: null, picture: null };

/** Cut every piece that is shown out of the scan's photograph, once it is there. */
export function drawCrops(scan) {
  if (!scan?.size || !document.querySelector(".crop")) return;
  if (plain.id !== scan.id) {
    plain = { id: scan.id, picture: new Image() };
    plain.picture.onload = () => drawCrops(scan);
    plain.picture.src = `/api/scans/${scan.id}/plain`;
  }
  if (!plain.picture.naturalWidth) return;
  const scale = scan.size[0] / plain.picture.naturalWidth;
  for (const canvas of document.querySelectorAll(".crop")) draw(canvas, plain.picture, scale);
}

/** Lay the piece's own top left, top right and bottom left corner onto the canvas, a margin around it. */
function draw(canvas, picture, scale) {
  const [a, b, , d] = JSON.parse(canvas.dataset.corners).map(([x, y]) => [x / scale, y / scale]);
  const across = [b[0] - a[0], b[1] - a[1]];
  const down = [d[0] - a[0], d[1] - a[1]];
  const area = across[0] * down[1] - across[1] * down[0];
  if (!area) return;
  const longer = Math.max(Math.hypot(...across), Math.hypot(...down));
  const inside = SIDE * (1 - 2 * MARGIN);
  const [wide, high] = [across, down].map((side) => (inside * Math.hypot(...side)) / longer);
  const [left, top] = [(SIDE - wide) / 2, (SIDE - high) / 2];
  const xx = (wide * down[1]) / area;
  const xy = (-wide * down[0]) / area;
  const yx = (-high * across[1]) / area;
  const yy = (high * across[0]) / area;
  const pen = canvas.getContext("2d");
  pen.setTransform(xx, yx, xy, yy, left - xx * a[0] - xy * a[1], top - yx * a[0] - yy * a[1]);
  pen.drawImage(picture, 0, 0);
}

/** What is in the way of a better photograph, in words that help. */
export function troubles(scan) {
  const told = [...new Set((scan.troubles || []).map((one) => one.message))];
  return (
    told.length > 0 &&
    h(
      "ul.troubles",
      told.map((text) => h("li.wrong", text)),
    )
  );
}
