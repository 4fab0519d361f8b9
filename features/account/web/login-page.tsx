import { Suspense, useState } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { useTitle } from '#platform/web/title.ts'
import { accountTexts } from '../texts.ts'
import type { AuthMode } from './auth-panel.tsx'
import { LazyAuthPanel } from './lazy-panel.ts'

export function LoginPage() {
  const t = useTexts(accountTexts)
  const [mode, setMode] = useState<AuthMode>('login')
  useTitle(t(`auth_title_${mode}`))
  return (
    <div className="mx-auto w-full max-w-[448px] px-6 py-16 mobile:px-5 mobile:py-8">
      <h1 className="text-28 font-bold">{t(`auth_title_${mode}`)}</h1>
      <p className="mt-1 mb-6 text-14 text-fg-2">{t('auth_page_lead')}</p>
      <div className="min-h-80">
        <Suspense>
          <LazyAuthPanel mode={mode} onMode={setMode} redirect={undefined} />
        </Suspense>
      </div>
    </div>
  )
}
