import { z } from 'zod'
import { writeXlsxStream } from 'hucre/xlsx'
import { BOM, formatCsvLine } from '#platform/server/csv.ts'
import type { Binding, Ctx, Handler } from '#platform/server/feature.ts'
import type { Endpoint } from '#platform/shared/contract.ts'

/** A list endpoint with the paging of all console lists: `after` and `limit` in, `rows` and `next` out. */
export interface ConsoleList {
  readonly endpoint: Endpoint
  readonly handler: Handler<Endpoint>
  readonly columns: readonly string[]
}
type Row = Readonly<Record<string, unknown>>

export const MAX_EXPORT_ROWS = 200_000
const PAGE = 200
/** Interval at which the progress is reported. */
const PROGRESS_ROWS = 5 * PAGE

/** All list endpoints of the operators' origin by path; each can be exported. */
export function indexLists(bindings: readonly Binding[]): ReadonlyMap<string, ConsoleList> {
  const found = bindings.flatMap(({ contract, handlers }) =>
    Object.entries(contract).flatMap(([name, endpoint]) => {
      const columns = listColumns(endpoint)
      return columns ? [[endpoint.path, { endpoint, handler: handlers[name]!, columns }] as const] : []
    }),
  )
  return new Map(found)
}

function listColumns({ method, access, input, reply }: Endpoint): readonly string[] | undefined {
  if (method !== 'GET' || access !== 'operator' || !(reply instanceof z.ZodObject) || !(input instanceof z.ZodObject)) return undefined
  const { rows, next } = reply.shape as Record<string, z.ZodType>
  if (!next || !('after' in input.shape) || !(rows instanceof z.ZodArray)) return undefined
  const row = rows.element
  return row instanceof z.ZodObject ? Object.keys(row.shape) : undefined
}

/** Yields all rows of a list as this operator may see them, page after page. */
async function* readRows(
  ctx: Ctx,
  { endpoint, handler }: ConsoleList,
  { filter, counted, progress }: { readonly filter: Row; readonly counted: { rows: number }; readonly progress: (rows: number) => Promise<void> },
): AsyncGenerator<Row> {
  for (let after: string | undefined; ;) {
    const input = endpoint.input.parse({ ...filter, limit: PAGE, ...(after === undefined ? {} : { after }) })
    const { rows, next } = endpoint.reply.parse(await handler(ctx, input)) as { rows: Row[]; next: string | null }
    for (const row of rows) {
      if (++counted.rows > MAX_EXPORT_ROWS) throw new Error(`a list of more than ${MAX_EXPORT_ROWS} rows is no file`)
      yield row
    }
    if (next === null) return
    if (counted.rows % PROGRESS_ROWS === 0) await progress(counted.rows)
    after = next
  }
}

const formatCell = (value: unknown): string | number | boolean | null =>
  value === null || value === undefined ? null : typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean)

/** Writes a list to a file and returns its number of rows. */
export async function writeList(
  ctx: Ctx,
  list: ConsoleList,
  { filter, format, progress }: { readonly filter: Row; readonly format: 'csv' | 'xlsx'; readonly progress: (rows: number) => Promise<void> },
): Promise<{ file: Buffer; rows: number }> {
  const counted = { rows: 0 }
  const rows = readRows(ctx, list, { filter, counted, progress })
  const file = format === 'csv' ? await writeCsv(list, rows) : await writeXlsx(list, rows)
  return { file, rows: counted.rows }
}

async function writeCsv({ columns }: ConsoleList, rows: AsyncIterable<Row>): Promise<Buffer> {
  const pieces = [BOM, formatCsvLine(columns)]
  for await (const row of rows) pieces.push(formatCsvLine(columns.map((name) => String(formatCell(row[name]) ?? ''))))
  return Buffer.from(pieces.join(''))
}

async function writeXlsx({ columns }: ConsoleList, rows: AsyncIterable<Row>): Promise<Buffer> {
  async function* cells() {
    for await (const row of rows) yield columns.map((name) => formatCell(row[name]))
  }
  const stream = writeXlsxStream(cells(), { name: 'Mingxi', columns: columns.map((header) => ({ header })), freezePane: { rows: 1 } })
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}
