import { useId, useState, type ReactNode } from 'react'
import { CHAT_VENDORS } from '#features/gateway/web/door.ts'
import { formatCount } from '#platform/shared/show-money.ts'
import { parseUsd, multiplyNano, formatUsd } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { siteTexts } from '../../texts.ts'
import { pickEverydayModel } from '../price-figures.ts'
import { useYourPrices } from '../your-prices.ts'
import { computeCallCost } from './sample.ts'
import { Section } from './section.tsx'
import { formatInYuan } from './yuan.ts'

const CALC_NOTE_TEXT = { short: 'calc_short_note', middle: 'calc_middle_note', long: 'calc_long_note' } as const
const CALC_TEXT = { short: 'calc_short', middle: 'calc_middle', long: 'calc_long' } as const

/** Tokens in and out of one turn. */
const LENGTHS = { short: [300, 200], middle: [1500, 600], long: [12_000, 1500] } as const
type Length = keyof typeof LENGTHS
const STOPS = [1, 2, 5, 10, 20, 30, 50, 80, 100, 150, 200, 300, 500, 800, 1000, 2000, 5000] as const
const DAYS = 30

/** So many conversations a day, so much a month: the estimate is a receipt too, from the rows of the price list. */
export function Calculator() {
  const t = useTexts(siteTexts)
  const { data } = useYourPrices()
  const slider = useId()
  const [stop, setStop] = useState(6)
  const [length, setLength] = useState<Length>('middle')
  const [vendor, setVendor] = useState(CHAT_VENDORS[0].id)
  const row = data ? pickEverydayModel(data.rowList, vendor) : undefined
  const perDay = STOPS[stop] ?? STOPS[0]
  const [input, output] = LENGTHS[length]
  const once = row ? computeCallCost(row, input, output) : '0'
  const month = formatUsd(multiplyNano(parseUsd(once), perDay * DAYS))
  return (
    <Section id="estimate" title={t('calc_title')} lead={t('calc_lead')}>
      <div className="grid items-start gap-10 desktop:grid-cols-[minmax(0,1fr)_minmax(0,400px)] mobile:gap-8">
        <div className="border-t-2 border-fg">
          <div className="border-b border-line py-6">
            <label htmlFor={slider} className="flex items-baseline justify-between gap-4 font-semibold">
              {t('calc_per_day')}
              <output htmlFor={slider} className="num text-28">
                {formatCount(perDay)}
              </output>
            </label>
            <input
              id={slider}
              type="range"
              min={0}
              max={STOPS.length - 1}
              value={stop}
              onChange={(event) => setStop(Number(event.target.value))}
              aria-valuetext={t('calc_times', { count: formatCount(perDay) })}
              className="range mt-4 w-full"
            />
            <div className="num flex justify-between text-12 text-fg-3" aria-hidden="true">
              <span>{STOPS[0]}</span>
              <span>{formatCount(STOPS.at(-1)!)}</span>
            </div>
          </div>
          <Choice title={t('calc_length')} note={t(CALC_NOTE_TEXT[length], { input: formatCount(input), output: formatCount(output) })}>
            <Segmented
              label={t('calc_length')}
              value={length}
              onChange={setLength}
              items={(['short', 'middle', 'long'] as const).map((value) => ({ value, label: t(CALC_TEXT[value]) }))}
            />
          </Choice>
          <Choice title={t('calc_model')} note={row?.modelName ?? ''}>
            <Segmented label={t('calc_model')} value={vendor} onChange={setVendor} items={CHAT_VENDORS.map(({ id, label }) => ({ value: id, label }))} />
          </Choice>
        </div>
        <div className="receipt-shadow" aria-live="polite">
          <Receipt look="paper" label={t('calc_title')} className="w-full">
            <p className="text-14 font-semibold">{row?.modelValue ?? '–'}</p>
            <ReceiptRule className="my-3" />
            <ReceiptRow
              label={t('calc_once')}
              value={displayUsd(once, 5)}
              note={t('calc_once_note', { input: formatCount(input), output: formatCount(output) })}
            />
            <ReceiptRow
              label={t('calc_count')}
              value={`× ${formatCount(perDay * DAYS)}`}
              note={t('calc_count_note', { count: formatCount(perDay), days: DAYS })}
            />
            <ReceiptRule className="my-3" />
            <ReceiptRow strong label={t('calc_month')} value={displayUsd(month)} />
            <p className="receipt-note tabular text-12">{data ? t('calc_yuan', { amount: formatInYuan(month, data.rate), rate: data.rate }) : ''}</p>
          </Receipt>
        </div>
      </div>
    </Section>
  )
}

function Choice({ title, note, children }: { readonly title: string; readonly note: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-line py-5">
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        <p className="tabular text-13 text-fg-3">{note}</p>
      </div>
      {children}
    </div>
  )
}
