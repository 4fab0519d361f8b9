import { approvalRules } from '../../../words.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useRuleWords } from '../rules/rule-words.ts'
import { kitTexts } from '../texts.ts'

interface DiffLine {
  readonly sign: '-' | '+'
  readonly text: string
}

/** Lines removed and added, in order, and the number of unchanged ones, by the longest common subsequence. */
export function diffLines(before: readonly string[], after: readonly string[]): { readonly lines: readonly DiffLine[]; readonly same: number } {
  const longest = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1))
  for (let b = before.length - 1; b >= 0; b--)
    for (let a = after.length - 1; a >= 0; a--)
      longest[b]![a] = before[b] === after[a] ? longest[b + 1]![a + 1]! + 1 : Math.max(longest[b + 1]![a]!, longest[b]![a + 1]!)
  const lines: DiffLine[] = []
  let [b, a] = [0, 0]
  while (b < before.length || a < after.length) {
    if (b < before.length && a < after.length && before[b] === after[a]) [b, a] = [b + 1, a + 1]
    else if (a >= after.length || (b < before.length && longest[b + 1]![a]! >= longest[b]![a + 1]!)) lines.push({ sign: '-', text: before[b++]! })
    else lines.push({ sign: '+', text: after[a++]! })
  }
  return { lines, same: longest[0]![0]! }
}

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
