import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import { timeDisplay } from '#platform/web/time.tsx'
import { commonPlaces } from '#platform/shared/show-money.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { VendorDot } from '#ui/vendor.tsx'
import type { RequestRow } from '../../contract-requests.ts'
import { gatewayTexts } from '../../texts.ts'
import { countText, msText } from '../figures.ts'
import { RequestStateCell } from './request-state.tsx'

interface RequestListProps {
  readonly rows: readonly RequestRow[]
  readonly chosen: string
  readonly onShow: (id: string) => void
}

/** Every call a line, two lines high; the chosen one wears the brand's edge. */
export function RequestList(props: RequestListProps) {
  // amounts under each other line up
  const places = commonPlaces(
    props.rows.map((row) => row.amount),
    4,
  )
  return useIsMobile() ? <Cards {...props} places={places} /> : <Table {...props} places={places} />
}

const served = (row: RequestRow) => row.model || row.askedModel || '–'

function Model({ row }: { readonly row: RequestRow }) {
  const t = useTexts(gatewayTexts)
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        <VendorDot vendor={row.vendor} />
        <code className="num min-w-0 text-13 font-medium [overflow-wrap:anywhere]">{served(row)}</code>
      </span>
      <span className="block max-w-64 truncate pl-4 text-12 text-fg-3">
        {row.keyName}
        {row.model && row.askedModel ? ` · ${t('callAskedFor', { model: row.askedModel })}` : ''}
      </span>
    </>
  )
}

const tokens = (row: RequestRow, count: number) => (row.state === 'refused' || row.measured ? '' : countText(count))
/** Today's calls by their second, earlier ones with their day. */
const when = (at: string) =>
  shanghaiDay(Date.parse(at)) === shanghaiDay(Date.now()) ? timeDisplay(at, 'second').slice(11) : timeDisplay(at, 'second').slice(5)

function Table({ rows, chosen, onShow, places }: RequestListProps & { readonly places: number }) {
  const t = useTexts(gatewayTexts)
  const head = 'h-10 px-3 font-medium whitespace-nowrap text-13 text-fg-2'
  const number = 'num px-3 text-right text-13 whitespace-nowrap'
  const isNarrow = chosen !== ''
  return (
    <div className="card overflow-x-auto" data-calls tabIndex={0} role="group" aria-label={t('tab_requests')}>
      <table className="w-full border-collapse text-14">
        <caption className="sr-only">{t('tab_requests')}</caption>
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
        <tbody>
          {rows.map((row) => {
            const isChosen = row.id === chosen
            return (
              <tr
                key={row.id}
                aria-selected={isChosen || undefined}
                onClick={() => onShow(row.id)}
                className={`cursor-pointer border-t border-line ${isChosen ? 'bg-brand-soft shadow-[inset_3px_0_0_var(--color-brand)]' : 'hover:bg-sunken'} ${row.state === 'refused' ? 'text-fg-3' : ''}`}
              >
                <td className="h-12 px-3">
                  <button
                    type="button"
                    data-call={row.id}
                    aria-label={t('requestOpen', { model: served(row), time: timeDisplay(row.startedAt, 'second') })}
                    className="num -mx-1 rounded-tag px-1 text-13 whitespace-nowrap"
                    onClick={(event) => {
                      event.stopPropagation()
                      onShow(row.id)
                    }}
                  >
                    {when(row.startedAt)}
                  </button>
                </td>
                <td className="px-3 py-1.5">
                  <Model row={row} />
                </td>
                <td className="px-3">
                  <RequestStateCell row={row} />
                </td>
                {isNarrow ? null : (
                  <>
                    <td className={number}>
                      {row.measured ? t(`measured_${row.measured.kind}`, { count: countText(row.measured.count) }) : tokens(row, row.inputTokens)}
                    </td>
                    <td className={number}>{tokens(row, row.outputTokens)}</td>
                    <td className={number}>{row.state === 'refused' ? '' : msText(row.firstByteMs)}</td>
                  </>
                )}
                <td className={number}>{msText(row.totalMs)}</td>
                <td className={`${number} ${row.amount === '0' ? 'text-fg-3' : 'font-semibold'}`}>{usdDisplay(row.amount, places)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Cards({ rows, onShow, places }: RequestListProps & { readonly places: number }) {
  const t = useTexts(gatewayTexts)
  return (
    <ul className="card divide-y divide-line" aria-label={t('tab_requests')} data-calls tabIndex={-1}>
      {rows.map((row) => (
        <li key={row.id}>
          <button
            type="button"
            data-call={row.id}
            onClick={() => onShow(row.id)}
            className={`grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-1 px-4 py-3 text-left -outline-offset-2 ${row.state === 'refused' ? 'text-fg-3' : ''}`}
          >
            <span className="min-w-0">
              <Model row={row} />
            </span>
            <span className={`num text-right text-13 ${row.amount === '0' ? 'text-fg-3' : 'font-semibold'}`}>{usdDisplay(row.amount, places)}</span>
            <span className="pl-4">
              <RequestStateCell row={row} />
            </span>
            <span className="num text-right text-12 text-fg-3">
              {when(row.startedAt)}
              <span className="block">{msText(row.totalMs)}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
