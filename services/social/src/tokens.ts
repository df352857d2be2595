/** Injection tokens of what comes from outside and has no class. */
export const CLOCK = Symbol('Clock');
export const CURSOR_SEALER = Symbol('CursorSealer');
