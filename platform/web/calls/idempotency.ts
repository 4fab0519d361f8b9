/**
 * One key for one user action. Pressing the button again after a lost reply sends the same path and body, and therefore
 * the same key, so that the server answers with the first result; after any certain answer the next press is a new action.
 */
const LIFE_MS = 30 * 60_000
const openActions = new Map<string, { key: string; until: number }>()

export function getActionKey(action: string): string {
  const now = Date.now()
  const known = openActions.get(action)
  if (known && known.until > now) return known.key
  const key = createRandomKey()
  openActions.set(action, { key, until: now + LIFE_MS })
  return key
}

export function settleAction(action: string): void {
  openActions.delete(action)
}

/** crypto.randomUUID exists in secure contexts only; plain http on a local network is not one. */
export function createRandomKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
