import { Landmark, Wallet } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { parseUsd } from '#platform/shared/money.ts'
import { cardTexts } from '../../texts.ts'

export type RechargeSource = 'balance' | 'channel'

interface SourceCardsProps {
  readonly source: RechargeSource
  readonly onChoose: (source: RechargeSource) => void
  /** Part of the balance usable for a card; undefined while loading. */
  readonly usable: string | undefined
  readonly given: string
  readonly enough: boolean
  readonly disabled: boolean
}

/** Choice of the source: the balance, or a payment. */
export function SourceCards({ source, onChoose, usable, given, enough, disabled }: SourceCardsProps) {
  const t = useTexts(cardTexts)
  const hasGiven = parseUsd(given) > 0n
  const rows = [
    {
      value: 'balance',
      Icon: Wallet,
      name: t('fromBalance'),
      note: usable === undefined ? ' ' : t(enough ? 'fromBalanceHas' : 'fromBalanceShort', { amount: displayUsd(usable) }),
      fee: t('noFee'),
    },
    { value: 'channel', Icon: Landmark, name: t('fromChannel'), note: t('fromChannelNote'), fee: '' },
  ] as const
  return (
    <fieldset disabled={disabled}>
      <legend className="mb-1.5 text-14 font-medium">{t('source')}</legend>
      <div className="grid gap-2 desktop:grid-cols-2">
        {rows.map(({ value, Icon, name, note, fee }) => (
          <label
            key={value}
            className={`flex min-h-14 cursor-pointer items-center gap-3 rounded-control border px-3 py-2 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-brand ${source === value ? 'border-brand bg-brand-soft' : 'border-control hover:border-fg-3'}`}
          >
            <input type="radio" name="card-source" className="sr-only" checked={source === value} onChange={() => onChoose(value)} />
            <Icon size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-brand-text" />
            <span className="min-w-0 flex-1">
              <span className="flex items-baseline justify-between gap-2 text-14 leading-5 font-medium">
                {name}
                {fee ? <span className="text-12 font-normal text-fg-3">{fee}</span> : null}
              </span>
              <span className={`block text-12 ${value === 'balance' && !enough ? 'text-warning' : 'text-fg-3'}`}>{note}</span>
            </span>
          </label>
        ))}
      </div>
      {hasGiven ? <p className="mt-1.5 text-12 text-fg-3">{t('givenStays', { amount: displayUsd(given) })}</p> : null}
    </fieldset>
  )
}
