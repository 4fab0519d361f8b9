import { LandingEnding } from './ending.tsx'
import { Faq } from './faq.tsx'
import { Features } from './features.tsx'
import { LandingPrices } from './prices.tsx'
import { Link } from '@tanstack/react-router'
import { CHAT_VENDORS } from '#features/gateway/web/door.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { CodeBlock } from '#ui/code-block.tsx'
import { siteTexts } from '../../texts.ts'
import { pickEverydayModel } from '../price-figures.ts'
import { usePriceList, useSiteInfo, useRate } from '../use-prices.ts'
import { Section } from './section.tsx'
import { isOwnClient, buildSnippets } from './snippets.ts'
import { computePayFigures } from './pay-figures.ts'
import { displayCny, displayUsd } from '#platform/web/money.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Stamp } from '#ui/stamp.tsx'
import { firstTexts } from '../../first-texts.ts'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { formatCount } from '#platform/shared/show-money.ts'
import { parseUsd, multiplyNano, formatUsd } from '#platform/shared/money.ts'
import { Segmented } from '#ui/fields/segmented.tsx'
import { useYourPrices } from '../your-prices.ts'
import { computeCallCost } from './sample.ts'
import { formatInYuan } from './yuan.ts'

const CALC_NOTE_TEXT = { short: 'calc_short_note', middle: 'calc_middle_note', long: 'calc_long_note' } as const
const CALC_TEXT = { short: 'calc_short', middle: 'calc_middle', long: 'calc_long' } as const

/** Tokens in and out of one turn. */
const LENGTHS = { short: [300, 200], middle: [1500, 600], long: [12_000, 1500] } as const
type Length = keyof typeof LENGTHS
const STOPS = [1, 2, 5, 10, 20, 30, 50, 80, 100, 150, 200, 300, 500, 800, 1000, 2000, 5000] as const
const DAYS = 30

/** Monthly estimate for a number of conversations per day, drawn as a receipt with prices of the price list. */
function Calculator() {
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

const AMOUNT = '20'

/** Example of a top-up with today's fee and rate, calculated as for an order. */
function Payment() {
  const t = useTexts(siteTexts)
  const f = useTexts(firstTexts)
  const info = useSiteInfo().data
  const rate = useRate().data?.rate
  const figures = info && rate ? computePayFigures(AMOUNT, info.feePercent, rate) : undefined
  return (
    <section aria-labelledby="pay-title" className="mt-[88px] border-y border-line bg-sunken mobile:mt-14">
      <div className="wrap-1200 grid items-center gap-x-16 gap-y-10 py-[72px] desktop:grid-cols-[minmax(0,1fr)_minmax(0,400px)] mobile:py-12">
        <div>
          <h2 id="pay-title" className="text-40 mobile:text-28">
            <span className="block">{t('pay_title_1')}</span>
            <span className="block">{t('pay_title_2')}</span>
          </h2>
          <ul className="mt-6 grid max-w-[34em] gap-3 text-fg-2">
            {(['pay_point_1', 'pay_point_2', 'pay_point_3'] as const).map((key) => (
              <li key={key} className="flex gap-3">
                <span className="mt-[11px] h-px w-4 shrink-0 bg-brand" aria-hidden="true" />
                {t(key)}
              </li>
            ))}
          </ul>
        </div>
        <div className="receipt-shadow relative">
          <Receipt label={t('pay_receipt')} className="min-h-[268px]">
            {figures ? (
              <>
                <p className="flex items-baseline gap-2 text-14 font-semibold">
                  {t('pay_receipt')}
                  <span className="rounded-tag border border-paper-line px-1.5 whitespace-nowrap text-12 font-normal text-paper-fg-2">{f('tape_sample')}</span>
                </p>
                <ReceiptRule className="my-3" />
                <ReceiptRow label={t('faq_fee_amount')} value={displayUsd(AMOUNT)} />
                <ReceiptRow label={t('faq_fee_percent', { percent: info!.feePercent })} value={displayUsd(figures.fee)} />
                <ReceiptRow label={t('pay_rate')} value={rate} />
                <ReceiptRule className="my-3" />
                <ReceiptRow strong label={t('faq_fee_total')} value={displayCny(figures.yuan)} />
                <p className="mt-3 h-12" aria-hidden="true">
                  <Stamp />
                </p>
              </>
            ) : null}
          </Receipt>
        </div>
      </div>
    </section>
  )
}

const steps = [
  ['step_1', 'step_1_body'],
  ['step_2', 'step_2_body'],
  ['step_3', 'step_3_body'],
] as const

function LandingSteps() {
  const t = useTexts(siteTexts)
  const rows = usePriceList().data?.rowList ?? []
  const info = useSiteInfo().data
  const model = ({ id }: { readonly id: string }) => pickEverydayModel(rows, id)?.modelValue ?? ''
  return (
    <Section id="start" title={t('step_title')}>
      <div className="grid gap-10 desktop:grid-cols-[minmax(0,.8fr)_minmax(0,1.2fr)] mobile:gap-8">
        <ol className="self-start border-t-2 border-fg">
          {steps.map(([key, body], index) => (
            <li key={key} className="flex gap-5 border-b border-line py-5">
              <span className="num pt-px text-20 font-semibold text-brand-text" aria-hidden="true">
                {index + 1}
              </span>
              <div>
                <h3 className="text-18 font-bold">{t(key)}</h3>
                <p className="mt-0.5 text-fg-2">{t(body, { min: info?.minRecharge ?? '–', max: info?.maxRecharge ?? '–' })}</p>
              </div>
            </li>
          ))}
        </ol>
        <div className="min-w-0">
          <CodeBlock
            remembered
            label={t('step_code')}
            snippets={buildSnippets(site.origin, model(CHAT_VENDORS[0]), model(CHAT_VENDORS.find((one) => isOwnClient(one, 'claude-code')) ?? CHAT_VENDORS[0]))}
            className="desktop:min-h-[312px]"
          />
          <p className="mt-3 text-13 text-fg-3">
            {t('step_more')}{' '}
            <Link to="/help/$slug" params={{ slug: 'quick-start' }} className="link">
              {t('step_help')}
            </Link>
          </p>
        </div>
      </div>
    </Section>
  )
}

/** Everything below the first screen. */
export function Below() {
  return (
    <>
      <Features />
      <LandingPrices />
      <Calculator />
      <LandingSteps />
      <Payment />
      <Faq />
      <LandingEnding />
    </>
  )
}
