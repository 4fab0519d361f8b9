import type { Tx } from '#platform/server/database/transact.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { BulkItem, BulkRow } from './data.ts'

/** Error name of each refused row, by position; null if the row is done. */
export type RowVerdicts = ReadonlyMap<number, string | null>
/** Processes the waiting rows of a unit. */
export type UnitWork = (deps: Deps, tx: Tx, unit: { readonly bulk: BulkRow; readonly items: readonly BulkItem[] }) => Promise<RowVerdicts>
/** Work by kind of bulk; other kinds run their command for each row. */
export type UnitWorks = Readonly<Record<string, UnitWork>>
