import { useTexts } from '#platform/web/i18n.ts'
import { Time } from '#platform/web/time.tsx'
import { Timeline } from '#ui/time/timeline.tsx'
import { pageTexts } from '../texts-pages.ts'

interface Step {
  readonly key: string
  readonly at: string
  readonly text: string
  readonly note?: string
}

/** Past steps, the last one being the current state. While it changes, a line says that the page updates automatically. */
export function ProgressTimeline({ steps, moving }: { readonly steps: readonly Step[]; readonly moving: boolean }) {
  const t = useTexts(pageTexts)
  return (
    <section>
      <h2 className="mb-3 flex items-baseline justify-between gap-3 text-16 font-semibold">
        {t('progress')}
        {moving ? (
          <span className="inline-flex items-center gap-1.5 text-12 font-normal text-fg-3">
            <span className="spinner" aria-hidden="true" />
            {t('updates')}
          </span>
        ) : null}
      </h2>
      <Timeline
        label={t('progress')}
        steps={steps.map(({ at, ...step }, index) => ({
          ...step,
          state: moving && index === steps.length - 1 ? 'now' : 'done',
          time: <Time at={at} show="second" />,
        }))}
      />
    </section>
  )
}
