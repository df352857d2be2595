/** The kinds that are taken (MEDIA-8), by the ends of names. */
const TYPES = new Map([
  ['.mp4', 'video/mp4'],
  ['.webm', 'video/webm'],
  ['.ogg', 'video/ogg'],
  ['.ogv', 'video/ogg'],
]);
const KINDS = new Set(TYPES.values());

/** For the `accept` of a file field. Types and names: some systems know only one of both. */
export const ACCEPTED_VIDEOS = [...KINDS, ...TYPES.keys()].join(',');

/** The most bytes of a video (MEDIA-8). */
export const VIDEO_BYTES = 50 * 1024 ** 2;

export type VideoRefusal = 'kind' | 'size';

interface ChosenFile {
  type: string;
  size: number;
  name: string;
}

/** The type as the server knows it: that of the system, else by the name; undefined where it is none that is taken. */
export function videoType({ type, name }: Pick<ChosenFile, 'type' | 'name'>): string | undefined {
  const kind = type || TYPES.get(/[.][^.]*$/.exec(name)?.[0].toLowerCase() ?? '');
  return kind && KINDS.has(kind) ? kind : undefined;
}

/** Why a chosen file may not be sent; undefined when it may. What it really holds the server finds out (MEDIA-11). */
export function checkVideo(file: ChosenFile): VideoRefusal | undefined {
  if (videoType(file) === undefined) return 'kind';
  return file.size > VIDEO_BYTES ? 'size' : undefined;
}
