import { useTexts } from '#platform/web/i18n.ts'
import { ListEnd } from '#ui/list-end.tsx'
import { kitTexts } from '../texts.ts'
import type { ListRowsProps } from './list-table.tsx'
import type { ListColumn } from './types.ts'

/** The same lines on a phone. */
export function ListCards<R>({ list, rows, show, query }: ListRowsProps<R>) {
  const t = useTexts(kitTexts)
  const at = (place: ListColumn<R>['mobile']) => list.columns.filter((column) => column.mobile === place)
  return (
    <div className="min-h-0 flex-1 overflow-y-auto border-t border-line">
      <ul aria-label={list.title} className="divide-y divide-line bg-surface">
        {rows.map((row, index) => (
          <li
            key={list.rowKey(row)}
            className={`relative cursor-pointer px-4 py-3 ${list.dim?.(row) ? 'text-fg-3' : ''}`}
            onClick={(event) => {
              if (!(event.target as HTMLElement).closest('a, button, input')) show(index)
            }}
          >
            <button type="button" className="sr-only focus:not-sr-only" onClick={() => show(index)}>
              {t('openRow', { row: list.rowKey(row) })}
            </button>
            <div>
              <span className="flex items-baseline justify-between gap-3">
                <span className="min-w-0 font-semibold [overflow-wrap:anywhere]">
                  {at('title').map((column) => (
                    <span key={column.key} className="block">
                      {column.cell(row)}
                    </span>
                  ))}
                </span>
                <span className="shrink-0 text-right">
                  {at('primary').map((column) => (
                    <span key={column.key} className="block">
                      {column.cell(row)}
                    </span>
                  ))}
                </span>
              </span>
              <span className="mt-1 grid gap-y-0.5 text-13 font-normal">
                {at(undefined).map((column) => (
                  <span key={column.key} className="flex justify-between gap-4">
                    <span className="shrink-0 text-fg-3">{column.header}</span>
                    <span className="min-w-0 text-right tabular [overflow-wrap:anywhere]">{column.cell(row)}</span>
                  </span>
                ))}
              </span>
            </div>
          </li>
        ))}
      </ul>
      <ListEnd hasMore={query.hasNextPage} loading={query.isFetchingNextPage} onMore={() => void query.fetchNextPage()} />
    </div>
  )
}
