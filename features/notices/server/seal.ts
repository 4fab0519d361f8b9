import type { SealedColumn } from '#platform/server/feature.ts'
import { seal as sealFor, unseal as unsealFor } from '#platform/server/sealing/seal.ts'

const PURPOSE = 'notices.mail'

/** Seals the content of a mail or SMS, bound to its row. */
export const sealNotice = (secretKey: Buffer, id: string, text: string): Buffer => sealFor(secretKey, PURPOSE, { owner: id, text })
export const unsealNotice = (secretKeys: readonly Buffer[], id: string, sealed: Buffer): string => unsealFor(secretKeys, PURPOSE, { owner: id, sealed })

/** Columns that `npm run secrets:reseal` reseals. */
export const noticesSealedColumns: readonly SealedColumn[] = [
  ['notices_mails', 'content'],
  ['notices_mails', 'kept'],
  ['notices_sms', 'content'],
].map(([table, column]) => ({
  ...{ table: table!, column: column! },
  id: 'id',
  owner: 'id',
  purpose: PURPOSE,
}))
