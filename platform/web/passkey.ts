import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'

/** Loaded with the first passkey. */
const loadLibrary = () => import('@simplewebauthn/browser')

type Options = Readonly<Record<string, unknown>>
/** The form that the contract expects. */
export interface Credential {
  id: string
  rawId: string
  type: 'public-key'
  response: Record<string, unknown>
  [more: string]: unknown
}

/** False on an IP address: a passkey is bound to a host name. Also false in browsers without passkeys. */
export function canUsePasskey(): boolean {
  return typeof globalThis.PublicKeyCredential === 'function' && !/^\d+\.\d+\.\d+\.\d+$|^\[/.test(location.hostname)
}

const isDismissed = (error: unknown) => error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)

/** Undefined if the user closed the browser's dialog. */
export async function signWithPasskey(options: Options): Promise<Credential | undefined> {
  try {
    return (await (
      await loadLibrary()
    ).startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON })) as unknown as Credential
  } catch (error) {
    if (isDismissed(error)) return undefined
    throw error
  }
}

export async function createPasskey(options: Options): Promise<Credential | undefined> {
  try {
    return (await (
      await loadLibrary()
    ).startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON })) as unknown as Credential
  } catch (error) {
    if (isDismissed(error)) return undefined
    throw error
  }
}
