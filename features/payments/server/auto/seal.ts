import type { SealedColumn } from '#platform/server/feature.ts'
import { seal, unseal } from '#platform/server/sealing/seal.ts'

const SEAL = 'payments.agreement.seal'

/** Seals the channel's identifier of a stored method, bound to our agreement number. */
export const sealSecret = (secretKey: Buffer, agreementNo: string, secret: string): Buffer => seal(secretKey, SEAL, { owner: agreementNo, text: secret })

export const unsealSecret = (secretKeys: readonly Buffer[], agreementNo: string, sealed: Buffer): string =>
  unseal(secretKeys, SEAL, { owner: agreementNo, sealed })

/** Columns that `npm run secrets:reseal` re-encrypts. */
export const sealedAgreementColumns: readonly SealedColumn[] = [
  { table: 'payments_agreements', column: 'sealed', id: 'agreement_no', owner: 'agreement_no', purpose: SEAL },
]
