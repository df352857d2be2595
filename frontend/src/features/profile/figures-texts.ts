import { useLanguage, withShared } from '../../i18n/texts.js';
import { en } from './figures-texts.en.js';

const figuresTexts = withShared({ en });
type FiguresTexts = (typeof figuresTexts)['en'];
export const useFiguresTexts = (): FiguresTexts => figuresTexts[useLanguage()];
