import { createHmac } from 'node:crypto'
import type { SealedColumn } from '#platform/server/feature.ts'
import { deriveKey, seal, unseal } from '#platform/server/sealing/seal.ts'
import type { MaskedAccount } from '../set-aside/data.ts'

/** Payout account in clear text. It leaves the process only sealed, or to the payout vendor. */
export interface PayoutAccount {
  readonly alipay: string
  readonly name: string
  readonly identityNumber: string
}

/** Placeholder for a withdrawal that needs no account, because channels refund it. */
export const NO_ACCOUNT: MaskedAccount = { alipay: '', name: '', identityNumber: '' }

const SEAL = 'payments.payout.seal'

/** Bound to `owner`: see platform/server/sealing/seal.ts. */
export const sealAccount = (secretKey: Buffer, owner: string, account: PayoutAccount): Buffer => seal(secretKey, SEAL, { owner, text: JSON.stringify(account) })

/** Throws if the key, the owner or any byte differs. */
export const unsealAccount = (secretKeys: readonly Buffer[], owner: string, sealed: Buffer): PayoutAccount =>
  JSON.parse(unseal(secretKeys, SEAL, { owner, sealed })) as PayoutAccount

/** Digest that detects a changed account without revealing it. */
export function computeAccountDigest(secretKey: Buffer, userId: string, { alipay, name }: Pick<PayoutAccount, 'alipay' | 'name'>): Buffer {
  return createHmac('sha256', deriveKey(secretKey, 'payments.payout.digest'))
    .update(JSON.stringify([userId, alipay.toLowerCase(), name]))
    .digest()
}

/** Columns that `npm run secrets:reseal` re-encrypts; the account's digest is recomputed with it. */
export const sealedPayoutColumns: readonly SealedColumn[] = [
  {
    table: 'payments_payout_accounts',
    column: 'sealed',
    id: 'user_id',
    owner: 'user_id',
    purpose: SEAL,
    beside: (secretKey, userId, text) => ({ digest: computeAccountDigest(secretKey, userId, JSON.parse(text) as PayoutAccount) }),
  },
  { table: 'payments_withdrawals', column: 'sealed', id: 'withdrawal_no', owner: 'withdrawal_no', purpose: SEAL },
]

/** Masked forms: 138****8000, w***g@x.cn, *明, 1101**********002X. */
export function maskPayoutAccount({ alipay, name, identityNumber }: PayoutAccount): MaskedAccount {
  const [local = '', domain] = alipay.split('@')
  const letters = [...name]
  return {
    alipay: domain ? `${local.slice(0, 1)}***${local.length > 2 ? local.slice(-1) : ''}@${domain}` : `${alipay.slice(0, 3)}****${alipay.slice(-4)}`,
    name: `${'*'.repeat(Math.min(letters.length - 1, 8))}${letters.at(-1)}`,
    identityNumber: `${identityNumber.slice(0, 4)}**********${identityNumber.slice(-4)}`,
  }
}
