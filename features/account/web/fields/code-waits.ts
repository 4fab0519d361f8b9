import { create } from 'zustand'

/**
 * When the next code may be asked for, by purpose and target. It lives in this tab's session storage, so that neither a
 * reload nor another form of the same dialog forgets it: on a phone the browser often reloads while one reads the message.
 */
interface Wait {
  /** Milliseconds: until then the button counts down. */
  readonly until: number
  /** Milliseconds: then the code is dead. */
  readonly diesAt: number
}
type Waits = Readonly<Record<string, Wait>>
const KEY = 'mx.codes'

function read(): Waits {
  try {
    const all = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Waits
    return Object.fromEntries(Object.entries(all).filter(([, wait]) => wait.diesAt > Date.now()))
  } catch {
    return {}
  }
}

export const useCodeWaits = create<{ readonly waits: Waits }>(() => ({ waits: read() }))

export function waitFor(key: string, seconds: { readonly resend: number; readonly life: number }): void {
  const now = Date.now()
  const waits = { ...useCodeWaits.getState().waits, [key]: { until: now + seconds.resend * 1000, diesAt: now + seconds.life * 1000 } }
  useCodeWaits.setState({ waits })
  try {
    sessionStorage.setItem(KEY, JSON.stringify(waits))
  } catch {
    // The countdown then lasts until a reload; the server keeps its own.
  }
}
