import { apiTarget } from './api-target.ts'

/**
 * Local storage with an expiry, obfuscated: it hides a value from a glance at the developer tools, not from an attacker. Never put an API
 * key, a card number or a CVV here.
 */
/** Data for another site's API (api-target.ts) is kept apart: a session is never sent to a site that did not issue it. */
const OTHER_PREFIX = 'mx.@'
const PREFIX = apiTarget ? `${OTHER_PREFIX}${apiTarget}.` : 'mx.'
const WEEK_MS = 604_800_000
const PAD = 'mingxi'

interface StoredValue {
  v: string
  e: number
}

function scramble(text: string): string {
  let out = ''
  for (let i = 0; i < text.length; i++) out += String.fromCharCode(text.charCodeAt(i) ^ PAD.charCodeAt(i % PAD.length))
  return out
}

/** Full key in localStorage, for `storage` events. */
export function toStoredKey(name: string): string {
  return PREFIX + name
}

export function storeValue(name: string, value: string, lifeMs = WEEK_MS): void {
  const kept: StoredValue = { v: value, e: Date.now() + lifeMs }
  try {
    localStorage.setItem(toStoredKey(name), btoa(scramble(encodeURIComponent(JSON.stringify(kept)))))
  } catch {
    // Private mode or a full store: the value lives in memory only.
  }
}

export function readStored(name: string): string | undefined {
  try {
    const raw = localStorage.getItem(toStoredKey(name))
    if (!raw) return undefined
    const { v, e } = JSON.parse(decodeURIComponent(scramble(atob(raw)))) as StoredValue
    if (typeof v === 'string' && typeof e === 'number' && e > Date.now()) return v
    localStorage.removeItem(toStoredKey(name))
  } catch {
    // Unreadable data counts as absent.
  }
  return undefined
}

export function removeStored(name: string): void {
  try {
    localStorage.removeItem(toStoredKey(name))
  } catch {
    // Nothing was kept.
  }
}

/** Keys that belong to the device rather than the user: they survive the session. boot.js reads theme and language. */
const DEVICE_KEYS = /^(theme|lang|invite|payMethod|shortcuts|snippet|recent|way|once\..+|strip\..+)$/

/** Clears all data of the user at the end of a session. */
export function clearUserStorage(): void {
  try {
    const names = Object.keys(localStorage).filter(
      (key) => key.startsWith(PREFIX) && (apiTarget !== undefined || !key.startsWith(OTHER_PREFIX)) && !DEVICE_KEYS.test(key.slice(PREFIX.length)),
    )
    for (const key of names) localStorage.removeItem(key)
  } catch {
    // Nothing was kept.
  }
}
