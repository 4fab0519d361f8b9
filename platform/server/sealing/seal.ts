import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** Derives the installation's key for one purpose, e.g. `notices.mail`: 32 bytes. */
export const deriveKey = (secretKey: Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), purpose, 32))

/** Identifies a key by four bytes that reveal nothing about it. Stored beside sealed data and printed for operators as hex. */
export const computeKeyId = (secretKey: Buffer) => deriveKey(secretKey, 'key.id').subarray(0, 4)

/** First byte of data sealed since keys have versions. Older data begins with its nonce. */
const VERSIONED = 1

/** Builds the first five bytes of all data sealed with this key. */
export const buildSealMark = (secretKey: Buffer) => Buffer.concat([Buffer.of(VERSIONED), computeKeyId(secretKey)])

/**
 * Encrypts text with AES-256-GCM: a version byte, 4 bytes key id, 12 bytes nonce, 16 bytes tag, then the text. `owner` is bound as
 * associated data, so that sealed data cannot be moved to another row.
 */
export function seal(secretKey: Buffer, purpose: string, { owner, text }: { readonly owner: string; readonly text: string }): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secretKey, purpose), nonce).setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([buildSealMark(secretKey), nonce, cipher.getAuthTag(), body])
}

/** Decrypts sealed text. Throws if no key matches, or if the purpose, the owner or any byte differs. */
export function unseal(secretKeys: readonly Buffer[], purpose: string, { owner, sealed }: { readonly owner: string; readonly sealed: Buffer }): string {
  const marked = secretKeys.find((key) => sealed.subarray(0, 5).equals(buildSealMark(key)))
  const tries = [
    ...(marked ? [() => decrypt(marked, purpose, { owner, sealed: sealed.subarray(5) })] : []),
    ...secretKeys.map((key) => () => decrypt(key, purpose, { owner, sealed })),
  ]
  let problem: unknown
  for (const attempt of tries) {
    try {
      return attempt()
    } catch (error) {
      problem ??= error
    }
  }
  throw problem
}

function decrypt(secretKey: Buffer, purpose: string, { owner, sealed }: { readonly owner: string; readonly sealed: Buffer }): string {
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(secretKey, purpose), sealed.subarray(0, 12)).setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}

/** Returns the key with which `make` produces `given`; undefined for a forgery. Compares in constant time. */
export function findSealingKey(secretKeys: readonly Buffer[], given: Buffer, make: (secretKey: Buffer) => Buffer): Buffer | undefined {
  return secretKeys.find((key) => {
    const right = make(key)
    return given.length === right.length && timingSafeEqual(given, right)
  })
}
