import type { ReactNode } from 'react'
import { useIsMobile } from '#platform/web/device.ts'

export interface Column<R> {
  readonly key: string
  readonly header: ReactNode
  readonly cell: (row: R) => ReactNode
  /** Aligns numbers right. */
  readonly align?: 'left' | 'right'
  /**
   * Place on a card (720 px and below): `title` top left, `primary` top right, `actions` below all, `hidden` not at all; every other column
   * is a label and a value.
   */
  readonly mobile?: 'title' | 'primary' | 'actions' | 'hidden'
  /** Minimum window width in pixels at which the table shows the column; cards always show it. */
  readonly from?: 900 | 1200
  readonly className?: string
}

const FROM = { 900: 'max-[899px]:hidden', 1200: 'max-[1199px]:hidden' } as const

interface DataTableProps<R> {
  /** Label for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<R>[]
  readonly rows: readonly R[]
  readonly rowKey: (row: R) => string
  /** Sums, aligned with the columns by key. */
  readonly totals?: Readonly<Record<string, ReactNode>>
  /** Shown instead of rows: an EmptyState, an ErrorState or SkeletonRows. */
  readonly instead?: ReactNode
  readonly className?: string
}

/** A table on desktop, a list of cards on mobile. */
export function DataTable<R>(props: DataTableProps<R>) {
  return useIsMobile() ? <Cards {...props} /> : <Table {...props} />
}

function Table<R>({ caption, columns, rows, rowKey, totals, instead, className = '' }: DataTableProps<R>) {
  const side = (column: Column<R>) =>
    `px-4 ${column.align === 'right' ? 'text-right' : 'text-left'} ${column.from ? FROM[column.from] : ''} ${column.className ?? ''}`
  return (
    <div className={`card overflow-x-auto ${className}`} tabIndex={0} role="group" aria-label={caption}>
      <table className="w-full border-collapse text-14 tabular">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 z-10 bg-sunken">
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" className={`h-11 font-medium whitespace-nowrap text-13 text-fg-2 ${side(column)}`}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {instead ? (
            <tr>
              <td colSpan={columns.length}>{instead}</td>
            </tr>
          ) : (
            rows.map((row) => (
              <tr key={rowKey(row)} className="border-t border-line hover:bg-sunken">
                {columns.map((column) => (
                  <td key={column.key} className={`h-12 py-2 ${side(column)}`}>
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))
          )}
        </tbody>
        {totals && !instead ? (
          <tfoot className="border-t-2 border-line font-semibold">
            <tr>
              {columns.map((column) => (
                <td key={column.key} className={`h-12 ${side(column)}`}>
                  {totals[column.key]}
                </td>
              ))}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </div>
  )
}

function Cards<R>({ caption, columns, rows, rowKey, totals, instead, className = '' }: DataTableProps<R>) {
  if (instead) return <div className={`card ${className}`}>{instead}</div>
  const at = (place: Column<R>['mobile']) => columns.filter((column) => column.mobile === place)
  const rest = at(undefined)
  return (
    <ul aria-label={caption} className={`card divide-y divide-line ${className}`}>
      {rows.map((row) => (
        <li key={rowKey(row)} className="px-4 py-3.5">
          <div className="flex items-baseline justify-between gap-3">
            <div className="min-w-0 font-semibold">
              {at('title').map((column) => (
                <div key={column.key}>{column.cell(row)}</div>
              ))}
            </div>
            <div className="shrink-0 text-right font-medium">
              {at('primary').map((column) => (
                <div key={column.key}>{column.cell(row)}</div>
              ))}
            </div>
          </div>
          {rest.length ? (
            <dl className="mt-1.5 grid gap-y-0.5 text-13">
              {rest.map((column) => (
                <div key={column.key} className="flex justify-between gap-4">
                  <dt className="shrink-0 text-fg-3">{column.header}</dt>
                  <dd className="min-w-0 text-right tabular">{column.cell(row)}</dd>
                </div>
              ))}
            </dl>
          ) : null}
          {at('actions').map((column) => (
            <div key={column.key} className="mt-2.5 flex flex-wrap justify-end gap-2">
              {column.cell(row)}
            </div>
          ))}
        </li>
      ))}
      {totals ? (
        <li className="border-t-2 border-line px-4 py-3.5 font-semibold">
          <div className="flex items-baseline justify-between gap-3">
            <div className="min-w-0">
              {at('title').map((column) => (
                <div key={column.key}>{totals[column.key]}</div>
              ))}
            </div>
            <div className="shrink-0 text-right">
              {at('primary').map((column) => (
                <div key={column.key}>{totals[column.key]}</div>
              ))}
            </div>
          </div>
          <dl className="mt-1.5 grid gap-y-0.5 text-13">
            {rest
              .filter((column) => totals[column.key] !== undefined)
              .map((column) => (
                <div key={column.key} className="flex justify-between gap-4">
                  <dt className="shrink-0 font-medium text-fg-3">{column.header}</dt>
                  <dd className="min-w-0 text-right tabular">{totals[column.key]}</dd>
                </div>
              ))}
          </dl>
        </li>
      ) : null}
    </ul>
  )
}
