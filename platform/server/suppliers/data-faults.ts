import type { Row } from '../database/db.ts'
import type { SupplierFaultsRow } from '../database/tables.ts'

export const SUPPLIER_FAULT_KINDS = ['reject', 'fail', 'stall', 'late'] as const
export type SupplierFaultKind = (typeof SUPPLIER_FAULT_KINDS)[number]

export interface PlantedSupplierFault extends Omit<SupplierFaultsRow, 'operation' | 'createdAt'> {
  /** `*`: any. */
  readonly operation: string
}

/** Minimal interface for running a statement, so that a vendor's tools satisfy it. */
export interface QuerySql {
  query<R extends Row>(text: string, values?: readonly unknown[]): Promise<R[]>
}

/** Takes the oldest matching fault and decrements its remaining uses. Undefined if none matches. */
export async function takeFault(sql: QuerySql, call: { port: string; operation: string; facts: string }): Promise<PlantedSupplierFault | undefined> {
  const fits = await sql.query<PlantedSupplierFault>(
    `select * from supplier_faults where port in ($1, '*') and operation in ($2, '*') and (only_for = '' or strpos($3, only_for) > 0) order by id`,
    [call.port, call.operation, call.facts],
  )
  for (const fault of fits) {
    if (fault.times === null) return fault
    const gone = await sql.query('delete from supplier_faults where id = $1 and times = 1 returning id', [fault.id])
    if (gone.length) return fault
    const used = await sql.query('update supplier_faults set times = times - 1 where id = $1 and times > 1 returning id', [fault.id])
    if (used.length) return fault
  }
  return undefined
}

export async function plantFault(
  sql: QuerySql,
  {
    port,
    operation = '*',
    fault,
    onlyFor = '',
    reason = 'refused',
    times = 1,
    seconds = 0,
  }: { port: string; operation?: string; fault: SupplierFaultKind; onlyFor?: string; reason?: string; times?: number | null; seconds?: number },
): Promise<void> {
  await sql.query('insert into supplier_faults (port, operation, fault, only_for, reason, times, seconds) values ($1,$2,$3,$4,$5,$6,$7)', [
    port,
    operation,
    fault,
    onlyFor,
    reason,
    times,
    seconds,
  ])
}

export async function selectPlantedFaults(sql: QuerySql): Promise<PlantedSupplierFault[]> {
  return sql.query<PlantedSupplierFault>('select * from supplier_faults order by id')
}

/** Clears the faults of one port, or of all ports for `*`. */
export async function clearFaults(sql: QuerySql, port: string): Promise<void> {
  await sql.query(`delete from supplier_faults where $1 = '*' or port = $1`, [port])
}
