/** Injection tokens of what comes from outside and has no class. */
export const CLOCK = Symbol('Clock');
export const CONFIG = Symbol('IdentityConfig');
export const ACCESS_TOKEN_SIGNER = Symbol('AccessTokenSigner');
export const CURSOR_SEALER = Symbol('CursorSealer');
