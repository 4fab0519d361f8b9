import { create } from 'zustand'

/**
 * Waiting times for the next code, by purpose and target. Kept in this tab's session storage, so that a reload or another form of the same
 * dialog does not lose them: phone browsers often reload while the user reads the message.
 */
interface CodeWait {
  /** Timestamp in milliseconds at which the button's countdown ends. */
  readonly until: number
  /** Timestamp in milliseconds at which the code expires. */
  readonly diesAt: number
  /** Proves to the server that this tab requested the code. */
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

/** Ticket of the code requested under the first of these keys that has one. */
export function findCodeTicket(...keys: readonly string[]): string | undefined {
  const { waits } = useCodeWaits.getState()
  return keys.map((key) => waits[key]?.ticket).find((ticket) => ticket !== undefined)
}

/** Without a new ticket, keeps the stored one, because no other code was sent. */
export function setCodeWait(key: string, seconds: { readonly resend: number; readonly life: number }, ticket?: string): void {
  const now = Date.now()
  const before = useCodeWaits.getState().waits
  const waits = { ...before, [key]: { until: now + seconds.resend * 1000, diesAt: now + seconds.life * 1000, ticket: ticket ?? before[key]?.ticket } }
  useCodeWaits.setState({ waits })
  try {
    sessionStorage.setItem(KEY, JSON.stringify(waits))
  } catch {
    // Without storage, the countdown lasts until a reload; the server enforces its own limit.
  }
}
