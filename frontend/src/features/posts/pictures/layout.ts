import type { Image } from '../../../api/types.js';

/** Of a post; not the browser's `Image`. */
export type Picture = Image;

/** A card shows so many (UI-20). */
export const SHOWN_PICTURES = 5;

/** What tile `index` of `count` takes of the width and of the height of the pictures' box; pictures.module.css places it. */
function shareOf(index: number, count: number): { across: number; down: number } {
  if (count === 1) return { across: 1, down: 1 };
  if (count < 5) return { across: 1 / 2, down: count === 2 || (count === 3 && index === 0) ? 1 : 1 / 2 };
  return index < 2 ? { across: 1 / 2, down: 3 / 5 } : { across: 1 / 3, down: 2 / 5 };
}

/** Width to height, from 3:4 to 16:9 for a single picture; what is beyond is cut off. */
const NARROWEST = 3 / 4;
const WIDEST = 16 / 9;
/** Of each of two side by side: their mean, from 3:4 to 5:4. */
const WIDEST_OF_TWO = 5 / 4;
const OF_MORE = 4 / 3;

/** px; as in pictures.module.css. */
const MAX_WIDTH = 560;
const MAX_HEIGHT = 640;
/** The longer side of a thumbnail (MEDIA-2), in px. */
const THUMBNAIL = 300;

const clamp = (least: number, value: number, most: number) => Math.min(Math.max(least, value), most);

/** Width to height; 1 where it is not known. */
export const ratioOf = ({ metadata: { dimensions } }: Picture): number =>
  dimensions.width && dimensions.height ? dimensions.width / dimensions.height : 1;

/** Width to height of the box of a post's pictures, which are one at least: it has its size before they load. */
export function boxRatio(pictures: readonly Picture[]): number {
  const [first, second] = pictures;
  if (!second) return clamp(NARROWEST, ratioOf(first!), WIDEST);
  if (pictures.length > 2) return OF_MORE;
  return 2 * clamp(NARROWEST, (ratioOf(first!) + ratioOf(second)) / 2, WIDEST_OF_TWO);
}

/**
 * What tile `index` of `count` loads in a window of `room` px: the thumbnail, where that has enough pixels for the screen, or the
 * picture. `box` is as `boxRatio` says.
 */
export function sourcesOf(picture: Picture, index: number, count: number, box: number, room: number) {
  const { width, height } = picture.metadata.dimensions;
  const { across, down } = shareOf(index, count);
  const boxWidth = Math.min(room, MAX_WIDTH, MAX_HEIGHT * box);
  // Of a picture that is wider than its tile more is drawn than the tile shows.
  const drawn = Math.ceil(boxWidth * across * Math.max(1, (ratioOf(picture) * down) / (box * across)));
  const shrunk = THUMBNAIL / Math.max(width, height);
  if (drawn > THUMBNAIL || shrunk >= 1) return { src: picture.url };
  return {
    src: picture.url,
    srcSet: `${picture.thumbnail} ${Math.round(width * shrunk)}w, ${picture.url} ${width}w`,
    sizes: `${drawn}px`,
  };
}
