import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { pageTexts } from '../texts-pages.ts'

interface Step {
  readonly key: string
  readonly at: string
  readonly text: string
  readonly note?: string
}

/** Steps down a line; the last is where it stands. While it moves, its dot breathes and a line says that nobody need reload. */
export function Timeline({ steps, moving }: { readonly steps: readonly Step[]; readonly moving: boolean }) {
  const t = useTexts(pageTexts)
  return (
    <section aria-label={t('progress')}>
      <h2 className="mb-3 flex items-baseline justify-between gap-3 text-16 font-semibold">
        {t('progress')}
        {moving ? (
          <span className="inline-flex items-center gap-1.5 text-12 font-normal text-fg-3">
            <span className="spinner" aria-hidden="true" />
            {t('updates')}
          </span>
        ) : null}
      </h2>
      <ol className="relative ml-[5px] border-l border-line">
        {steps.map((step, index) => {
          const last = index === steps.length - 1
          return (
            <li key={step.key} className={`relative pl-5 ${last ? '' : 'pb-4'}`} aria-current={last ? 'step' : undefined}>
              <span
                className={`absolute top-[6px] -left-[5px] size-[9px] rounded-full border-2 ${last ? 'border-brand bg-brand' : 'border-control bg-surface'}`}
                aria-hidden="true"
              />
              <p className={`text-14 ${last ? 'font-semibold' : ''}`}>{step.text}</p>
              {step.note ? <p className="text-13 text-fg-2">{step.note}</p> : null}
              <Time at={step.at} show="second" className="text-12 text-fg-3" />
            </li>
          )
        })}
      </ol>
    </section>
  )
}
