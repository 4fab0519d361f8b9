import { Link } from '@tanstack/react-router'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { kitTexts } from '#features/backoffice/console/index.tsx'

export function PageFailed({ error }: ErrorComponentProps) {
  const t = useTexts(kitTexts)
  useEffect(() => console.error(error), [error])
  return (
    <div className="flex flex-col items-center px-6 py-24 text-center" role="alert">
      <h1 className="text-16 font-semibold">{t('pageFailed')}</h1>
      <p className="mt-1 text-fg-2">{t('pageFailedBody')}</p>
      <Button className="mt-5" onClick={() => location.reload()}>
        {t('refresh')}
      </Button>
    </div>
  )
}

export function OperatorNotFound() {
  const t = useTexts(kitTexts)
  return (
    <div className="flex flex-col items-center px-6 py-24 text-center">
      <p className="num text-40 font-semibold text-fg-3">404</p>
      <h1 className="mt-2 text-16 font-semibold">{t('notFound')}</h1>
      <Link to="/" className={getButtonClass('secondary', 'md', 'mt-5')}>
        {t('toWork')}
      </Link>
    </div>
  )
}
