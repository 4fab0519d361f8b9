import type { AlarmRouteRow } from './data.ts'

/** Masks an address, recognizable to its owner: a number is a contact, and a URL's path may contain a key. */
export function maskAddress({ kind, address }: Pick<AlarmRouteRow, 'kind' | 'address'>): string {
  return kind === 'sms' ? `${address.slice(0, 6)}***${address.slice(-2)}` : new URL(address).host
}
