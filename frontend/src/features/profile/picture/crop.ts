/** In pixels of the picture. */
export interface Size {
  width: number;
  height: number;
}

/** The square that is cut out: its centre in pixels of the picture, and by how much it is smaller than the largest one. */
export interface Crop {
  x: number;
  y: number;
  /** From 1 to `MOST_ZOOM`. */
  zoom: number;
}

/** A place in the square, or a way across it, in parts of its side. */
export interface Offset {
  x: number;
  y: number;
}

export const MOST_ZOOM = 4;
/** A picture that is smaller looks blurred (MEDIA-6). */
export const RECOMMENDED_SIDE = 200;
/** What the square is sent with, at most. */
export const MOST_SIDE = 1024;

/** Of the square, in pixels of the picture. */
export const sideOf = ({ width, height }: Size, { zoom }: Pick<Crop, 'zoom'>): number =>
  Math.min(width, height) / zoom;

/** The largest square, in the middle. */
export const largest = ({ width, height }: Size): Crop => ({ x: width / 2, y: height / 2, zoom: 1 });

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** The next one that lies within the picture. */
function within(picture: Size, { x, y, zoom }: Crop): Crop {
  const near = clamp(zoom, 1, MOST_ZOOM);
  const half = sideOf(picture, { zoom: near }) / 2;
  return {
    x: clamp(x, half, picture.width - half),
    y: clamp(y, half, picture.height - half),
    zoom: near,
  };
}

/** After the picture was moved in its frame. */
export function moved(picture: Size, crop: Crop, by: Offset): Crop {
  const side = sideOf(picture, crop);
  return within(picture, { ...crop, x: crop.x - by.x * side, y: crop.y - by.y * side });
}

/** After zooming; what is at `at`, seen from the centre, stays there. */
export function zoomed(picture: Size, crop: Crop, zoom: number, at: Offset = { x: 0, y: 0 }): Crop {
  const near = clamp(zoom, 1, MOST_ZOOM);
  const gain = sideOf(picture, crop) - sideOf(picture, { zoom: near });
  return within(picture, { x: crop.x + at.x * gain, y: crop.y + at.y * gain, zoom: near });
}
