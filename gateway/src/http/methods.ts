/** Methods that change nothing (RFC 9110, safe). */
export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}
