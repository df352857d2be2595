import { cutText } from '@pulso/platform/text/graphemes';
import { canonical } from '@pulso/platform/text/text-rules';

/** Also marks of direction, behind which `gpj.exe` is shown as `exe.jpg`. Joiners stay: emoji need them. */
const UNREADABLE = /\p{Cc}|\p{Cs}|\p{Bidi_Control}/gu;

/** A file's name, of at most `most` code points. It is only shown, so a strange one is mended and never refused. */
export const shownName = (name: string, most: number) =>
  cutText(canonical(name).replace(UNREADABLE, '').trim(), most);
