import type { ReactNode } from 'react'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import { figureMark } from '#platform/web/figure.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import { timeDisplay } from '#platform/web/time.tsx'
import { countText, commonPlaces } from '#platform/shared/show-money.ts'
import type { RequestRow } from '../../contract-requests.ts'
import { gatewayTexts } from '../../texts.ts'
import { msText } from '../figures.ts'
import { Elapsed, OpenState } from './open-call.tsx'
import { Cards } from './request-cards.tsx'
import { Model, served, when, type Named, type RequestListProps } from './request-named.tsx'
import { RequestStateCell } from './request-state.tsx'
import { GATEWAY_MEASURED_TEXT } from '../../state-texts.ts'

/** Every call a line, two lines high; the chosen one wears the brand's edge. */
export function RequestList(props: RequestListProps) {
  // amounts under each other line up
  const places = commonPlaces(
    props.rows.map((row) => row.amount),
    4,
  )
  return useIsMobile() ? <Cards {...props} places={places} /> : <Table {...props} places={places} />
}

const tokens = (row: RequestRow, count: number) => (row.state === 'refused' || row.measured ? '' : countText(count))

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
            <Line key={row.id} row={row} isChosen={row.id === chosen} onShow={onShow} state={<OpenState held={row.held} />}>
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
                    {row.measured ? t(GATEWAY_MEASURED_TEXT[row.measured.kind], { count: countText(row.measured.count) }) : tokens(row, row.inputTokens)}
                  </td>
                  <td className={number}>{tokens(row, row.outputTokens)}</td>
                  <td className={number}>{row.state === 'refused' ? '' : msText(row.firstByteMs)}</td>
                </>
              )}
              <td className={number}>{msText(row.totalMs)}</td>
              <td className={`${number} ${row.amount === '0' ? 'text-fg-3' : 'font-semibold'}`} {...figureMark(FIGURES['requests.row.amount'])}>
                {usdDisplay(row.amount, row.amount === '0' ? 2 : places)}
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
  readonly row: Named & Pick<RequestRow, 'id' | 'startedAt'>
  readonly isChosen: boolean
  readonly onShow: (id: string) => void
  readonly state: ReactNode
  readonly className?: string
  /** The cells of figures. */
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
      <td className="px-3">{state}</td>
      {children}
    </tr>
  )
}
