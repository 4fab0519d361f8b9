import type { Account } from './site.ts'

/** State shown by the popup. The password is in session storage only: never on disk, and gone when the browser closes. */
export interface State {
  readonly isSignedIn: boolean
  readonly isOn: boolean
  readonly account: Account | null
  /** Time of the platform's last response in milliseconds; 0 if none yet. */
  readonly askedAt: number
  readonly isOffline: boolean
}

const SESSION = { isOn: false, account: null as Account | null, askedAt: 0, isOffline: false }

export async function readState(): Promise<State> {
  const [{ token = '' }, session] = await Promise.all([chrome.storage.local.get({ token: '' }), chrome.storage.session.get(SESSION)])
  return { ...(session as typeof SESSION), isSignedIn: token !== '' }
}

export const readToken = async (): Promise<string> => (await chrome.storage.local.get({ token: '' }))['token'] as string
export const keepToken = (token: string): Promise<void> => chrome.storage.local.set({ token })
export const keepSession = (part: Partial<typeof SESSION>): Promise<void> => chrome.storage.session.set(part)
export async function forgetAll(): Promise<void> {
  await Promise.all([chrome.storage.local.clear(), chrome.storage.session.clear()])
}
