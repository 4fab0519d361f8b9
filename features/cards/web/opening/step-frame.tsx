import { ArrowLeft, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { openingTexts } from './texts.ts'

/** Frame of a step: heading, question, and two buttons; on a phone the primary one stays within reach of the thumb. */
export function StepFrame({
  title,
  lead,
  aside,
  children,
  next,
  note,
  onBack,
  failure,
}: {
  readonly title: string
  readonly lead?: ReactNode
  readonly aside?: ReactNode
  readonly children?: ReactNode
  readonly next?: { readonly text: string; readonly onPress: () => void; readonly busy?: boolean }
  readonly note?: string | undefined
  readonly onBack?: (() => void) | undefined
  readonly failure?: Error | undefined
}) {
  const t = useTexts(openingTexts)
  return (
    <section aria-labelledby="step-title" className="min-w-0">
      <div className="flex items-start justify-between gap-6">
        <div className="min-w-0">
          <h1 id="step-title" className="text-28 font-bold">
            {title}
          </h1>
          {lead ? <p className="mt-1 max-w-[560px] text-14 text-fg-2">{lead}</p> : null}
        </div>
        {aside}
      </div>
      <div className="mt-6">{children}</div>
      {failure ? (
        <AlertBox kind="error" className="mt-5">
          {isApiError(failure) ? failure.message : String(failure.message)}
        </AlertBox>
      ) : null}
      {next ? (
        <div className="mt-8 flex items-center gap-4 mobile:fixed mobile:inset-x-0 mobile:bottom-0 mobile:z-50 mobile:mt-0 mobile:flex-col mobile:items-stretch mobile:gap-2 mobile:border-t mobile:border-line mobile:bg-surface mobile:px-5 mobile:py-3">
          {onBack ? (
            <Button variant="ghost" onClick={onBack} className="mobile:hidden">
              <ArrowLeft size={16} strokeWidth={1.75} aria-hidden="true" />
              {t('previous')}
            </Button>
          ) : null}
          <p aria-live="polite" className={`ml-auto flex items-center gap-1.5 text-13 text-warning mobile:ml-0 ${note ? '' : 'mobile:hidden'}`}>
            {note ? <TriangleAlert size={14} strokeWidth={1.75} aria-hidden="true" className="shrink-0" /> : null}
            {note}
          </p>
          <Button size="lg" loading={next.busy ?? false} onClick={next.onPress} className="mobile:w-full">
            {next.text}
          </Button>
        </div>
      ) : null}
    </section>
  )
}
