import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'

/** Its code comes with the first passkey. */
const loadLibrary = () => import('@simplewebauthn/browser')

type Options = Readonly<Record<string, unknown>>
/** As the contract takes it. */
export interface Credential {
  id: string
  rawId: string
  type: 'public-key'
  response: Record<string, unknown>
  [more: string]: unknown
}

/** Not on an address without a name: a passkey is bound to one. */
export function canUsePasskey(): boolean {
  return typeof globalThis.PublicKeyCredential === 'function' && !/^\d+\.\d+\.\d+\.\d+$|^\[/.test(location.hostname)
}

const isDismissed = (error: unknown) => error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name)

/** Undefined where the person closed the browser's window. */
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
