import { useTexts } from '#platform/web/i18n.ts'
import { uiTexts } from '../texts.ts'
import { CHART_CARD_WIDTH } from './frame.ts'
import type { Bar, Series } from './series.ts'
import { Swatch } from './swatch.tsx'

interface BarCardProps {
  readonly bar: Bar
  readonly left: number
  readonly series: readonly Series[]
  readonly format: (value: string) => string
  readonly sum: (values: readonly string[]) => string
  readonly pickText: string | undefined
}

/** Tooltip with the parts of the hovered bar. */
export function BarCard({ bar, left, series, format, sum, pickText }: BarCardProps) {
  const t = useTexts(uiTexts)
  return (
    <div
      className="absolute top-5 z-20 rounded-card border border-line bg-surface px-3.5 py-2.5 text-13 shadow-dialog"
      style={{ width: CHART_CARD_WIDTH, left }}
    >
      <p className="flex justify-between gap-3 font-semibold">
        <span>{bar.label}</span>
        <span className="num">{format(sum(series.map((item) => bar.values[item.key] ?? '0')))}</span>
      </p>
      <ul className="mt-1 grid gap-0.5">
        {series
          .filter((item) => Number(bar.values[item.key] ?? 0) > 0)
          .toReversed()
          .map((item) => (
            <li key={item.key} className="flex items-center justify-between gap-3 text-12 text-fg-2">
              <span className="inline-flex min-w-0 items-center gap-2">
                <Swatch of={item} className="size-2" />
                <span className="truncate">{item.label}</span>
              </span>
              <span className="num">{format(bar.values[item.key]!)}</span>
            </li>
          ))}
      </ul>
      {pickText ? (
        <p className="mt-1.5 text-12 text-brand-text">
          {pickText} <span className="mobile:hidden">{t('enterKey')}</span>
        </p>
      ) : null}
    </div>
  )
}
