/** What of a picture is seen: its scale, and where its middle is, in px from the stage's. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
export const MAX_SCALE = 5;

const clamp = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most);

/** How far the middle of `picture`, of that size at scale 1, may be from the stage's: its edge never comes inside. */
const reach = (picture: number, scale: number, stage: number) => Math.max(0, (picture * scale - stage) / 2);

/** `view` moved by a distance, as far as the picture goes. */
export function moved(view: View, by: Point, picture: Size, stage: Size): View {
  const across = reach(picture.width, view.scale, stage.width);
  const down = reach(picture.height, view.scale, stage.height);
  return {
    scale: view.scale,
    x: clamp(-across, view.x + by.x, across),
    y: clamp(-down, view.y + by.y, down),
  };
}

/** `view` at another scale, from 1 to `MAX_SCALE`, with what is at `about` (px from the stage's middle) staying there. */
export function scaled(view: View, scale: number, about: Point, picture: Size, stage: Size): View {
  const next = clamp(1, scale, MAX_SCALE);
  const factor = next / view.scale;
  const x = about.x - (about.x - view.x) * factor;
  const y = about.y - (about.y - view.y) * factor;
  return moved({ scale: next, x, y }, { x: 0, y: 0 }, picture, stage);
}
