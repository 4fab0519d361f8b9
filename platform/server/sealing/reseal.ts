import { crashPoint } from '../crash.ts'
import type { Db, Row, Sql } from '../database/db.ts'
import type { Deps, Feature, SealedColumn } from '../feature.ts'
import { computeKeyId, seal, buildSealMark, unseal } from './seal.ts'
import { SYSTEM, transact } from '../database/transact.ts'
import type { Tx } from '../database/transact.ts'

interface SealedRow extends Row {
  readonly id: string
  readonly owner: string
  readonly value: Buffer
}
/** Rows per transaction, which holds their locks for a few milliseconds. */
const BATCH = 200

export interface ResealResult {
  readonly column: string
  readonly renewed: number
  /** Ids of rows that none of the keys unseals; they are left unchanged. */
  readonly unread: readonly string[]
}

/** Selects rows after `after` that are not sealed under the current key. Table and column names are constants, never input. */
const buildNextQuery = ({ table, column, id, owner }: SealedColumn) => `select ${id} as id, ${owner} as owner, ${column} as value from ${table}
  where ${id} > $1 and ${column} is not null and substring(${column} from 1 for 5) <> $2 order by ${id} limit ${BATCH} for update`

/**
 * Reseals a column's values under the current key, in batches that each commit with their audit row. Progress is in the rows themselves: after a kill
 * at any line, another run continues from there.
 */
export async function resealColumn({ db, secretKey, secretKeys }: Pick<Deps, 'db' | 'secretKey' | 'secretKeys'>, column: SealedColumn): Promise<ResealResult> {
  const unread: string[] = []
  let renewed = 0
  for (let after = ''; ;) {
    const batch = await transact(db, SYSTEM, (tx) => resealBatch(tx, { secretKey, secretKeys }, { column, after }))
    unread.push(...batch.unread)
    renewed += batch.renewed
    if (batch.last === undefined) return { column: `${column.table}.${column.column}`, renewed, unread }
    after = batch.last
  }
}

/** `last` is the id after which the next batch continues; undefined at the end. */
async function resealBatch(
  tx: Tx,
  { secretKey, secretKeys }: Pick<Deps, 'secretKey' | 'secretKeys'>,
  { column, after }: { readonly column: SealedColumn; readonly after: string },
) {
  const rows = await tx.query<SealedRow>(buildNextQuery(column), [after, buildSealMark(secretKey)])
  const unread: string[] = []
  for (const row of rows) {
    const text = tryUnseal(secretKeys, column, row)
    if (text === undefined) unread.push(row.id)
    else await writeResealed(tx, secretKey, { column, row, text })
  }
  const renewed = rows.length - unread.length
  if (renewed) await tx.audit('secrets.resealed', column.table, { column: column.column, rows: renewed, key: computeKeyId(secretKey).toString('hex') })
  crashPoint('secrets.before-commit')
  return { renewed, unread, last: rows.length < BATCH ? undefined : rows.at(-1)!.id }
}

function tryUnseal(keys: readonly Buffer[], { purpose }: SealedColumn, { owner, value }: SealedRow): string | undefined {
  try {
    return unseal(keys, purpose, { owner, sealed: value })
  } catch {
    return undefined
  }
}

async function writeResealed(
  tx: Sql,
  secretKey: Buffer,
  { column: { table, column, id, purpose, beside }, row, text }: { readonly column: SealedColumn; readonly row: SealedRow; readonly text: string },
): Promise<void> {
  const more = Object.entries(beside?.(secretKey, row.owner, text) ?? {})
  const sets = [column, ...more.map(([name]) => name)].map((name, at) => `${name} = $${at + 2}`)
  const values = [seal(secretKey, purpose, { owner: row.owner, text }), ...more.map(([, value]) => value)]
  await tx.query(`update ${table} set ${sets.join(', ')} where ${id} = $1`, [row.id, ...values])
}

export interface OtherKeyUse {
  /** Hex `keyId`; '' for rows without one. */
  readonly key: string
  readonly where: string
  readonly rows: number
}

/** Counts the rows that still depend on a key other than the current one. */
export async function countOtherKeyUses(db: Db, secretKey: Buffer, features: readonly Feature[]): Promise<OtherKeyUse[]> {
  const uses: OtherKeyUse[] = []
  for (const { table, column } of features.flatMap((feature) => feature.sealed ?? [])) {
    const rows = await db.query<{ key: string; rows: number }>(
      `select case when get_byte(${column}, 0) = 1 then encode(substring(${column} from 2 for 4), 'hex') else '' end as key, count(*)::int as rows
       from ${table} where ${column} is not null and substring(${column} from 1 for 5) <> $1 group by 1`,
      [buildSealMark(secretKey)],
    )
    uses.push(...rows.map((row) => ({ ...row, where: `${table}.${column}` })))
  }
  const current = computeKeyId(secretKey).toString('hex')
  for (const { name, countByKey } of features.flatMap((feature) => feature.keyed ?? []))
    uses.push(...(await countByKey(db)).filter(({ key }) => key !== current).map((row) => ({ ...row, where: name })))
  return uses
}
