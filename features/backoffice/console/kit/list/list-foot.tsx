import { Download } from 'lucide-react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { toast } from '#ui/layers/toast.ts'
import { KeyCap } from '../marks.tsx'
import { kitTexts } from '../texts.ts'
import { SpreadsheetButton } from './sheet-file.tsx'
import type { ListInput, ListDefinition } from './types.ts'
import type { useList } from './use-list.ts'
import { saveBlob } from '#platform/web/save-blob.ts'
import type { AddressParams } from '../address.ts'

const BOM = '\uFEFF'

/**
 * Escapes a cell so that no spreadsheet reads it as a formula: text that begins like one gets an apostrophe; plain numbers stay numbers
 * (H5).
 */
function formatCsvCell(text: string): string {
  const flat = text.replace(/[\r\n\u2028\u2029]+/g, ' ').replaceAll('\u0000', '')
  const safe = /^\s*[=+\-@\t|%\uff1d\uff0b\uff0d\uff20]/.test(flat) && !/^-?\d{1,15}(\.\d{1,9})?$/.test(flat) ? `'${flat}` : flat
  return /[",;\t']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function formatCsv(lines: readonly (readonly string[])[]): string {
  return BOM + lines.map((cells) => `${cells.map(formatCsvCell).join(',')}\r\n`).join('')
}

const PAGE = 200
/** Maximum number of rows exported in the browser; longer lists are exported by a server job. */
const MAX_ROWS = 10_000

/** Exports all rows for the URL's filters as a file, read page by page. */
async function saveCsv<R, I extends object = ListInput>(
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

/** Footer of a list: shortcuts, number of rows, and the export. */
export function ListFoot<R, I extends object = ListInput>({
  list,
  state,
}: {
  readonly list: ListDefinition<R, I>
  readonly state: ReturnType<typeof useList<R>>
}) {
  const t = useTexts(kitTexts)
  const { run, isRunning } = useSubmit()
  const { rows, query, asked } = state
  const hasFile = list.columns.some((column) => column.csv)
  const save = () =>
    run(async () => {
      const { count, isWhole } = await saveCsv(list, asked)
      if (isWhole) toast.success(t('savedRows', { n: count }))
      else toast.warning(t('savedRowsCut', { n: count }))
    }).then((error) => {
      if (error) toast.error(error.message)
    })
  return (
    <footer className="flex min-h-10 items-center gap-4 border-t border-line bg-surface px-5 text-12 text-fg-2 mobile:px-4">
      <p className="flex min-w-0 flex-1 items-center gap-1.5 overflow-hidden whitespace-nowrap mobile:hidden" aria-hidden="true">
        <KeyCap>J</KeyCap>
        <KeyCap>K</KeyCap>
        <span className="mr-2">{t('keyMove')}</span>
        <KeyCap>E</KeyCap>
        <span className="mr-2">{t(list.take ? 'keyTake' : 'keyOpen')}</span>
        {list.search ? (
          <>
            <KeyCap>/</KeyCap>
            <span className="mr-2">{t('keyFilter')}</span>
          </>
        ) : null}
        {list.marks ? (
          <>
            <KeyCap>X</KeyCap>
            <span className="mr-2">{t('keyMark')}</span>
          </>
        ) : null}
        <KeyCap>?</KeyCap>
        <span>{t('keyAll')}</span>
      </p>
      <p className="tabular mobile:flex-1" role="status">
        {query.isPending || (query.isError && !rows.length) ? '' : t(query.hasNextPage ? 'rowsSoFar' : 'rowsAll', { n: rows.length })}
      </p>
      {hasFile ? (
        <Button variant="ghost" onClick={() => void save()} loading={isRunning} disabled={!rows.length}>
          <Download size={14} strokeWidth={1.75} aria-hidden="true" />
          {t('csvFile')}
        </Button>
      ) : null}
      {list.file ? <SpreadsheetButton path={list.file} asked={asked} disabled={!rows.length} /> : null}
    </footer>
  )
}
