import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** The installation's key for one purpose, e.g. `notices.mail`: 32 bytes. */
export const keyFor = (secretKey: Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), purpose, 32))

/** AES-256-GCM: 12 bytes nonce, 16 bytes tag, then the text. `owner` is bound in, so that a row's content fits no other row. */
export function seal(secretKey: Buffer, purpose: string, owner: string, text: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor(secretKey, purpose), nonce).setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Throws when the key, the purpose, the owner or a byte is another. */
export function unseal(secretKey: Buffer, purpose: string, owner: string, sealed: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', keyFor(secretKey, purpose), sealed.subarray(0, 12)).setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}
