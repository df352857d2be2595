/** The end of the document that holds all of a user (ADR 21): one that was cut off does not have it. */
export const EXPORT_END = ',"complete":true}\n';
