import type { ReactNode } from 'react'
import { useCaptchaStore } from '#platform/web/calls/captcha.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { accountTexts } from '../../texts.ts'
import { useStepUpStore } from '#platform/web/calls/step-up.ts'

interface SubmitButtonProps {
  readonly loading: boolean
  readonly slow: boolean
  readonly danger?: boolean
  readonly children: ReactNode
}

/** Submit button, the form's only accent. If a response is late it shows a text instead of only a spinner. */
export function SubmitButton({ loading, slow, danger, children }: SubmitButtonProps) {
  const t = useTexts(accountTexts)
  // a captcha or a question is open: the form waits for the user
  const isAsked = useCaptchaStore((state) => state.request !== undefined)
  const isDoubted = useStepUpStore((state) => state.asked !== undefined)
  return (
    <div>
      <Button type="submit" size="lg" block loading={loading} variant={danger ? 'danger' : 'primary'}>
        {children}
      </Button>
      <p role="status" className="text-center text-13 text-fg-3 [&:not(:empty)]:mt-2">
        {slow && !isAsked && !isDoubted ? t('auth_slow') : null}
      </p>
    </div>
  )
}
