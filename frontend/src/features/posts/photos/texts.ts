import { featureTexts } from '../../../i18n/texts.js';
import { en } from './texts.en.js';

const getPhotoTexts = featureTexts({ en });
export const usePhotoTexts = getPhotoTexts;
/** For what is no component. */
export const photoTexts = getPhotoTexts();
export type PhotoTexts = typeof photoTexts;
