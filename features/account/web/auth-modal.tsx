import { Suspense, useEffect, useRef, useState } from 'react'
import { closeDialog, useDialog } from '#platform/web/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { Dialog } from '#ui/dialog.tsx'
import { accountTexts } from '../texts.ts'
import type { AuthMode } from './auth-panel.tsx'
import { LazyAuthPanel } from './lazy-panel.ts'

/** Sign in, register, reset: three modes of one dialog. */
export function AuthModal() {
  const t = useTexts(accountTexts)
  const asked = useDialog('auth')
  const last = useRef(asked)
  if (asked) last.current = asked
  const [mode, setMode] = useState<AuthMode>(asked?.mode ?? 'login')
  useEffect(() => {
    if (asked) setMode(asked.mode ?? 'login')
  }, [asked])
  const panel = useRef<HTMLDivElement>(null)
  const field = () => panel.current?.querySelector('input') ?? undefined
  // On a touch screen the keyboard would cover the sheet before it is read.
  const ready = () => {
    if (!matchMedia('(pointer: coarse)').matches) field()?.focus()
  }
  return (
    <Dialog
      open={asked !== undefined}
      onClose={() => closeDialog('auth')}
      title={t(`auth_title_${mode}`)}
      size="sm"
      initialFocus={(type) => (type === 'touch' ? true : (field() ?? true))}
    >
      <div ref={panel} className="min-h-80">
        <Suspense>
          <LazyAuthPanel mode={mode} onMode={setMode} redirect={last.current?.redirect} onReady={ready} />
        </Suspense>
      </div>
    </Dialog>
  )
}
