import { createHash, createHmac, hash, randomBytes } from 'node:crypto'

/**
 * Secrets of API keys: `sk-`, 43 random base-62 characters (256 bits), 5 characters of checksum. The checksum is no protection: it lets a
 * process refuse typing errors and floods of made-up keys without a database query.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_CHARS = 43
const CHECKSUM_CHARS = 5
const SECRET_PATTERN = /^sk-[0-9A-Za-z]{48}$/

/** Converts bytes to base 62. 64 bytes are 170 bits more than needed, which makes the remainder practically uniform. */
function toBase62(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (let i = 0; i < length; i++, rest /= 62n) text += ALPHABET[Number(rest % 62n)]
  return text
}

const computeChecksum = (body: string) => toBase62(createHash('sha256').update(`mingxi-key:${body}`).digest(), CHECKSUM_CHARS)
const addChecksum = (body: string) => `sk-${body}${computeChecksum(body)}`

export function generateKeySecret(): string {
  return addChecksum(toBase62(randomBytes(64), RANDOM_CHARS))
}

/** Derives the same secret for the same user and request, so that a repeated request can be answered although the secret is not stored. */
export function deriveKeySecret(secretKey: Buffer, userId: string, requestKey: string): string {
  return addChecksum(toBase62(createHmac('sha512', secretKey).update(`api-key\0${userId}\0${requestKey}`).digest(), RANDOM_CHARS))
}

/** Returns false for text that cannot be one of our keys. */
export function isSecretWellFormed(secret: string): boolean {
  return SECRET_PATTERN.test(secret) && computeChecksum(secret.slice(3, 3 + RANDOM_CHARS)) === secret.slice(3 + RANDOM_CHARS)
}

/** Stored form of a secret, used for lookups: hex SHA-256. */
export function hashKeySecret(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** `sk·······9f3a`: first two characters, dots, last four (product.md 2.3). */
export function maskKeySecret(last4: string): string {
  return `sk·······${last4}`
}
