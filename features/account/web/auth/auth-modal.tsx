import { Suspense, useEffect, useRef } from 'react'
import { closeDialog, useDialog } from '#platform/web/state/dialogs.ts'
import { useIsMobile } from '#platform/web/device.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { Dialog } from '#ui/layers/dialog.tsx'
import { accountTexts } from '../../texts.ts'
import { setDraft, useAuthDraft } from './draft.ts'
import { LazyAuthPanel, LazyAuthSide } from './lazy-panel.ts'
import { ACCOUNT_AUTH_TITLE_TEXT } from '../../state-texts.ts'

/** Dialog with three modes: sign in, register, reset. */
export function AuthModal() {
  const t = useTexts(accountTexts)
  const asked = useDialog('auth')
  const mode = useAuthDraft((draft) => draft.mode)
  const redirect = useAuthDraft((draft) => draft.redirect)
  const mobile = useIsMobile()
  const signedIn = useSignedIn()
  useEffect(() => {
    if (asked) setDraft({ ...(asked.resumed ? {} : { mode: asked.mode ?? 'login' }), redirect: asked.redirect })
  }, [asked])
  // another tab or Google's window signed in, so the dialog is no longer needed
  useEffect(() => {
    if (signedIn) closeDialog('auth')
  }, [signedIn])
  const panel = useRef<HTMLDivElement>(null)
  const field = () => panel.current?.querySelector('input') ?? undefined
  // On a touch screen the keyboard would cover the sheet before the user has read it.
  const ready = () => {
    if (!matchMedia('(pointer: coarse)').matches) field()?.focus()
  }
  return (
    <Dialog
      open={asked !== undefined}
      onClose={() => {
        setDraft({ mode: 'login', password: '', newPassword: '', confirm: '', codes: {} })
        closeDialog('auth')
      }}
      title={t(ACCOUNT_AUTH_TITLE_TEXT[mode])}
      size="lg"
      initialFocus={(type) => (type === 'touch' ? true : (field() ?? true))}
      aside={
        mobile ? undefined : (
          <Suspense fallback={<div className="h-full bg-ink" />}>
            <LazyAuthSide />
          </Suspense>
        )
      }
    >
      <div ref={panel} className="min-h-[440px]">
        <Suspense>
          <LazyAuthPanel redirect={redirect} onReady={ready} />
        </Suspense>
      </div>
    </Dialog>
  )
}
