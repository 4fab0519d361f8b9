import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { ListEnd } from '#ui/list-end.tsx'
import { kitTexts } from '../texts.ts'
import type { ListColumn, ListParts } from './types.ts'
import type { RowMarks } from './use-marks.ts'

export interface ListRowsProps<R> {
  readonly list: ListParts<R>
  readonly rows: readonly R[]
  readonly marks: RowMarks<R>
  /** The row selected with J and K. */
  readonly here: number
  readonly open: string | undefined
  readonly show: (index: number) => void
  readonly sort: string | undefined
  readonly onSort: (sort: string) => void
  readonly query: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

const alignClass = ({ align }: ListColumn<never>) => (align === 'right' ? 'text-right' : 'text-left')

/** Table of dense rows with a sticky header. */
export function ListTable<R>({ list, rows, marks, here, open, show, sort, onSort, query }: ListRowsProps<R>) {
  const t = useTexts(kitTexts)
  const line = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    line.current?.scrollIntoView({ block: 'nearest' })
  }, [here])
  const columns = open === undefined ? list.columns : list.columns.filter(({ aside }) => !aside)
  const cell = 'px-2.5 first:pl-5 last:pr-5 py-1 whitespace-nowrap'
  return (
    <div className="min-h-0 flex-1 overflow-auto border-t border-line" tabIndex={0} role="group" aria-label={list.title}>
      <table className="w-full border-collapse text-13 tabular">
        <caption className="sr-only">{list.title}</caption>
        <thead className="sticky top-0 z-10 bg-sunken">
          <tr>
            {marks.acts.length ? <MarkAll marks={marks} count={rows.length} /> : null}
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                style={column.width ? { width: column.width } : undefined}
                aria-sort={readSort(sort, column.key)}
                className={`h-8 ${cell} text-12 font-medium text-fg-2 ${alignClass(column as ListColumn<never>)}`}
              >
                {column.sort ? <SortButton column={column.key} header={column.header} sort={sort} onSort={onSort} /> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const key = list.rowKey(row)
            const isHere = index === here
            return (
              <tr
                key={key}
                ref={isHere ? line : undefined}
                aria-selected={key === open}
                onClick={(event) => {
                  if (!(event.target as HTMLElement).closest('a, button, input')) show(index)
                }}
                className={`ops-row cursor-pointer ${isHere ? 'at' : ''} ${list.dim?.(row) ? 'text-fg-3' : ''}`}
              >
                {marks.acts.length ? (
                  <td className="w-9 pl-5">
                    <input
                      type="checkbox"
                      aria-label={t('mark', { row: key })}
                      checked={marks.isMarked(row)}
                      onChange={() => marks.toggle(row)}
                      className="block size-4 accent-brand"
                    />
                  </td>
                ) : null}
                {columns.map((column, columnAt) => (
                  <td key={column.key} className={`${cell} ${alignClass(column as ListColumn<never>)}`}>
                    {columnAt === 0 ? (
                      <button type="button" className="sr-only focus:not-sr-only" onClick={() => show(index)}>
                        {t('openRow', { row: key })}
                      </button>
                    ) : null}
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
      <ListEnd hasMore={query.hasNextPage} loading={query.isFetchingNextPage} onMore={() => void query.fetchNextPage()} />
    </div>
  )
}

function MarkAll<R>({ marks, count }: { readonly marks: RowMarks<R>; readonly count: number }) {
  const t = useTexts(kitTexts)
  return (
    <th scope="col" className="w-9 pl-5">
      <input
        type="checkbox"
        aria-label={t('markAll')}
        checked={count > 0 && marks.marked.length === count}
        onChange={(event) => marks.all(event.target.checked)}
        className="block size-4 accent-brand"
      />
    </th>
  )
}

function readSort(sort: string | undefined, key: string): 'ascending' | 'descending' | undefined {
  if (sort === key) return 'ascending'
  return sort === `-${key}` ? 'descending' : undefined
}

function SortButton({
  column,
  header,
  sort,
  onSort,
}: {
  readonly column: string
  readonly header: string
  readonly sort: string | undefined
  readonly onSort: (sort: string) => void
}) {
  const now = readSort(sort, column)
  return (
    <button type="button" className="inline-flex items-center gap-1 hover:text-fg" onClick={() => onSort(now === 'descending' ? column : `-${column}`)}>
      {header}
      {now === 'ascending' ? <ArrowUp size={12} aria-hidden="true" /> : null}
      {now === 'descending' ? <ArrowDown size={12} aria-hidden="true" /> : null}
    </button>
  )
}
