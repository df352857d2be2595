/** Below this width the navigation collapses and dialogs fill the screen; the style sheets use the same value. */
export const PHONE = '(max-width: 767px)';
