/** The URL of database `name` on the server that `url` names; its options stay. */
export function databaseUrl(url: string, name: string): string {
  const named = new URL(url);
  named.pathname = `/${name}`;
  return named.toString();
}
