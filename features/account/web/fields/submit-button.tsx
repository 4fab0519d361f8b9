import type { ReactNode } from 'react'
import { useCaptchaStore } from '#platform/web/calls/captcha.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { accountTexts } from '../../texts.ts'
import { useStepUpStore } from '#platform/web/calls/step-up.ts'
import { CircleAlert } from 'lucide-react'

/** Error of the server above the button, with a link to the solution if there is one. */
export function FormError({ message, way }: { readonly message: string | undefined; readonly way?: ReactNode }) {
  return (
    <div role="alert" className="empty:-mt-4">
      {message ? (
        <p className="flex items-start gap-2 rounded-control border border-danger px-3 py-2.5 text-14">
          <CircleAlert size={16} strokeWidth={1.75} className="mt-[3px] shrink-0 text-danger" aria-hidden="true" />
          <span className="min-w-0">
            {message} {way}
          </span>
        </p>
      ) : null}
    </div>
  )
}

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
