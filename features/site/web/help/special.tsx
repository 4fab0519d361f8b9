import { useTexts } from '#platform/web/i18n.ts'
import { CodeBlock } from '#ui/code-block.tsx'
import { helpTexts } from '../../help-texts.ts'
import type { CodeSample } from '../../help/blocks.ts'
import type { DrawSpecial } from '../prose/blocks.tsx'
import { fillFacts, type ProseFacts } from '../prose/facts.ts'
import { HelpFigure } from './figures/figure.tsx'
import { HelpCallReceipt, TopupReceipt } from './receipts.tsx'

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
