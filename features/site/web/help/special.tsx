import { useTexts } from '#platform/web/i18n.ts'
import { CodeBlock } from '#ui/code-block.tsx'
import { helpTexts } from '../../help-texts.ts'
import type { Sample } from '../../help/blocks.ts'
import type { DrawSpecial } from '../prose/blocks.tsx'
import { fillFacts, type Facts } from '../prose/facts.ts'
import { Figure } from './figures/figure.tsx'
import { CallReceipt, TopupReceipt } from './receipts.tsx'

/** Blocks that help articles have and legal texts do not. */
export const special: DrawSpecial = (block, facts) => {
  switch (block.kind) {
    case 'samples':
      return <Samples samples={block.samples} facts={facts} />
    case 'figure':
      return <Figure name={block.name} />
    case 'receipt':
      return <CallReceipt model={block.model} lines={block.lines} />
    case 'topup':
      return <TopupReceipt amount={block.amount} percent={fillFacts(block.percent, facts)} rate={block.rate} />
  }
}

function Samples({ samples, facts }: { readonly samples: readonly Sample[]; readonly facts: Facts }) {
  const t = useTexts(helpTexts)
  return <CodeBlock remembered label={t('samples')} className="my-5" snippets={samples.map((sample) => ({ ...sample, code: fillFacts(sample.code, facts) }))} />
}
