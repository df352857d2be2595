import { withShared } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const imageTexts = withShared({ en });
export type ImageTexts = (typeof imageTexts)['en'];
