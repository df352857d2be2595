import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** Loaded when somebody is about to use a passkey. */
const library = () => import('@simplewebauthn/browser');

/** Ends the request that is under way; undefined before the first one. */
let end: (() => void) | undefined;

/** The browser's names for what the user, or another request of this page, has ended. */
const ENDED: ReadonlySet<string> = new Set(['NotAllowedError', 'AbortError']);

/** What a new passkey of the authenticator is, in the parts that the API takes. */
interface MadePasskey {
  id: string;
  clientDataJSON: string;
  attestationObject: string;
  transports: string[];
}

/** How the authenticator shows a passkey, in the parts that the API takes. */
interface ShownPasskey {
  id: string;
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
  userHandle?: string;
}

/** The authenticator has a passkey of this account already. */
export class PasskeyExistsError extends Error {
  override readonly name = 'PasskeyExistsError';
}

/** Whether this browser has passkeys: over http, only on the machine itself. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function';

/** Whether the browser offers passkeys in the list under a field, where it offers passwords. */
export const offersPasskeys = async (): Promise<boolean> =>
  hasPasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

/** Asks for a new passkey, in a window of the browser. Undefined when the user does not want to. */
export async function makePasskey(
  optionsJSON: PublicKeyCredentialCreationOptionsJSON,
): Promise<MadePasskey | undefined> {
  const { startRegistration } = await library();
  try {
    const { id, response } = await startRegistration({ optionsJSON });
    const { clientDataJSON, attestationObject, transports = [] } = response;
    return { id, clientDataJSON, attestationObject, transports };
  } catch (error) {
    if (isNamed(error, 'InvalidStateError')) throw new PasskeyExistsError('there already', { cause: error });
    return ended(error);
  }
}

/**
 * Asks for a passkey: in a window of the browser, or `underField`, in the list that it shows under a field whose `autocomplete` ends
 * with "webauthn". Undefined when the user does not want to, and when another request takes the place of this one.
 */
export async function showPasskey(
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
  { underField = false } = {},
): Promise<ShownPasskey | undefined> {
  const { startAuthentication, WebAuthnAbortService } = await library();
  end = () => WebAuthnAbortService.cancelCeremony();
  try {
    const { id, response } = await startAuthentication({ optionsJSON, useBrowserAutofill: underField });
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    return { id, clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) };
  } catch (error) {
    return ended(error);
  }
}

/** Ends the request for a passkey that is under way, if there is one. */
export const stopAsking = (): void => end?.();

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

function ended(error: unknown): undefined {
  if (!(error instanceof Error) || !ENDED.has(error.name)) throw error;
}
