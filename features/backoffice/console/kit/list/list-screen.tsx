import { useEffect, useRef, useState } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { EmptyState, ErrorState } from '#ui/error-state.tsx'
import { SkeletonRows } from '#ui/skeleton.tsx'
import { useConsoleKeys } from '../keys.ts'
import { ConsolePageHead } from '../page.tsx'
import { kitTexts } from '../texts.ts'
import { ListFoot } from './list-foot.tsx'
import { ListTable } from './list-table.tsx'
import type { ListRowsProps } from './list-table.tsx'
import { ListTools } from './list-tools.tsx'
import type { ListInput, ListDefinition, ListParts, ListColumn } from './types.ts'
import { useList } from './use-list.ts'
import { useRowMarks } from './use-marks.ts'
import type { RowMarks } from './use-marks.ts'
import { X } from 'lucide-react'
import { CommandButton } from '../command/command-button.tsx'
import { ListEnd } from '#ui/list-end.tsx'

/** Rows of a list on a phone. */
function ListCards<R>({ list, rows, show, query }: ListRowsProps<R>) {
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

/** Bar above the footer while rows are marked: their number, and the bulk commands. */
function MarksBar<R>({ marks: { acts, marked, clear } }: { readonly marks: RowMarks<R> }) {
  const t = useTexts(kitTexts)
  if (!marked.length) return null
  return (
    <div
      role="group"
      aria-label={t('markedN', { n: marked.length })}
      className="flex min-h-12 flex-wrap items-center gap-2 border-t border-line bg-brand-soft px-5 py-2 text-13"
    >
      <strong className="tabular font-semibold">{t('markedN', { n: marked.length })}</strong>
      <button type="button" className="icon-btn" aria-label={t('unmark')} title={t('unmark')} onClick={clear}>
        <X size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <span className="flex-1" />
      {acts.map(({ command, input }) => {
        const rows = marked.flatMap((row) => input(row) ?? [])
        return rows.length ? (
          <CommandButton key={command} name={`${command}-many`} input={{ rows }} about={t('ofMarkedN', { n: rows.length })} onDone={clear} />
        ) : null
      })}
    </div>
  )
}

/** A list with all features: views, filters, search, sorting, paging, shortcuts, export, and a sheet beside it. */
export function ListScreen<R, I extends object = ListInput>(list: ListDefinition<R, I>) {
  const state = useList(list)
  const { query, rows, open, at, set, params } = state
  const mobile = useIsMobile()
  const marks = useRowMarks(list, rows, state.asked)
  const [cursor, setCursor] = useState(-1)
  const search = useRef<HTMLInputElement>(null)
  const here = open === undefined ? cursor : at
  useEffect(() => {
    if (at >= 0) setCursor(at)
  }, [at])

  const show = (index: number) => {
    const row = rows[index]
    if (!row) return
    if (list.sheet) set({ open: list.rowKey(row) }, { replace: open !== undefined })
    else list.onOpen?.(row)
  }
  const move = (by: number) => {
    const next = Math.min(Math.max(here + by, 0), rows.length - 1)
    if (next < 0) return
    setCursor(next)
    if (open !== undefined) show(next)
    if (next >= rows.length - 5 && query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage()
  }
  const close = () => set({ open: undefined })
  const rowKeys = Object.entries(open === undefined && rows[here] ? (list.rowKeys ?? {}) : {}).map(([key, act]) => [key, () => act(rows[here]!)] as const)
  useConsoleKeys({
    ...Object.fromEntries(rowKeys),
    'j': () => move(1),
    'k': () => move(-1),
    'ArrowDown': () => move(1),
    'ArrowUp': () => move(-1),
    'e': () => {
      const row = rows[Math.max(here, 0)]
      if (row) list.take?.(row)
      show(Math.max(here, 0))
    },
    'Enter': here >= 0 && open === undefined ? () => show(here) : undefined,
    'x': marks.acts.length && rows[here] ? () => marks.toggle(rows[here]!) : undefined,
    '/': () => search.current?.focus(),
    'Escape': open !== undefined ? close : marks.marked.length ? marks.clear : undefined,
  })
  const sheet = open === undefined || !list.sheet ? undefined : list.sheet({ id: open, row: rows[at], close })
  if (mobile && sheet)
    return (
      <div className="h-full overflow-y-auto">
        <h1 className="sr-only">{list.title}</h1>
        {sheet}
      </div>
    )
  return (
    <div className="flex h-full min-w-0" data-beside={sheet ? '' : undefined}>
      <div className="flex h-full min-w-0 flex-1 flex-col">
        <ConsolePageHead title={list.title} note={list.note} about={list.about} actions={list.actions} />
        <ListTools list={list} params={params} set={set} search={search} />
        <Rows list={list} state={state} marks={marks} here={here} show={show} />
        <MarksBar marks={marks} />
        <ListFoot list={list} state={state} />
      </div>
      {sheet ? (
        <aside aria-label={list.title} className="flex h-full w-[528px] max-w-[55%] shrink-0 flex-col border-l border-line bg-surface">
          {sheet}
        </aside>
      ) : null}
    </div>
  )
}

function Rows<R>({
  list,
  state,
  marks,
  here,
  show,
}: {
  readonly list: ListParts<R>
  readonly state: ReturnType<typeof useList<R>>
  readonly marks: RowMarks<R>
  readonly here: number
  readonly show: (index: number) => void
}) {
  const t = useTexts(kitTexts)
  const mobile = useIsMobile()
  const { query, rows, asked, set, params } = state
  if (query.isPending)
    return (
      <div className="flex-1 border-t border-line">
        <SkeletonRows rows={10} />
      </div>
    )
  if (query.isError && !rows.length)
    return (
      <div className="flex-1 border-t border-line p-5">
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </div>
    )
  if (!rows.length) {
    const isFiltered = Object.keys(asked).some((name) => name !== 'sort' && name !== 'view' && !list.fixed?.includes(name))
    return (
      <div className="flex-1 overflow-y-auto border-t border-line">
        {isFiltered ? (
          <EmptyState
            title={t('nothingFound')}
            action={
              <button type="button" className="link" onClick={() => set(Object.fromEntries(Object.keys(params).map((name) => [name, undefined])))}>
                {t('clearFilters')}
              </button>
            }
          />
        ) : (
          <EmptyState title={list.empty.title} body={list.empty.body} />
        )}
      </div>
    )
  }
  const Look = mobile ? ListCards : ListTable
  return (
    <Look
      list={list}
      rows={rows}
      marks={marks}
      here={here}
      open={state.open}
      show={show}
      sort={params['sort']}
      onSort={(sort) => set({ sort })}
      query={query}
    />
  )
}
