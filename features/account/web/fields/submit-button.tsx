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

/** The form's one accent. When an answer is late it says so, instead of spinning in silence. */
export function SubmitButton({ loading, slow, danger, children }: SubmitButtonProps) {
  const t = useTexts(accountTexts)
  // a captcha or a question in between: then it is the person who is waited for
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
