import type { AlarmRouteRow } from './data.ts'

/** Enough to know one's own: a number is a contact, and what follows a host may be a key. */
export function maskAddress({ kind, address }: Pick<AlarmRouteRow, 'kind' | 'address'>): string {
  return kind === 'sms' ? `${address.slice(0, 6)}***${address.slice(-2)}` : new URL(address).host
}
