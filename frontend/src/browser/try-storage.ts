/**
 * What `access` gives of the browser's localStorage or sessionStorage; undefined where there is no access, the storage is full,
 * or what it holds is not ours.
 */
export function tryStorage<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
