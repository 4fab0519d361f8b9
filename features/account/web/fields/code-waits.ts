import { create } from 'zustand'

/**
 * When the next code may be asked for, by purpose and target. It lives in this tab's session storage, so that neither a
 * reload nor another form of the same dialog forgets it: on a phone the browser often reloads while one reads the message.
 */
interface CodeWait {
  /** Milliseconds: until then the button counts down. */
  readonly until: number
  /** Milliseconds: then the code is dead. */
  readonly diesAt: number
  /** Proves to the server that this tab asked for it. */
  readonly ticket: string | undefined
}
type CodeWaits = Readonly<Record<string, CodeWait>>
const KEY = 'mx.codes'

function readWaits(): CodeWaits {
  try {
    const all = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as CodeWaits
    return Object.fromEntries(Object.entries(all).filter(([, wait]) => wait.diesAt > Date.now()))
  } catch {
    return {}
  }
}

export const useCodeWaits = create<{ readonly waits: CodeWaits }>(() => ({ waits: readWaits() }))

/** The ticket of the code that was asked for under the first of these keys that has one. */
export function findCodeTicket(...keys: readonly string[]): string | undefined {
  const { waits } = useCodeWaits.getState()
  return keys.map((key) => waits[key]?.ticket).find((ticket) => ticket !== undefined)
}

/** Without a ticket it keeps the one it has: another code was not sent. */
export function setCodeWait(key: string, seconds: { readonly resend: number; readonly life: number }, ticket?: string): void {
  const now = Date.now()
  const before = useCodeWaits.getState().waits
  const waits = { ...before, [key]: { until: now + seconds.resend * 1000, diesAt: now + seconds.life * 1000, ticket: ticket ?? before[key]?.ticket } }
  useCodeWaits.setState({ waits })
  try {
    sessionStorage.setItem(KEY, JSON.stringify(waits))
  } catch {
    // The countdown then lasts until a reload; the server keeps its own.
  }
}
