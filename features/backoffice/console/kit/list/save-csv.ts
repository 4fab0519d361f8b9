import { saveBlob } from '#platform/web/save-blob.ts'
import type { AddressParams } from '../address.ts'
import { formatCsv } from './csv.ts'
import type { ListInput, ListDefinition } from './types.ts'

const PAGE = 200
/** More than that is a job for the server: a tab is no place to wait for it. */
const MAX_ROWS = 10_000

/** Every row of what stands in the address, read page by page, as a file. */
export async function saveCsv<R, I extends object = ListInput>(
  { name, columns, load }: ListDefinition<R, I>,
  asked: AddressParams,
): Promise<{ count: number; isWhole: boolean }> {
  const shown = columns.filter((column) => column.csv)
  const lines: string[][] = [shown.map((column) => column.header)]
  let after: string | null = ''
  while (after !== null && lines.length <= MAX_ROWS) {
    const { rows, next }: { rows: readonly R[]; next: string | null } = await load(
      { ...asked, limit: PAGE, ...(after ? { after } : {}) } as I,
      new AbortController().signal,
    )
    for (const row of rows) lines.push(shown.map((column) => column.csv!(row)))
    after = next
  }
  saveBlob(new Blob([formatCsv(lines)], { type: 'text/csv;charset=utf-8' }), `${name}-${new Date().toISOString().slice(0, 10)}.csv`)
  return { count: lines.length - 1, isWhole: after === null }
}
