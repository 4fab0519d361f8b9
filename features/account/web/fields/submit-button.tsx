import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { accountTexts } from '../../texts.ts'

interface SubmitButtonProps {
  readonly loading: boolean
  readonly slow: boolean
  readonly danger?: boolean
  readonly children: ReactNode
}

/** The form's one accent. When an answer is late it says so, instead of spinning in silence. */
export function SubmitButton({ loading, slow, danger, children }: SubmitButtonProps) {
  const t = useTexts(accountTexts)
  return (
    <div>
      <Button type="submit" size="lg" block loading={loading} variant={danger ? 'danger' : 'primary'}>
        {children}
      </Button>
      <p role="status" className="text-center text-13 text-fg-3 [&:not(:empty)]:mt-2">
        {slow ? t('auth_slow') : null}
      </p>
    </div>
  )
}
