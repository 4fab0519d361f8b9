import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useFirstWrong } from '#platform/web/use-fields.ts'
import { Button } from '#ui/button.tsx'
import { withdrawTexts } from '../../texts-withdraw.ts'
import { PaymentsNotice } from '../notice.tsx'

interface StepProps {
  readonly title: string
  readonly children: ReactNode
  readonly failure?: string | undefined
  readonly busy?: boolean
  /** Label of the button that continues; `blocked` disables it. */
  readonly next: string
  readonly blocked?: boolean
  readonly onNext: () => void
  readonly onBack?: () => void
}

/** One step of the withdrawal. Focuses the heading, or the first field if a keyboard is available; one button continues. */
export function WithdrawStep({ title, children, failure, busy = false, next, blocked = false, onNext, onBack }: StepProps) {
  const t = useTexts(withdrawTexts)
  const form = useRef<HTMLFormElement>(null)
  const pointOut = useFirstWrong(form)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const field = matchMedia('(pointer: fine)').matches ? form.current?.querySelector('input') : undefined
    ;(field ?? heading.current)?.focus()
  }, [])
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (busy || blocked) return
        onNext()
        pointOut()
      }}
    >
      <h3 ref={heading} tabIndex={-1} className="text-16 font-semibold outline-none">
        {title}
      </h3>
      {children}
      <div role="alert" className="empty:-mt-5">
        {failure ? <PaymentsNotice tone="danger">{failure}</PaymentsNotice> : null}
      </div>
      <div className="sticky -bottom-6 -mx-6 -mb-6 flex gap-3 bg-surface px-6 pt-2 pb-6 mobile:-mx-5 mobile:px-5">
        {onBack ? (
          <Button type="button" variant="secondary" size="lg" disabled={busy} onClick={onBack}>
            {t('step_back')}
          </Button>
        ) : null}
        <Button type="submit" size="lg" className="flex-1" loading={busy} disabled={blocked}>
          {next}
        </Button>
      </div>
    </form>
  )
}
