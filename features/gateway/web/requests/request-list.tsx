import type { ReactNode } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import { markFigure, displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import { formatCount, countCommonPlaces } from '#platform/shared/show-money.ts'
import type { RequestRow, RequestState, OpenApiCall } from '../../contract-requests.ts'
import { gatewayTexts } from '../../texts.ts'
import { formatDurationMs } from '../figures.ts'
import { Elapsed, OpenCallState } from './open-call.tsx'
import { GATEWAY_MEASURED_TEXT, GATEWAY_STATE_TEXT } from '../../state-texts.ts'
import { Ban, CircleCheck, CircleX, Unplug } from 'lucide-react'
import { getCauseTexts } from './causes.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { VendorDot } from '../vendors/vendor-dot.tsx'

interface RequestListProps {
  readonly rows: readonly RequestRow[]
  /** Calls under way, shown first. */
  readonly open: readonly OpenApiCall[]
  /** Difference of this clock from the server's, in milliseconds. */
  readonly ahead: number
  readonly chosen: string
  readonly onShow: (id: string) => void
}

type RequestModel = Pick<RequestRow, 'model' | 'askedModel' | 'vendor' | 'keyName'>
const getServedModel = (row: RequestModel) => row.model || row.askedModel || '–'

function RequestModelName({ row }: { readonly row: RequestModel }) {
  const t = useTexts(gatewayTexts)
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        <VendorDot vendor={row.vendor} />
        <code className="num min-w-0 text-13 font-medium [overflow-wrap:anywhere] whitespace-normal">{getServedModel(row)}</code>
      </span>
      <span className="block max-w-64 truncate pl-4 text-12 text-fg-3">
        {row.keyName}
        {row.model && row.askedModel ? ` · ${t('callAskedFor', { model: row.askedModel })}` : ''}
      </span>
    </>
  )
}

/** Formats a time to the second for today, and with the day for earlier calls. */
const formatRequestTime = (at: string) =>
  toShanghaiDay(Date.parse(at)) === toShanghaiDay(Date.now()) ? displayTime(at, 'second').slice(11) : displayTime(at, 'second').slice(5)

const ICONS = { completed: CircleCheck, client_gone: Unplug, upstream_failed: CircleX, upstream_cut: CircleX, refused: Ban } as const
const TONES = {
  completed: 'text-success',
  client_gone: 'text-warning',
  upstream_failed: 'text-danger',
  upstream_cut: 'text-danger',
  refused: 'text-fg-2',
} as const satisfies Record<RequestState, string>

/** Outcome of a call, and the reason if it did not complete. */
function RequestStateCell({ row }: { readonly row: Pick<RequestRow, 'state' | 'status' | 'cause' | 'amount'> }) {
  const t = useTexts(gatewayTexts)
  const Icon = ICONS[row.state]
  const why =
    row.state === 'refused'
      ? `${row.status} ${t(getCauseTexts(row.cause).why)}`
      : row.state === 'completed'
        ? ''
        : `${row.status === 200 ? '' : `${row.status} `}${row.amount === '0' ? t('notCharged') : t('chargedPart')}`
  return (
    <span className="block text-13">
      <span className={`inline-flex items-center gap-1.5 font-medium ${TONES[row.state]}`}>
        <Icon size={14} strokeWidth={1.75} aria-hidden="true" />
        {t(GATEWAY_STATE_TEXT[row.state])}
      </span>
      {why ? <span className="block text-12 text-fg-3">{why}</span> : null}
    </span>
  )
}

