import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import type { ModelRow } from '#features/gateway/contract.ts'
import { getVendorColor } from '#features/gateway/web/door.ts'
import { formatCount } from '#platform/shared/show-money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Leader, Receipt, ReceiptRule } from '#ui/receipt.tsx'
import { firstTexts } from '../../first-texts.ts'
import { formatListPrice } from '../price-figures.ts'
import { SAMPLE_SETS, buildSampleReceipt } from './sample.ts'

/** Chart colours 1 to 4 as on paper, in both themes. */
const dots = ['', 'bg-[#279479]', 'bg-[#be8628]', 'bg-[#535eb8]', 'bg-[#d7506e]']
const delays = ['[animation-delay:200ms]', '[animation-delay:400ms]', '[animation-delay:600ms]']

/** A till receipt of three calls at today's prices; lines print one by one and add up. Space is reserved, so the layout does not shift. */
export function Tape({ rows }: { readonly rows: readonly ModelRow[] }) {
  const t = useTexts(firstTexts)
  const [set, setSet] = useState(0)
  const { lines, total, places } = buildSampleReceipt(rows, set)
  const since = lines
    .map(({ row }) => row.priceFrom)
    .sort()
    .at(-1)
  const day = since ? toShanghaiDay(Date.parse(since)) : ''
  return (
    <div className="tape w-full min-w-0 max-w-[480px] justify-self-end mobile:max-w-none">
      <div className="tape-slot" aria-hidden="true" />
      <div className="px-2.5 mobile:px-2">
        <Receipt label={t('tape_title')} className="tape-paper min-h-[344px] mobile:min-h-[336px]" key={set}>
          <header className="flex items-baseline justify-between gap-3 text-14 font-semibold">
            <span className="inline-flex items-baseline gap-2">
              {t('tape_title')}
              <span className="rounded-tag border border-paper-line px-1.5 whitespace-nowrap text-12 font-normal text-paper-fg-2">{t('tape_sample')}</span>
            </span>
            <span className="num text-paper-fg-2">#{String(set + 1).padStart(4, '0')}</span>
          </header>
          <ReceiptRule className="my-4" />
          <ul className="grid gap-3">
            {lines.map(({ row, input, output, amount }, index) => (
              <li key={row.modelValue} className={`print-line ${delays[index]}`}>
                <div className="receipt-row font-mono text-14">
                  <span className={`size-2 shrink-0 rounded-full ${dots[getVendorColor(row.vendor)] ?? 'bg-control'}`} aria-hidden="true" />
                  <span className="whitespace-nowrap">{row.modelValue}</span>
                  <Leader />
                  <span className="num">{displayUsd(amount, places)}</span>
                </div>
                <p className="receipt-note tabular pl-4 text-12">
                  {t('tape_line', {
                    input: formatCount(input),
                    output: formatCount(output),
                    inputPrice: formatListPrice(row.prices.usd.input, 'usd'),
                    outputPrice: formatListPrice(row.prices.usd.output, 'usd'),
                  })}
                </p>
              </li>
            ))}
          </ul>
          <ReceiptRule className="my-4" />
          <div className="print-line flex items-baseline justify-between gap-4 text-28 font-bold [animation-delay:800ms] mobile:text-20">
            <span>{t('tape_total')}</span>
            <span className="num">{displayUsd(total, places)}</span>
          </div>
          <p className="receipt-note tabular mt-1 text-12">{t('tape_note', { day })}</p>
        </Receipt>
        <button
          type="button"
          onClick={() => setSet((set + 1) % SAMPLE_SETS)}
          className="mt-3 ml-auto flex min-h-11 items-center gap-2 rounded-control px-3 text-13 text-ink-fg-2 hover:text-ink-fg"
        >
          <RotateCw size={14} strokeWidth={1.75} aria-hidden="true" />
          {t('tape_again')}
        </button>
      </div>
    </div>
  )
}
