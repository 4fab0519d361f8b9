import { useTexts } from '#platform/web/i18n.ts'
import { usdDisplay } from '#platform/web/money.tsx'
import { Leader, Receipt, ReceiptRule } from '#ui/receipt.tsx'
import { siteTexts } from '../texts.ts'
import { SAMPLE_DAY, sampleLines, sampleTotal } from './sample.ts'

const dots: Record<string, string> = { openai: 'bg-[#279479]', anthropic: 'bg-[#be8628]', google: 'bg-[#535eb8]' }
const delays = ['[animation-delay:200ms]', '[animation-delay:400ms]', '[animation-delay:600ms]']

function group(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A till receipt of three calls; lines print one by one and add up. Space is reserved: nothing moves. */
export function Tape() {
  const t = useTexts(siteTexts)
  return (
    <Receipt label={t('tape_title')} className="w-full max-w-[460px] justify-self-end mobile:max-w-none">
      <header className="flex items-baseline justify-between gap-3 text-14 font-semibold">
        <span className="inline-flex items-baseline gap-2">
          {t('tape_title')}
          <span className="rounded-tag border border-paper-line px-1.5 whitespace-nowrap text-12 font-normal text-paper-fg-2">{t('tape_sample')}</span>
        </span>
        <time className="num" dateTime={SAMPLE_DAY}>
          {SAMPLE_DAY}
        </time>
      </header>
      <ReceiptRule className="my-4" />
      <ul className="grid gap-3">
        {sampleLines.map((line, index) => (
          <li key={line.model} className={`print-line ${delays[index]}`}>
            <div className="receipt-row font-mono text-14">
              <span className={`size-2 shrink-0 rounded-full ${dots[line.vendor]}`} aria-hidden="true" />
              <span className="whitespace-nowrap">{line.model}</span>
              <Leader />
              <span className="num">{usdDisplay(line.amount, 4)}</span>
            </div>
            <p className="receipt-note tabular pl-4 text-12">{t('tape_line', { ...line, input: group(line.input), output: group(line.output) })}</p>
          </li>
        ))}
      </ul>
      <ReceiptRule className="my-4" />
      <div className="print-line flex items-baseline justify-between text-28 font-bold [animation-delay:800ms] mobile:text-20">
        <span>{t('tape_total')}</span>
        <span className="num">{usdDisplay(sampleTotal, 4)}</span>
      </div>
      <p className="receipt-note tabular mt-1 text-12">{t('tape_note', { day: SAMPLE_DAY })}</p>
    </Receipt>
  )
}
