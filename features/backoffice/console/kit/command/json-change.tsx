import { approvalRules } from '../../../words.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useRuleWords } from '../rules/rule-words.ts'
import { kitTexts } from '../texts.ts'
import { diffLines } from './diff-lines.ts'

/** Diff of two JSON values: removed and added lines only; rules are shown in words. */
export function JsonChange({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  const t = useTexts(kitTexts)
  const words = useRuleWords()
  const say = (value: unknown) => {
    const rules = approvalRules.safeParse(value)
    return rules.success && rules.data.length ? rules.data.map(words.whole) : JSON.stringify(value, null, 1).split('\n')
  }
  const { lines, same } = diffLines(say(before), say(after))
  return (
    <div className="grid gap-0.5 text-12">
      {lines.map(({ sign, text }, at) => (
        <p key={at} className={`grid grid-cols-[14px_minmax(0,1fr)] [overflow-wrap:anywhere] ${sign === '-' ? 'text-fg-3 line-through' : 'font-semibold'}`}>
          <span className="num" aria-hidden="true">
            {sign === '-' ? '−' : '+'}
          </span>
          <span>
            <span className="sr-only">{t(sign === '-' ? 'lineGoes' : 'lineComes')}</span>
            {text}
          </span>
        </p>
      ))}
      <p className="text-fg-3">{t('linesSame', { n: same })}</p>
    </div>
  )
}
