/** The codes of the Connect protocol, with the HTTP status that an error with the code has. They are gRPC's codes by name. */
const HTTP_STATUS_OF_CODE = {
  canceled: 499,
  unknown: 500,
  invalid_argument: 400,
  deadline_exceeded: 504,
  not_found: 404,
  already_exists: 409,
  permission_denied: 403,
  resource_exhausted: 429,
  failed_precondition: 400,
  aborted: 409,
  out_of_range: 400,
  unimplemented: 501,
  internal: 500,
  unavailable: 503,
  data_loss: 500,
  unauthenticated: 401,
} as const;

export type ConnectCode = keyof typeof HTTP_STATUS_OF_CODE;

export const CONNECT_CODES = Object.keys(HTTP_STATUS_OF_CODE) as [ConnectCode, ...ConnectCode[]];

export function httpStatusOf(code: ConnectCode): number {
  return HTTP_STATUS_OF_CODE[code];
}

/** What the protocol says an answer means that comes from something between the two sides, such as a proxy. */
export function codeOfHttpStatus(status: number): ConnectCode {
  return CODE_OF_HTTP_STATUS.get(status) ?? 'unknown';
}

const CODE_OF_HTTP_STATUS: ReadonlyMap<number, ConnectCode> = new Map([
  [400, 'internal'],
  [401, 'unauthenticated'],
  [403, 'permission_denied'],
  [404, 'unimplemented'],
  [429, 'unavailable'],
  [502, 'unavailable'],
  [503, 'unavailable'],
  [504, 'unavailable'],
]);
