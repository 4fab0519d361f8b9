import type { ExtensionProxyAccount } from './site.ts'

/** State shown by the popup. The password is in session storage only: never on disk, and gone when the browser closes. */
export interface PopupState {
  readonly isSignedIn: boolean
  readonly isOn: boolean
  readonly account: ExtensionProxyAccount | null
  /** Time of the platform's last response in milliseconds; 0 if none yet. */
  readonly askedAt: number
  readonly isOffline: boolean
}

const DEFAULT_SESSION = { isOn: false, account: null as ExtensionProxyAccount | null, askedAt: 0, isOffline: false }

export async function readPopupState(): Promise<PopupState> {
  const [{ token = '' }, session] = await Promise.all([chrome.storage.local.get({ token: '' }), chrome.storage.session.get(DEFAULT_SESSION)])
  return { ...(session as typeof DEFAULT_SESSION), isSignedIn: token !== '' }
}

export const readExtensionToken = async (): Promise<string> => (await chrome.storage.local.get({ token: '' }))['token'] as string
export const storeToken = (token: string): Promise<void> => chrome.storage.local.set({ token })
export const storeSessionState = (part: Partial<typeof DEFAULT_SESSION>): Promise<void> => chrome.storage.session.set(part)
export async function clearStorage(): Promise<void> {
  await Promise.all([chrome.storage.local.clear(), chrome.storage.session.clear()])
}
