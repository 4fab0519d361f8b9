import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { usePayPasswordStore } from '#platform/web/state/request-pay-password.ts'
import { setGradualMember, useHasGradual } from '#platform/web/state/flags.ts'
import { closeDialog, openDialog, useDialog } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { isLaterVisit, notifyOnce } from '#platform/web/once.ts'
import { securityTexts } from '../texts-security.ts'
import { withQueries } from './security/frame.tsx'
import { useStepUpStore } from '#platform/web/calls/step-up.ts'
import { fetchIsGradual, claimTip, useCurrentUser } from './use-me.ts'

const StepUpHost = lazy(() => import('./security/step-up-dialog.tsx').then((m) => ({ default: m.StepUpHost })))
const PayPasswordHost = lazy(() => import('./security/pay-password-dialog.tsx').then((m) => ({ default: m.PayPasswordHost })))

/**
 * Pages without the forced dialog: the landing page (product.md 1.4), documents to read before agreeing to them, and a sign-in in progress.
 */
const FREE = /^\/(?:$|(?:terms|privacy|protocol)$|oauth\/)/

/** Hosts of the dialogs that can open at any time during a session. */
export function SignedInHosts() {
  const isStepUpUsed = useStepUpStore((state) => state.used)
  const isPayPasswordUsed = usePayPasswordStore((state) => state.used)
  return (
    <>
      <Watch />
      <Suspense>
        {isStepUpUsed ? <StepUpHost /> : null}
        {isPayPasswordUsed ? <PayPasswordHost /> : null}
      </Suspense>
    </>
  )
}

/**
 * Opens the required dialogs for a signed-in user. Without a verified e-mail, the dialog that binds one opens and stays (except on the
 * landing page); without a password, one is offered once, but not in the visit of the registration.
 */
const Watch = withQueries(function Watch() {
  const t = useTexts(securityTexts)
  const { pathname } = useLocation()
  const me = useCurrentUser().data
  const userId = me?.id
  const hasGradual = useHasGradual()
  useEffect(() => {
    if (hasGradual && userId !== undefined) void fetchIsGradual().then(setGradualMember, () => undefined)
  }, [hasGradual, userId])
  const shown = useDialog('email')
  const mustBind = me !== undefined && me.emailVerifyStatus === 0 && !FREE.test(pathname)
  useEffect(() => {
    if (mustBind && !shown) openDialog('email', { mode: 'bind', forced: true })
    if (!mustBind && shown?.forced) closeDialog('email')
  }, [mustBind, shown])
  const lacksPassword = me !== undefined && !me.password && !mustBind && !FREE.test(pathname)
  useEffect(() => {
    if (!lacksPassword || !isLaterVisit('set-password', me.id)) return
    void notifyOnce('set-password', me.id, {
      claim: claimTip,
      title: t('prompt_title'),
      body: t('prompt_body'),
      action: t('prompt_action'),
      cancel: t('prompt_later'),
    }).then((answer) => {
      if (answer?.outcome === 'confirmed') openDialog('password')
    })
  }, [lacksPassword, me?.id, t])
  return null
})
