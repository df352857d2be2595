/** As the style sheets have it: where navigation collapses and dialogs fill the screen (visual.md). */
export const PHONE = '(max-width: 767px)';
