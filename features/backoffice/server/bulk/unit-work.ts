import type { Tx } from '#platform/server/database/transact.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { BulkItem, BulkRow } from './data.ts'

/** The name of each row's refusal, by position; null where it is done. */
export type RowVerdicts = ReadonlyMap<number, string | null>
/** Works off what waits of a unit of a bulk. */
export type UnitWork = (deps: Deps, tx: Tx, bulk: BulkRow, items: readonly BulkItem[]) => Promise<RowVerdicts>
/** By the kind of a bulk; any other kind runs its command for each row. */
export type UnitWorks = Readonly<Record<string, UnitWork>>
