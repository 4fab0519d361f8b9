import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import type { ChannelRow } from '../../contract-shapes.ts'
import { paymentTexts } from '../../texts.ts'
import { pageTexts } from '../../texts-pages.ts'
import { PAY_METHODS } from '../../contract-methods.ts'
import { UnionGuideLink } from '../union-link.tsx'
import { formatFeeTerms } from '../fee-words.ts'
import { channelMethodKey } from './method/last-method.ts'

interface ChannelCardsProps {
  readonly rows: readonly ChannelRow[]
  readonly chosen: ChannelRow | undefined
  readonly onChoose: (row: ChannelRow) => void
  readonly disabled?: boolean
}

/** Payment methods as radio cards: picture, name, one advantage, and the fee if it differs. */
export function ChannelCards({ rows, chosen, onChoose, disabled }: ChannelCardsProps) {
  const t = useTexts(paymentTexts)
  const page = useTexts(pageTexts)
  const differ = new Set(rows.map(formatFeeTerms)).size > 1
  return (
    <fieldset disabled={disabled}>
      <legend className="mb-1.5 text-14 font-medium">{t('methods')}</legend>
      <div className="grid grid-cols-2 gap-2">
        {rows.map((row) => {
          const checked = chosen !== undefined && channelMethodKey(row) === channelMethodKey(chosen)
          return (
            <label
              key={channelMethodKey(row)}
              className={`flex min-h-14 items-center gap-3 rounded-control border px-3 py-2 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-brand ${row.disabled ? 'border-line bg-sunken text-fg-3' : checked ? 'cursor-pointer border-brand bg-brand-soft' : 'cursor-pointer border-control hover:border-fg-3'}`}
            >
              <input type="radio" name="pay-method" className="sr-only" checked={checked} disabled={row.disabled} onChange={() => onChoose(row)} />
              <img src={row.img} alt="" width={28} height={28} className={`shrink-0 ${row.disabled ? 'opacity-40' : ''}`} />
              <span className="min-w-0">
                <span className="block text-14 leading-5 font-medium">{row.name}</span>
                <span className="block text-12 text-fg-3">
                  {row.balance !== undefined ? (
                    <BalanceNote row={row} />
                  ) : row.disabled ? (
                    row.closedWhy === 'review' ? (
                      page('method_review')
                    ) : (
                      t('method_closed')
                    )
                  ) : differ ? (
                    page('fee_of', { fee: formatFeeTerms(row) })
                  ) : (
                    row.advantages[0]
                  )}
                </span>
              </span>
            </label>
          )
        })}
      </div>
      {chosen?.transactionType === PAY_METHODS.unionpay.id ? <UnionGuideLink /> : null}
      {chosen?.tipsTop ? <p className="mt-2 text-12 text-fg-3">{chosen.tipsTop}</p> : null}
      {chosen?.tipsBottom ? <p className="mt-1 text-12 text-fg-3">{chosen.tipsBottom}</p> : null}
    </fieldset>
  )
}

/** The available balance, or the amount missing for this order. */
function BalanceNote({ row: { balance = '0', missing = '0' } }: { readonly row: ChannelRow }) {
  const t = useTexts(pageTexts)
  return missing === '0' ? t('balance_row', { balance: displayUsd(balance) }) : t('balance_short', { missing: displayUsd(missing) })
}