/** The list on phones. */
function RequestCards({ rows, open, ahead, onShow, places }: RequestListProps & { readonly places: number }) {
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

/** Lists calls in rows two lines high; the selected row has an edge in the brand colour. */
export function RequestList(props: RequestListProps) {
  // amounts line up in their column
  const places = countCommonPlaces(
    props.rows.map((row) => row.amount),
    4,
  )
  return useIsMobile() ? <RequestCards {...props} places={places} /> : <Table {...props} places={places} />
}

const formatTokens = (row: RequestRow, count: number) => (row.state === 'refused' || row.measured ? '' : formatCount(count))

function Table({ rows, open, ahead, chosen, onShow, places }: RequestListProps & { readonly places: number }) {
  const t = useTexts(gatewayTexts)
  const number = 'num px-3 text-right text-13 whitespace-nowrap'
  const isNarrow = chosen !== ''
  return (
    <div className="card overflow-x-auto" data-calls tabIndex={0} role="group" aria-label={t('tab_requests')}>
      <table className="w-full border-collapse text-14">
        <caption className="sr-only">{t('tab_requests')}</caption>
        <Head isNarrow={isNarrow} />
        <tbody>
          {open.map((row) => (
            <Line key={row.id} row={row} isChosen={row.id === chosen} onShow={onShow} state={<OpenCallState held={row.held} />}>
              {isNarrow ? null : (
                <>
                  <td className={`${number} text-fg-3`}>—</td>
                  <td className={`${number} text-fg-3`}>—</td>
                  <td className={`${number} text-fg-3`}>—</td>
                </>
              )}
              <td className={number}>
                <Elapsed startedAt={row.startedAt} ahead={ahead} />
              </td>
              <td className={`${number} text-fg-3`}>—</td>
            </Line>
          ))}
          {rows.map((row) => (
            <Line
              key={row.id}
              row={row}
              isChosen={row.id === chosen}
              onShow={onShow}
              className={row.state === 'refused' ? 'text-fg-3' : ''}
              state={<RequestStateCell row={row} />}
            >
              {isNarrow ? null : (
                <>
                  <td className={number}>
                    {row.measured
                      ? t(GATEWAY_MEASURED_TEXT[row.measured.kind], { count: formatCount(row.measured.count) })
                      : formatTokens(row, row.inputTokens)}
                  </td>
                  <td className={number}>{formatTokens(row, row.outputTokens)}</td>
                  <td className={number}>{row.state === 'refused' ? '' : formatDurationMs(row.firstByteMs)}</td>
                </>
              )}
              <td className={number}>{formatDurationMs(row.totalMs)}</td>
              <td className={`${number} ${row.amount === '0' ? 'text-fg-3' : 'font-semibold'}`} {...markFigure(FIGURES['requests.row.amount'])}>
                {displayUsd(row.amount, row.amount === '0' ? 2 : places)}
              </td>
            </Line>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Head({ isNarrow }: { readonly isNarrow: boolean }) {
  const t = useTexts(gatewayTexts)
  const head = 'h-10 px-3 font-medium whitespace-nowrap text-13 text-fg-2'
  return (
    <thead className="bg-sunken text-left">
      <tr>
        <th scope="col" className={head}>
          {t('colTime')}
        </th>
        <th scope="col" className={head}>
          {t('colModelKey')}
        </th>
        <th scope="col" className={head}>
          {t('callStatus')}
        </th>
        {isNarrow ? null : (
          <>
            <th scope="col" className={`${head} text-right`}>
              {t('colIn')}
            </th>
            <th scope="col" className={`${head} text-right`}>
              {t('colOut')}
            </th>
            <th scope="col" className={`${head} text-right`}>
              {t('colFirst')}
            </th>
          </>
        )}
        <th scope="col" className={`${head} text-right`}>
          {t('callSpeed')}
        </th>
        <th scope="col" className={`${head} text-right`}>
          {t('colCost')}
        </th>
      </tr>
    </thead>
  )
}

interface LineProps {
  readonly row: RequestModel & Pick<RequestRow, 'id' | 'startedAt'>
  readonly isChosen: boolean
  readonly onShow: (id: string) => void
  readonly state: ReactNode
  readonly className?: string
  /** Cells of the row's figures. */
  readonly children: ReactNode
}

function Line({ row, isChosen, onShow, state, className = '', children }: LineProps) {
  const t = useTexts(gatewayTexts)
  return (
    <tr
      aria-selected={isChosen || undefined}
      onClick={() => onShow(row.id)}
      className={`cursor-pointer border-t border-line ${isChosen ? 'bg-brand-soft shadow-[inset_3px_0_0_var(--color-brand)]' : 'hover:bg-sunken'} ${className}`}
    >
      <td className="h-12 px-3">
        <button
          type="button"
          data-call={row.id}
          aria-label={t('requestOpen', { model: getServedModel(row), time: displayTime(row.startedAt, 'second') })}
          className="num -mx-1 rounded-tag px-1 text-13 whitespace-nowrap"
          onClick={(event) => {
            event.stopPropagation()
            onShow(row.id)
          }}
        >
          {formatRequestTime(row.startedAt)}
        </button>
      </td>
      <td className="px-3 py-1.5">
        <RequestModelName row={row} />
      </td>
      <td className="px-3">{state}</td>
      {children}
    </tr>
  )
}
