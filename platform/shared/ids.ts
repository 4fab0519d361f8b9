const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Random id of `length` Crockford base-32 characters (5 bits each), readable aloud. */
export function createRandomCode(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length))
  let text = ''
  for (const byte of bytes) text += ALPHABET[byte & 31]
  return text
}

/** `prefix_` and 48 bits of milliseconds plus 80 random bits: sorts by time, unique without a database. */
export function createId(prefix: string, now = Date.now()): string {
  let time = ''
  for (let i = 0, rest = now; i < 10; i++, rest = Math.floor(rest / 32)) time = ALPHABET[rest % 32] + time
  return `${prefix}_${time}${createRandomCode(16)}`
}
