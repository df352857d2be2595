/**
 * Sent with every answer. A fixed table rather than a middleware: @fastify/helmet assembles the same headers anew for
 * each request, which costs more than everything else the gateway does for a feed page.
 */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {
    'content-security-policy': [
      "default-src 'self'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob:",
      // Direct links of posts play in place (POST-18).
      "media-src 'self' blob: https:",
      // Of their video links only those of these two become frames (POST-18).
      'frame-src https://www.youtube-nocookie.com https://player.vimeo.com',
      "object-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'self'",
      "form-action 'self'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // Also to this site itself: an address may hold the token of a mail (UI-74).
    'referrer-policy': 'strict-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
  if (publicUrl.startsWith('https:')) {
    headers['strict-transport-security'] = 'max-age=31536000; includeSubDomains';
  }
  return Object.freeze(headers);
}
