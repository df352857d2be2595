import { featureTexts } from '../../i18n/texts.js';
import { en } from './texts.en.js';

export const useArchiveTexts = featureTexts({ en });
export type ArchiveTexts = ReturnType<typeof useArchiveTexts>;
