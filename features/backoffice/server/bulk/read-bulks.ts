import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import type { bulkContract } from '../../contract-bulk.console.ts'
import { findBulk, listBulks, listItems, listBulkRefusals, readBulkTally } from './data.ts'
import type { BulkRow, BulkTally } from './data.ts'

type C = typeof bulkContract

const viewOf = ({ madeBy, madeAt, endedAt, id, kind, title, reason, state, rows }: BulkRow, { amount, ...tally }: BulkTally) => ({
  ...{ id, kind, title, reason, state, rows, ...tally, amount: formatUsd(amount) },
  ...{ madeBy, madeAt: madeAt.toISOString(), endedAt: endedAt?.toISOString() ?? null },
})

export async function readBulks({ db }: Ctx, { after, limit }: InputOf<C['bulks']>): Promise<ReplyOf<C['bulks']>> {
  const found = await listBulks(db, after ?? null, limit + 1)
  const rows = await Promise.all(found.slice(0, limit).map(async (row) => viewOf(row, await readBulkTally(db, row.id))))
  return { rows, next: found.length > limit ? rows.at(-1)!.id : null }
}

export async function readBulk({ db }: Ctx, { id }: InputOf<C['bulk']>): Promise<ReplyOf<C['bulk']>> {
  const row = (await findBulk(db, id)) ?? fail('NOT_FOUND')
  return { ...viewOf(row, await readBulkTally(db, id)), refusals: (await listBulkRefusals(db, id)).map(({ why, n }) => ({ why, rows: n })) }
}

export async function readBulkRows({ db }: Ctx, { id, state, after, limit }: InputOf<C['bulkRows']>): Promise<ReplyOf<C['bulkRows']>> {
  const behind = /^\d{1,9}$/.test(after ?? '') ? Number(after) : 0
  const found = await listItems(db, id, { state: state ?? null, after: behind, limit: limit + 1 })
  const rows = found.slice(0, limit).map((item) => ({
    ...{ position: item.position, subject: item.subject, customer: item.unit.startsWith('usr_') ? item.unit : null },
    ...{ amount: item.amountNano === null ? null : formatUsd(item.amountNano), state: item.state, why: item.why, at: item.at?.toISOString() ?? null },
  }))
  return { rows, next: found.length > limit ? String(rows.at(-1)!.position) : null }
}
