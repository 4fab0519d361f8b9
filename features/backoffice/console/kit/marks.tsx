import { Check, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { kitTexts } from './texts.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

const RISK_TEXT = { low: 'risk_low', middle: 'risk_middle', high: 'risk_high' } as const satisfies Record<RiskLevel, TextKeyOf<typeof kitTexts>>

export type RiskLevel = 'low' | 'middle' | 'high'
const riskTone = { low: 'text-fg-3', middle: 'text-warning', high: 'font-semibold text-danger' } as const
const riskLevel = { low: 1, middle: 2, high: 3 } as const

/** Level as three rising bars and a word. */
export function RiskBars({ risk }: { readonly risk: RiskLevel }) {
  const t = useTexts(kitTexts)
  return (
    <span className={`inline-flex items-center gap-1.5 whitespace-nowrap ${riskTone[risk]}`}>
      <svg width="15" height="12" viewBox="0 0 15 12" aria-hidden="true">
        {[1, 2, 3].map((bar) => (
          <rect
            key={bar}
            x={(bar - 1) * 5.5}
            y={12 - bar * 4}
            width="4"
            height={bar * 4}
            rx="0.5"
            className={bar <= riskLevel[risk] ? 'fill-current' : 'fill-line'}
          />
        ))}
      </svg>
      {t(RISK_TEXT[risk])}
    </span>
  )
}

/** Waiting time as a share of its target: grey, warning from three quarters on, danger above the target. */
export function AgeBar({ waited, target }: { readonly waited: number; readonly target: number }) {
  const t = useTexts(kitTexts)
  const share = target > 0 ? waited / target : 0
  const tone = share > 1 ? 'danger' : share >= 0.75 ? 'warning' : 'fg-3'
  const fill = { 'danger': 'bg-danger', 'warning': 'bg-warning', 'fg-3': 'bg-fg-3' }[tone]
  const text = { 'danger': 'font-semibold text-danger', 'warning': 'text-warning', 'fg-3': 'text-fg-2' }[tone]
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap tabular">
      <span className="h-1 w-9 overflow-hidden rounded-full bg-line" aria-hidden="true">
        <span className={`block h-full rounded-full ${fill}`} style={{ width: `${Math.min(100, Math.max(4, share * 100))}%` }} />
      </span>
      <span className={text}>
        {share > 1
          ? t('ageOver', { over: formatSpanMinutes(waited - target, t) })
          : t('ageOf', { waited: formatSpanMinutes(waited, t), target: formatSpanMinutes(target, t) })}
      </span>
    </span>
  )
}

/** Formats minutes: 26 分, 3.2 时, 4 天. */
export function formatSpanMinutes(minutes: number, t: (key: 'spanMinutes' | 'spanHours' | 'spanDays', values: { n: string }) => string): string {
  if (minutes < 59.5) return t('spanMinutes', { n: String(Math.max(minutes > 0 ? 1 : 0, Math.round(minutes))) })
  if (minutes < 48 * 60) return t('spanHours', { n: formatOneDecimal(minutes / 60) })
  return t('spanDays', { n: formatOneDecimal(minutes / 1440) })
}
const formatOneDecimal = (value: number) => (value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value)))

/** Factors in favour and against, in two columns. */
export function FactList({ facts }: { readonly facts: readonly { readonly key: string; readonly tone: 'good' | 'warn' | 'bad'; readonly text: ReactNode }[] }) {
  return (
    <ul className="grid grid-cols-2 gap-x-4 gap-y-1.5 text-13 mobile:grid-cols-1">
      {facts.map(({ key, tone, text }) => (
        <li key={key} className="flex items-start gap-2">
          {tone === 'good' ? (
            <Check size={14} strokeWidth={2} className="mt-[3px] shrink-0 text-success" aria-hidden="true" />
          ) : (
            <TriangleAlert size={14} strokeWidth={1.75} className={`mt-[3px] shrink-0 ${tone === 'bad' ? 'text-danger' : 'text-warning'}`} aria-hidden="true" />
          )}
          <span className="min-w-0">{text}</span>
        </li>
      ))}
    </ul>
  )
}

/** Name and value on one line, dense. */
export function FactRows({ rows }: { readonly rows: readonly (readonly [name: ReactNode, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-1 gap-y-1 text-13">
      {rows.map(([name, value], at) => (
        <div key={at} className="flex items-baseline justify-between gap-4">
          <dt className="shrink-0 text-fg-3">{name}</dt>
          <dd className="min-w-0 text-right tabular [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function KeyCap({ children }: { readonly children: ReactNode }) {
  return <kbd className="kbd">{children}</kbd>
}
