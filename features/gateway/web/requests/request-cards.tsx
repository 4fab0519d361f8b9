import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { gatewayTexts } from '../../texts.ts'
import { formatDurationMs } from '../figures.ts'
import { Elapsed, OpenCallState } from './open-call.tsx'
import { RequestModelName, formatRequestTime, type RequestListProps } from './request-model.tsx'
import { RequestStateCell } from './request-state.tsx'

/** The list on a phone. */
export function RequestCards({ rows, open, ahead, onShow, places }: RequestListProps & { readonly places: number }) {
  const t = useTexts(gatewayTexts)
  return (
    <ul className="card divide-y divide-line" aria-label={t('tab_requests')} data-calls tabIndex={-1}>
      {open.map((row) => (
        <li key={row.id}>
          <button
            type="button"
            data-call={row.id}
            onClick={() => onShow(row.id)}
            className="grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 px-4 py-3 text-left -outline-offset-2"
          >
            <span className="min-w-0">
              <RequestModelName row={row} />
            </span>
            <span className="num text-right text-13 text-fg-3">—</span>
            <span className="pl-4">
              <OpenCallState held={row.held} />
            </span>
            <span className="num text-right text-12 text-fg-3">
              {formatRequestTime(row.startedAt)}
              <span className="block">
                <Elapsed startedAt={row.startedAt} ahead={ahead} />
              </span>
            </span>
          </button>
        </li>
      ))}
      {rows.map((row) => (
        <li key={row.id}>
          <button
            type="button"
            data-call={row.id}
            onClick={() => onShow(row.id)}
            className={`grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 px-4 py-3 text-left -outline-offset-2 ${row.state === 'refused' ? 'text-fg-3' : ''}`}
          >
            <span className="min-w-0">
              <RequestModelName row={row} />
            </span>
            <span className={`num text-right text-13 ${row.amount === '0' ? 'text-fg-3' : 'font-semibold'}`}>
              {displayUsd(row.amount, row.amount === '0' ? 2 : places)}
            </span>
            <span className="pl-4">
              <RequestStateCell row={row} />
            </span>
            <span className="num text-right text-12 text-fg-3">
              {formatRequestTime(row.startedAt)}
              <span className="block">{formatDurationMs(row.totalMs)}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
