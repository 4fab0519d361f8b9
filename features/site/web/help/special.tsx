import { useTexts } from '#platform/web/i18n.ts'
import { CodeBlock } from '#ui/code-block.tsx'
import { helpTexts } from '../../help-texts.ts'
import type { CodeSample, SampleReceiptLine } from '../../help/blocks.ts'
import type { DrawSpecial } from '../prose/blocks.tsx'
import { fillFacts, type ProseFacts } from '../prose/facts.ts'
import { HelpFigure } from './figures/figure.tsx'
import { formatCount } from '#platform/shared/show-money.ts'
import { formatMinor, parseUsd, computePercentFee, sumNano, toMinorUnits, computeTokenCost, formatUsd } from '#platform/shared/money.ts'
import { displayCny, displayUsd } from '#platform/web/money.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'

const RECEIPT_TEXT = { input: 'receipt_input', output: 'receipt_output', cachedInput: 'receipt_cachedInput', cacheWrite5m: 'receipt_cacheWrite5m' } as const

/** Computed by the billing code, so that the example adds up to the nano-dollar. */
function HelpCallReceipt({ model, lines }: { readonly model: string; readonly lines: readonly SampleReceiptLine[] }) {
  const t = useTexts(helpTexts)
  const priced = lines.map((line) => ({ ...line, amount: computeTokenCost(line.tokens, parseUsd(line.price)) }))
  return (
    <Receipt look="inline" label={t('receipt_label')} className="my-6 max-w-[440px]">
      <p className="font-mono text-14 font-semibold">{model}</p>
      <ReceiptRule />
      {priced.map(({ line, tokens, price, amount }) => (
        <ReceiptRow
          key={line}
          label={t(RECEIPT_TEXT[line])}
          value={displayUsd(formatUsd(amount), 9)}
          note={t('receipt_line', { tokens: formatCount(tokens), price })}
        />
      ))}
      <ReceiptRule />
      <ReceiptRow strong label={t('receipt_sum')} value={displayUsd(formatUsd(sumNano(priced.map((line) => line.amount))), 9)} />
      <p className="receipt-note mt-2 text-12">{t('receipt_note')}</p>
    </Receipt>
  )
}

interface TopupProps {
  readonly amount: string
  readonly percent: string
  readonly rate: string
}

function TopupReceipt({ amount, percent, rate }: TopupProps) {
  const t = useTexts(helpTexts)
  // the setting is not loaded yet
  if (!/^\d/.test(percent)) return null
  const paid = parseUsd(amount)
  const fee = computePercentFee(paid, percent)
  const total = sumNano([paid, fee])
  return (
    <Receipt look="inline" label={t('receipt_label')} className="my-6 max-w-[440px]">
      <ReceiptRow label={t('topup_amount')} value={displayUsd(amount)} />
      <ReceiptRow label={t('topup_fee', { percent })} value={displayUsd(formatUsd(fee))} />
      <ReceiptRow label={t('topup_rate')} value={rate} />
      <ReceiptRule />
      <ReceiptRow
        strong
        label={t('topup_total')}
        value={displayCny(formatMinor(toMinorUnits(total, rate)))}
        note={t('topup_sum', { total: displayUsd(formatUsd(total)), rate })}
      />
    </Receipt>
  )
}

/** Renders blocks that only help articles contain, not legal texts. */
export const renderSpecialBlock: DrawSpecial = (block, facts) => {
  switch (block.kind) {
    case 'samples':
      return <Samples samples={block.samples} facts={facts} />
    case 'figure':
      return <HelpFigure name={block.name} />
    case 'receipt':
      return <HelpCallReceipt model={block.model} lines={block.lines} />
    case 'topup':
      return <TopupReceipt amount={block.amount} percent={fillFacts(block.percent, facts)} rate={block.rate} />
  }
}

function Samples({ samples, facts }: { readonly samples: readonly CodeSample[]; readonly facts: ProseFacts }) {
  const t = useTexts(helpTexts)
  return <CodeBlock remembered label={t('samples')} className="my-5" snippets={samples.map((sample) => ({ ...sample, code: fillFacts(sample.code, facts) }))} />
}
