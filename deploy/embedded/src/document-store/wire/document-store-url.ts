/** The user of the store's own `password`. */
export const USER_NAME = 'pulso';

/** The URL for clients, including the credentials. */
export function documentStoreUrl(port: number, password: string): string {
  const user = `${USER_NAME}:${encodeURIComponent(password)}`;
  return `mongodb://${user}@127.0.0.1:${port}/?directConnection=true&authSource=admin`;
}
