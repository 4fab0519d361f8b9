import { createHash, createHmac, hash, randomBytes } from 'node:crypto'

/**
 * Secrets of API keys: `sk-`, 43 random base-62 characters (256 bits), 5 characters of checksum. The checksum is no
 * protection: it lets a process refuse typing errors and floods of made-up keys without asking the database.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM = 43
const CHECK = 5
const SHAPE = /^sk-[0-9A-Za-z]{48}$/

/** 64 bytes are 170 bits more than needed, so that the remainder is even. */
function base62(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`)
  let text = ''
  for (let i = 0; i < length; i++, rest /= 62n) text += ALPHABET[Number(rest % 62n)]
  return text
}

const checksum = (body: string) => base62(createHash('sha256').update(`mingxi-key:${body}`).digest(), CHECK)
const withChecksum = (body: string) => `sk-${body}${checksum(body)}`

export function randomSecret(): string {
  return withChecksum(base62(randomBytes(64), RANDOM))
}

/** The same secret for the same user and request: a repeated request can be answered though the secret is kept nowhere. */
export function derivedSecret(secretKey: Buffer, userId: string, requestKey: string): string {
  return withChecksum(base62(createHmac('sha512', secretKey).update(`api-key\0${userId}\0${requestKey}`).digest(), RANDOM))
}

/** False for what cannot be a key of ours. */
export function looksLikeKey(secret: string): boolean {
  return SHAPE.test(secret) && checksum(secret.slice(3, 3 + RANDOM)) === secret.slice(3 + RANDOM)
}

/** Stored form of a secret, used for lookups: hex SHA-256. */
export function secretHash(secret: string): string {
  return hash('sha256', secret, 'hex')
}

/** `sk·······9f3a`: first two characters, dots, last four (product.md 2.3). */
export function masked(last4: string): string {
  return `sk·······${last4}`
}
