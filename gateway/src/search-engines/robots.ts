/**
 * What `/robots.txt` tells search engines (HTTP-39). Pages that ask for a login are no part of it: they say themselves that they
 * are not to be found, which only somebody who may read them sees.
 */
export const robotsText = (publicUrl: string): string => `User-agent: *
Allow: /api/avatars/
Disallow: /api/

Sitemap: ${publicUrl}/sitemap.xml
`;
