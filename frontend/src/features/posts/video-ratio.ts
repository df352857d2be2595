interface Size {
  width: number;
  height: number;
}

/** Width to height of a video's box: as far as its size is known, within what leaves room for a player's controls. */
export const videoRatio = (size?: Size): number =>
  size?.width && size.height ? Math.min(Math.max(9 / 16, size.width / size.height), 21 / 9) : 16 / 9;
