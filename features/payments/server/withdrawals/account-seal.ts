import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Where a payout goes, in full. Leaves the process sealed or to the payout's vendor. */
export interface PayoutAccount {
  readonly alipay: string
  readonly name: string
  readonly identityNumber: string
}
export interface Shown {
  readonly alipay: string
  readonly name: string
  readonly identityNumber: string
}

const keyOf = (secretKey: Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', secretKey, Buffer.alloc(0), `payments.payout.${purpose}`, 32))

/** AES-256-GCM: 12 bytes nonce, 16 bytes tag, the text. `owner` is bound in, so that a row's content fits no other row. */
export function sealAccount(secretKey: Buffer, owner: string, account: PayoutAccount): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secretKey, 'seal'), nonce).setAAD(Buffer.from(owner))
  const body = Buffer.concat([cipher.update(JSON.stringify(account), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Throws when the key, the owner or a byte is another. */
export function unsealAccount(secretKey: Buffer, owner: string, sealed: Buffer): PayoutAccount {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secretKey, 'seal'), sealed.subarray(0, 12)).setAAD(Buffer.from(owner))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return JSON.parse(Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')) as PayoutAccount
}

/** Tells whether an account is another one, without telling which. */
export function digestOf(secretKey: Buffer, userId: string, { alipay, name }: Pick<PayoutAccount, 'alipay' | 'name'>): Buffer {
  return createHmac('sha256', keyOf(secretKey, 'digest'))
    .update(JSON.stringify([userId, alipay.toLowerCase(), name]))
    .digest()
}

/** 138****8000, w***g@x.cn, *明, 1101**********002X. */
export function masked({ alipay, name, identityNumber }: PayoutAccount): Shown {
  const [local = '', domain] = alipay.split('@')
  const letters = [...name]
  return {
    alipay: domain ? `${local.slice(0, 1)}***${local.length > 2 ? local.slice(-1) : ''}@${domain}` : `${alipay.slice(0, 3)}****${alipay.slice(-4)}`,
    name: `${'*'.repeat(Math.min(letters.length - 1, 8))}${letters.at(-1)}`,
    identityNumber: `${identityNumber.slice(0, 4)}**********${identityNumber.slice(-4)}`,
  }
}
