interface Size {
  width: number;
  height: number;
}

/** The size at which a picture fits into a square of `side`, never larger than it is. Even, as halved colours need it. */
export function fittedIn(side: number, { width, height }: Size): Size {
  const scale = Math.min(1, side / Math.max(width, height));
  const even = (length: number) => Math.max(2, 2 * Math.floor((length * scale) / 2));
  return { width: even(width), height: even(height) };
}
